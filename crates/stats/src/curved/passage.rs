//! When and where Brownian motion leaves a pair of moving bounds.

use super::boundary::{Boundary, Node};
use crate::normal;

/// How finely time and the space between the bounds are divided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolution {
    steps: usize,
    cells: usize,
}

impl Resolution {
    /// Errors below 1e-5 in probabilities and below 5e-5 in mean times (measured on the reference
    /// designs against a grid ten times as fine).
    pub(crate) const FINE: Self = Self {
        steps: 1200,
        cells: 120,
    };

    /// A quarter of the work: error rates at θ = ±½ to 2e-5 of themselves.
    pub(crate) const COARSE: Self = Self {
        steps: 500,
        cells: 72,
    };
}

/// The law of the LLR's first passage through a [`Boundary`].
///
/// Solved once, without drift, by a Crank-Nicolson scheme for the density between the bounds; the
/// law under any drift follows by weighting paths with exp(θ x − θ² τ / 2) (Girsanov).
#[derive(Clone, Debug)]
pub struct Passage {
    start: Start,
    steps: Vec<Step>,
    /// Mass still between the bounds at the end, by place.
    alive: Vec<(f64, f64)>,
    end: f64,
    threshold: f64,
}

/// Where the motion starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Information already gathered.
    pub tau: f64,
    /// The LLR there.
    pub llr: f64,
}

/// Mass that leaves in one step of time, without drift.
#[derive(Clone, Copy, Debug)]
struct Step {
    begin: f64,
    end: f64,
    at: Node,
    rejected: f64,
    accepted: f64,
}

impl Step {
    fn middle(&self) -> f64 {
        0.5 * (self.begin + self.end)
    }

    /// What leaves when paths have the likelihood `weight(tau, llr)`.
    fn mass(&self, weight: impl Fn(f64, f64) -> f64) -> f64 {
        let tau = self.middle();
        self.rejected * weight(tau, self.at.lower) + self.accepted * weight(tau, self.at.upper)
    }
}

impl Passage {
    /// The passage from the beginning of the test to its end.
    #[must_use]
    pub fn new(boundary: &Boundary) -> Self {
        Self::from_origin(boundary, Resolution::FINE)
    }

    pub(crate) fn from_origin(boundary: &Boundary, resolution: Resolution) -> Self {
        Self::solve(
            boundary,
            Start { tau: 0.0, llr: 0.0 },
            boundary.end(),
            resolution,
        )
    }

    /// The passage from `start` as far as `until`, which is cut to the end of the test.
    ///
    /// # Panics
    ///
    /// Unless `start` lies between the bounds and before `until`.
    #[must_use]
    pub fn between(boundary: &Boundary, start: Start, until: f64) -> Self {
        Self::solve(boundary, start, until, Resolution::FINE)
    }

    fn solve(boundary: &Boundary, start: Start, until: f64, resolution: Resolution) -> Self {
        let end = until.min(boundary.end());
        assert!(start.tau < end, "`{}` is not before `{end}`", start.tau);
        let mut times = times(boundary, start, end, resolution);
        let (mut mass, first) = Mass::around(
            boundary,
            start,
            times.next().expect("a first time"),
            resolution.cells,
        );
        let mut steps = vec![first];
        let mut begin = first.end;
        for time in times {
            steps.push(mass.advance(boundary, begin, time));
            begin = time;
        }
        let Node { lower, upper, .. } = boundary.at(end);
        let alive = mass.places(lower, upper).collect();
        Self {
            start,
            steps,
            alive,
            end,
            threshold: boundary.threshold(),
        }
    }

    /// P(H0 accepted by `tau`) under drift `theta`.
    #[must_use]
    pub fn rejected_by(&self, theta: f64, tau: f64) -> f64 {
        self.left_by(tau, |step| (step.at.lower, step.rejected), theta)
    }

    /// P(H1 accepted by `tau`) under drift `theta`.
    #[must_use]
    pub fn accepted_by(&self, theta: f64, tau: f64) -> f64 {
        self.left_by(tau, |step| (step.at.upper, step.accepted), theta)
    }

    /// P(no decision before the end of this passage, and LLR there at most `llr`) under `theta`.
    #[must_use]
    pub fn alive_below(&self, theta: f64, llr: f64) -> f64 {
        let spacing = self.alive[1].0 - self.alive[0].0;
        let share = |x: f64| ((llr - x) / spacing + 0.5).clamp(0.0, 1.0);
        let masses = self.alive.iter();
        masses
            .map(|&(x, mass)| share(x) * mass * self.weight(theta, self.end, x))
            .sum()
    }

    /// P(H1 accepted), at the latest at the end.
    #[must_use]
    pub fn accept_probability(&self, theta: f64) -> f64 {
        let (accepted, rejected) = self.outcomes(theta);
        accepted / (accepted + rejected)
    }

    /// P(H0 accepted), at the latest at the end.
    #[must_use]
    pub fn reject_probability(&self, theta: f64) -> f64 {
        let (accepted, rejected) = self.outcomes(theta);
        rejected / (accepted + rejected)
    }

    /// The mass of either outcome. Far from θ = 0 it is the weighted mass of rare paths, and both
    /// together are not quite 1.
    fn outcomes(&self, theta: f64) -> (f64, f64) {
        let below = self.alive_below(theta, self.threshold);
        let above = self.alive_below(theta, f64::INFINITY) - below;
        (
            self.accepted_by(theta, self.end) + above,
            self.rejected_by(theta, self.end) + below,
        )
    }

    /// Mean information at the decision.
    #[must_use]
    pub fn mean_tau(&self, theta: f64) -> f64 {
        self.mean_tau_weighted(|tau, llr| self.weight(theta, tau, llr))
    }

    /// Mean information at the decision when paths have the likelihood `weight(tau, llr)` relative
    /// to motion without drift.
    pub(crate) fn mean_tau_weighted(&self, weight: impl Fn(f64, f64) -> f64) -> f64 {
        let of_steps = self
            .steps
            .iter()
            .map(|step| (step.middle(), step.mass(&weight)));
        let of_end = self
            .alive
            .iter()
            .map(|&(x, mass)| (self.end, mass * weight(self.end, x)));
        let (mass, moment) = of_steps.chain(of_end).fold((0.0, 0.0), |sum, (tau, mass)| {
            (sum.0 + mass, sum.1 + mass * tau)
        });
        moment / mass
    }

    /// The information by which a share `p` of tests under drift `theta` is decided.
    #[must_use]
    pub fn quantile_tau(&self, theta: f64, p: f64) -> f64 {
        let (accepted, rejected) = self.outcomes(theta);
        let mut rest = p * (accepted + rejected);
        for step in &self.steps {
            let mass = step.mass(|tau, llr| self.weight(theta, tau, llr));
            if mass >= rest {
                return step.begin + (step.end - step.begin) * rest / mass;
            }
            rest -= mass;
        }
        self.end
    }

    fn left_by(&self, tau: f64, exit: impl Fn(&Step) -> (f64, f64), theta: f64) -> f64 {
        let before = self.steps.iter().take_while(|step| step.begin < tau);
        before
            .map(|step| {
                let share = ((tau - step.begin) / (step.end - step.begin)).min(1.0);
                let (x, mass) = exit(step);
                share * mass * self.weight(theta, step.middle(), x)
            })
            .sum()
    }

    fn weight(&self, theta: f64, tau: f64, llr: f64) -> f64 {
        (theta * (llr - self.start.llr) - theta * theta * (tau - self.start.tau) / 2.0).exp()
    }
}

/// Times from soon after `start` to `end`, finer where the density is narrow.
fn times(
    boundary: &Boundary,
    start: Start,
    end: f64,
    Resolution { steps, cells }: Resolution,
) -> impl Iterator<Item = f64> {
    let Node { lower, upper, .. } = boundary.at(start.tau);
    assert!(
        lower < start.llr && start.llr < upper,
        "`{}` is decided",
        start.llr
    );
    let room = (start.llr - lower).min(upper - start.llr);
    let span = end - start.tau;
    // The first density is exact if its standard deviation is a seventh of the way to the nearer
    // bound, and smooth on the grid if that is three cells.
    let deviation = (room / 7.0).max(3.0 * (upper - lower) / cells as f64);
    let first = (deviation * deviation / span).sqrt().min(0.25);
    let first = (first * steps as f64).ceil() as usize;
    (first..=steps).map(move |step| start.tau + span * (step as f64 / steps as f64).powi(2))
}

/// Mass at equidistant places between the bounds.
struct Mass {
    /// At places 1 to n − 1 of n cells; both bounds absorb.
    mass: Vec<f64>,
    /// Room for the elimination.
    slopes: Vec<f64>,
}

impl Mass {
    /// The mass at `time`: Gaussian about `start`, less what the nearer bound absorbed (its mirror
    /// image), and the step until then.
    fn around(boundary: &Boundary, start: Start, time: f64, cells: usize) -> (Self, Step) {
        let at = boundary.at(time);
        let deviation = (time - start.tau).sqrt();
        let is_upper_near = at.upper - start.llr < start.llr - at.lower;
        let near = if is_upper_near { at.upper } else { at.lower };
        let spacing = (at.upper - at.lower) / cells as f64;
        let density = |x: f64| normal::density((x - start.llr) / deviation) / deviation;
        let mass: Vec<f64> = (1..cells)
            .map(|i| at.lower + spacing * i as f64)
            .map(|x| spacing * (density(x) - density(2.0 * near - x)))
            .collect();
        let absorbed = (1.0 - mass.iter().sum::<f64>()).max(0.0);
        let (accepted, rejected) = if is_upper_near {
            (absorbed, 0.0)
        } else {
            (0.0, absorbed)
        };
        let at = boundary.at(0.5 * (start.tau + time));
        let step = Step {
            begin: start.tau,
            end: time,
            at,
            rejected,
            accepted,
        };
        let slopes = vec![0.0; mass.len()];
        (Self { mass, slopes }, step)
    }

    /// One step of time, in which both bounds are straight.
    ///
    /// Let L be the lower bound, w the width, y = (x − L)/w, and q the density in y. Then
    /// φ = q exp(g − h), g = w (L' y + w' y²/2), h = ½ ln w − L'² t/2, satisfies the plain heat
    /// equation ∂φ/∂s = ½ ∂²φ/∂y² between fixed bounds, in the time s = ∫ dt / w² (checked by
    /// substitution; for one linear bound it is the transformation behind Bachelier-Lévy).
    /// That one is solved by Crandall's scheme: Crank-Nicolson with the mass of each place spread
    /// 1 : 10 : 1, which makes the error in y of fourth order.
    fn advance(&mut self, boundary: &Boundary, begin: f64, end: f64) -> Step {
        let (before, after) = (boundary.at(begin), boundary.at(end));
        let dt = end - begin;
        let [width_before, width_after] = [before, after].map(|node| node.upper - node.lower);
        let lower_speed = (after.lower - before.lower) / dt;
        let width_speed = (width_after - width_before) / dt;
        // g is a w y + b w y².
        let (a, b) = (lower_speed, 0.5 * width_speed);
        let growth = (width_after / width_before).sqrt() * (-0.5 * a * a * dt).exp();

        self.multiply_by_exp(a * width_before, b * width_before, 1.0);
        let end_masses = |mass: &[f64]| (mass[0], mass[mass.len() - 1]);
        let (first, last) = end_masses(&self.mass);
        let time = dt / (width_before * width_after);
        let ratio = 0.5 * time * self.cells() * self.cells();
        self.diffuse(ratio);
        let (first_after, last_after) = end_masses(&self.mass);
        // What flows out of the ends, ½ φ_y, in the mean of before and after; the change of the
        // outermost masses is the next term of its expansion.
        let outflow =
            |before: f64, after: f64| 0.5 * ratio * (before + after) - (after - before) / 6.0;
        let rejected = outflow(first, first_after);
        let accepted = outflow(last, last_after);
        self.multiply_by_exp(-a * width_after, -b * width_after, growth);

        let at = boundary.at(0.5 * (begin + end));
        let middle_growth = growth.sqrt();
        let middle_width = 0.5 * (width_before + width_after);
        Step {
            begin,
            end,
            at,
            rejected: rejected * middle_growth,
            accepted: accepted * middle_growth * (-(a + b) * middle_width).exp(),
        }
    }

    /// Multiplies the mass at y by `scale` · exp(`linear` y + `quadratic` y²), by recurrence.
    fn multiply_by_exp(&mut self, linear: f64, quadratic: f64, scale: f64) {
        let dy = 1.0 / self.cells();
        let mut ratio = (dy * linear + 3.0 * dy * dy * quadratic).exp();
        let ratio_of_ratios = (2.0 * dy * dy * quadratic).exp();
        let mut factor = scale * (dy * linear + dy * dy * quadratic).exp();
        for mass in &mut self.mass {
            *mass *= factor;
            factor *= ratio;
            ratio *= ratio_of_ratios;
        }
    }

    /// Crandall's step of the heat equation; `ratio` = ½ · time / spacing².
    fn diffuse(&mut self, ratio: f64) {
        let (old_side, new_side) = (1.0 / 12.0 + 0.5 * ratio, 1.0 / 12.0 - 0.5 * ratio);
        let (old_middle, new_middle) = (5.0 / 6.0 - ratio, 5.0 / 6.0 + ratio);
        let (mut left, mut carried, mut slope) = (0.0, 0.0, 0.0);
        for i in 0..self.mass.len() {
            let right = self.mass.get(i + 1).copied().unwrap_or(0.0);
            let here = self.mass[i];
            let scale = 1.0 / (new_middle - new_side * slope);
            carried = (old_side * (left + right) + old_middle * here - new_side * carried) * scale;
            slope = new_side * scale;
            left = here;
            self.mass[i] = carried;
            self.slopes[i] = slope;
        }
        let mut right = 0.0;
        for (mass, slope) in self.mass.iter_mut().zip(&self.slopes).rev() {
            *mass -= slope * right;
            right = *mass;
        }
    }

    fn cells(&self) -> f64 {
        (self.mass.len() + 1) as f64
    }

    fn places(&self, lower: f64, upper: f64) -> impl Iterator<Item = (f64, f64)> {
        let spacing = (upper - lower) / self.cells();
        (1..)
            .zip(&self.mass)
            .map(move |(i, &mass)| (lower + spacing * f64::from(i), mass))
    }
}
