//! Bounds for given error rates.

use super::bayes::{self, Lattice, Penalties, Prior};
use super::boundary::Boundary;
use super::passage::{Passage, Resolution};
use crate::sprt::ErrorRates;

/// Bounds that were designed for given error rates, with the law of their first passage.
#[derive(Clone, Debug)]
pub struct Design {
    /// The bounds.
    pub boundary: Boundary,
    /// When and where the LLR leaves them.
    pub passage: Passage,
}

/// Evaluations before giving up; three thousand random designs took two to six.
const EVALUATIONS_MAX: usize = 20;

/// Times that a step of the search is halved.
const HALVINGS_MAX: usize = 6;

/// Largest deviation of ln α and ln β, well below the 1e-3 that is promised; after many
/// evaluations the lattice's own noise may be in the way, and the second is good enough.
const TOLERANCE: f64 = 3e-4;
const TOLERANCE_LATE: f64 = 8e-4;
const LATE: usize = 8;

/// The inverse of the Jacobian to start from: how ln λ depends on the logarithms of the error
/// rates in [`first_guess`].
const FIRST_INVERSE: [[f64; 2]; 2] = [[-0.77, -0.23], [-0.23, -0.77]];

impl Design {
    /// The bounds with these error rates that minimise the mean length under `prior`. (Reference
    /// page on statistics, 2.5.)
    ///
    /// `None` when the search for the penalties does not converge, and for narrow priors away from
    /// the middle: lengths at the middle then count for next to nothing, and the bounds flare.
    #[must_use]
    pub fn new(prior: Prior, rates: ErrorRates) -> Option<Self> {
        if prior.deviation < 0.3 && prior.mean.abs() > 0.5 {
            return None;
        }
        let strictness = -rates.alpha().min(rates.beta()).ln();
        let lattice = Lattice {
            spacing: 0.03 * strictness.sqrt(),
            end: 12.0 * strictness,
            reach: 3.0 * strictness,
        };
        let mut search = Search {
            prior,
            rates,
            lattice,
            horizon: None,
        };
        let mut logs = first_guess(prior, rates);
        let mut trial = search.try_penalties(logs)?;
        // Broyden's method on (ln λ0, ln λ1).
        let mut inverse = FIRST_INVERSE;
        for evaluations in 1..EVALUATIONS_MAX {
            if trial.is_within(if evaluations < LATE {
                TOLERANCE
            } else {
                TOLERANCE_LATE
            }) {
                return Self::checked(trial.boundary, rates);
            }
            let mut step = times(inverse, trial.miss).map(|step| (-step).clamp(-1.0, 1.0));
            let next = (0..HALVINGS_MAX).find_map(|_| {
                let next = search.try_penalties(sum(logs, step));
                if next.is_none() {
                    // Penalties so low that no test at all was best.
                    step = step.map(|step| step / 2.0);
                }
                next
            })?;
            logs = sum(logs, step);
            let change = [next.miss[0] - trial.miss[0], next.miss[1] - trial.miss[1]];
            inverse = if next.size() < trial.size() {
                updated(inverse, step, change)
            } else {
                FIRST_INVERSE
            };
            trial = next;
        }
        None
    }

    /// The design, if its error rates are right to 1e-3 of themselves.
    fn checked(boundary: Boundary, rates: ErrorRates) -> Option<Self> {
        let passage = Passage::new(&boundary);
        let is_right = |found: f64, wanted: f64| (found / wanted - 1.0).abs() <= 1e-3;
        let is_calibrated = is_right(passage.accept_probability(-0.5), rates.alpha())
            && is_right(passage.reject_probability(0.5), rates.beta());
        is_calibrated.then_some(Self { boundary, passage })
    }
}

/// What stays the same while the penalties are sought.
struct Search {
    prior: Prior,
    rates: ErrorRates,
    lattice: Lattice,
    horizon: Option<f64>,
}

struct Trial {
    boundary: Boundary,
    /// ln(error rate / wanted error rate).
    miss: [f64; 2],
}

impl Search {
    fn try_penalties(&mut self, logs: [f64; 2]) -> Option<Trial> {
        let penalties = Penalties {
            false_accept: logs[0].exp(),
            false_reject: logs[1].exp(),
        };
        let boundary = bayes::boundary(self.prior, penalties, self.lattice, self.horizon)?;
        let passage = Passage::from_origin(&boundary, Resolution::COARSE);
        let found = [
            passage.accept_probability(-0.5),
            passage.reject_probability(0.5),
        ];
        let wanted = [self.rates.alpha(), self.rates.beta()];
        let miss = [0, 1].map(|i| (found[i] / wanted[i]).ln());
        let trial = Trial { boundary, miss };
        if self.horizon.is_none() && trial.is_within(0.05) {
            // The end moves by places of the lattice, and the error rates jump with it: not while
            // the last digits are sought.
            self.horizon = Some(trial.boundary.end());
        }
        trial
            .miss
            .iter()
            .all(|miss| miss.is_finite())
            .then_some(trial)
    }
}

impl Trial {
    fn size(&self) -> f64 {
        self.miss[0].hypot(self.miss[1])
    }

    fn is_within(&self, tolerance: f64) -> bool {
        self.miss.iter().all(|miss| miss.abs() <= tolerance)
    }
}

/// Penalties near the right ones, fitted to designs for error rates from 0.001 to 0.2.
fn first_guess(prior: Prior, rates: ErrorRates) -> [f64; 2] {
    let (strict0, strict1) = (-rates.alpha().ln(), -rates.beta().ln());
    let width = 0.95 - 0.82 * prior.deviation.min(1.0);
    let guess = |own: f64, other: f64, rate: f64, side: f64| {
        0.77 * own + 0.23 * other + (width + 0.27 * side * prior.mean) * (1.0 - 2.0 * rate)
    };
    [
        guess(strict0, strict1, rates.alpha(), 1.0),
        guess(strict1, strict0, rates.beta(), -1.0),
    ]
}

fn sum(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

fn times(matrix: [[f64; 2]; 2], vector: [f64; 2]) -> [f64; 2] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1])
}

/// Broyden's update of the inverse of the Jacobian (Sherman-Morrison).
fn updated(inverse: [[f64; 2]; 2], step: [f64; 2], change: [f64; 2]) -> [[f64; 2]; 2] {
    let moved = times(inverse, change);
    let along = [0, 1].map(|j| step[0] * inverse[0][j] + step[1] * inverse[1][j]);
    let scale = along[0] * change[0] + along[1] * change[1];
    let mut updated = inverse;
    for i in 0..2 {
        for j in 0..2 {
            updated[i][j] += (step[i] - moved[i]) * along[j] / scale;
        }
    }
    updated
}
