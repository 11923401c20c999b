//! What a sequential test says about strength, besides its decision.
//!
//! A test that stops when the results look good stops on results that look too good: the usual
//! estimate is biased, and its 95 % interval holds the truth in 90 % of tests. Here outcomes are
//! ordered, from early rejection over late rejection, no decision (by the LLR), late acceptance to
//! early acceptance, and F = P(outcome not better than the one seen) as a function of the truth
//! gives everything: F = ½ at the median-unbiased estimate, F = 0.975 and 0.025 at the limits of
//! the 95 % interval, and F at equality is the likelihood of superiority. (Siegmund 1985, 3.4;
//! fishtest, `sprt.analytics`.)

use std::borrow::Cow;

use super::Sprt;
use super::alike::Alike;
use super::progress::{Exit, Progress, State};
use crate::brownian::Absorbed;
use crate::curved::{Boundary, Design, Passage, Prior, Start};
use crate::elo::{elo_of_excess, excess_of_elo};
use crate::estimate::Interval;
use crate::normal;
use crate::pentanomial::Pentanomial;
use crate::results::Results;
use crate::root;

/// Strength after a sequential test, or in its course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtEstimate {
    /// Median-unbiased logistic Elo; ±[`SPRT_ELO_MAX`] stands for that much and more.
    pub value: f64,
    /// The limits of which either is on the wrong side in 2.5 % of tests; ±[`SPRT_ELO_MAX`] is no
    /// limit.
    pub ci95: Interval,
    /// Likelihood of superiority: P(a worse outcome) if both were equal.
    pub los: f64,
}

/// The largest Elo that is estimated after a sequential test, as in fishtest.
pub const SPRT_ELO_MAX: f64 = 1_000.0;

impl Sprt {
    /// The strength that the test shows at this point of its course.
    ///
    /// With curved bounds the results of games that were still running when the decision fell count
    /// for the variance only; with constant ones the whole record is taken back along the straight
    /// line to where it met the bound, as fishtest does.
    ///
    /// Results that are all the same show no variance, and the estimate rests on how many there are
    /// alone: a perfect score has a lower limit and no upper one. (With constant bounds even
    /// results have the variance of their regularised cells, as in fishtest.) Before the first
    /// result everything is possible: 0 within ±[`SPRT_ELO_MAX`], and ½.
    #[must_use]
    pub fn estimate(&self, progress: &Progress) -> SprtEstimate {
        let results = played(progress);
        let seen = results.regularised();
        match Outcome::new(self, progress, results) {
            Outcome::Alike(alike) => alike.estimate(),
            outcome => {
                let around = Around {
                    excess: seen.excess,
                    step: seen.standard_error(),
                };
                around.estimate(|excess| outcome.cdf(excess))
            }
        }
    }

    /// P(outcome not better than the one seen) if the true logistic Elo is `elo`: the estimate is
    /// where it is ½, the limits of its 95 % interval are where it is 0.975 and 0.025.
    #[must_use]
    pub fn outcome_cdf(&self, progress: &Progress, elo: f64) -> f64 {
        Outcome::new(self, progress, played(progress))
            .cdf(excess_of_elo(elo))
            .clamp(0.0, 1.0)
    }

    /// The mean number of results still to come until the decision, given those so far: a mean over
    /// the truth, whose prior is that of the curved bounds (N(0, 1) for constant bounds and for the
    /// preset `deadline`). `None` once the decision fell.
    #[must_use]
    pub fn expected_remaining(&self, progress: &Progress) -> Option<f64> {
        if progress.state != State::Running {
            return None;
        }
        let start = Start {
            tau: progress.tau,
            llr: progress.llr,
        };
        let boundary = match self.design() {
            Some(design) => design.boundary.clone(),
            None => self.constant_boundary(start.tau),
        };
        let information = self.hypotheses().information_per_result(played(progress));
        let prior = self.rule().preset().map(super::Preset::prior);
        let prior = prior.filter(|prior| prior.deviation > 0.0);
        let posterior = prior
            .unwrap_or(Prior {
                mean: 0.0,
                deviation: 1.0,
            })
            .given(start.tau, start.llr);
        let passage = Passage::between(&boundary, start, boundary.end());
        let mean = passage
            .mean_tau_weighted(|tau, llr| posterior.likelihood(tau - start.tau, llr - start.llr));
        Some((mean - start.tau) / information)
    }

    /// Constant bounds up to a time that one test in a hundred million survives.
    fn constant_boundary(&self, from: f64) -> Boundary {
        let (lower, upper) = self.rates().wald_bounds();
        let end = from + 4.0 * (upper - lower).powi(2);
        let node = |tau| crate::Node { tau, lower, upper };
        Boundary::new(vec![node(0.0), node(end)], 0.5 * (lower + upper))
            .expect("two nodes, in order, with the threshold between the bounds")
    }
}

/// Where to look for the truth: the usual estimate of the mean score − ½ and its standard error.
///
/// F is only known well where it is neither 0 nor 1, and far away its approximations need not even
/// fall: so its values are sought from the middle outwards.
#[derive(Clone, Copy, Debug)]
struct Around {
    excess: f64,
    step: f64,
}

impl Around {
    /// The estimate for an outcome that has probability `cdf(excess)` of not being bettered.
    fn estimate(self, cdf: impl Fn(f64) -> f64) -> SprtEstimate {
        SprtEstimate {
            value: self.elo_at(0.5, &cdf),
            ci95: Interval::new(self.elo_at(0.975, &cdf), self.elo_at(0.025, &cdf)),
            los: cdf(0.0).clamp(0.0, 1.0),
        }
    }

    fn elo_at(self, p: f64, cdf: impl Fn(f64) -> f64) -> f64 {
        let limit = excess_of_elo(SPRT_ELO_MAX);
        let is_beyond = |excess: f64| cdf(excess) < p;
        let start = self.excess.clamp(-limit, limit);
        let direction = if is_beyond(start) { -1.0 } else { 1.0 };
        let (mut near, mut step) = (start, self.step);
        while is_beyond(near) == is_beyond(start) {
            if near.abs() >= limit && near * direction > 0.0 {
                return direction * SPRT_ELO_MAX;
            }
            near = (near + direction * step).clamp(-limit, limit);
            step *= 1.5;
        }
        let before = near - direction * step / 1.5;
        let (low, high) = if direction < 0.0 {
            (near, before)
        } else {
            (before, near)
        };
        elo_of_excess(root::of_rising(|excess| p - cdf(excess), low, high))
    }
}

fn played(progress: &Progress) -> Results {
    (progress.results).unwrap_or_else(|| Pentanomial::default().into())
}

/// How a test came out.
enum Outcome<'a> {
    Alike(Alike),
    Curved(CurvedOutcome<'a>),
    Wald(WaldOutcome),
}

impl<'a> Outcome<'a> {
    fn new(sprt: &'a Sprt, progress: &Progress, results: Results) -> Self {
        match (Alike::of(results), sprt.design()) {
            (Some(alike), None) if alike.is_even() => Self::Wald(WaldOutcome::new(sprt, results)),
            (Some(alike), _) => Self::Alike(alike),
            (None, Some(design)) => {
                Self::Curved(CurvedOutcome::new(sprt, design, progress, results))
            }
            (None, None) => Self::Wald(WaldOutcome::new(sprt, results)),
        }
    }

    /// P(outcome not better) if the true mean score is ½ + `excess`.
    fn cdf(&self, excess: f64) -> f64 {
        match self {
            Self::Alike(alike) => alike.cdf(excess),
            Self::Curved(outcome) => outcome.cdf(excess),
            Self::Wald(outcome) => outcome.cdf(excess),
        }
    }
}

/// An outcome of a test with curved bounds.
struct CurvedOutcome<'a> {
    design: &'a Design,
    at: Exit,
    kind: Kind<'a>,
    /// Mean excesses under H0 and H1.
    excesses: [f64; 2],
}

enum Kind<'a> {
    Rejected,
    Accepted,
    /// Not decided by a bound until now, with the law of the first passage until now.
    Alive(Cow<'a, Passage>),
    /// As `Alive`, so early that no bound matters.
    Young,
}

/// Standard deviations from the start to a bound beyond which the grid of [`Passage`] is not asked:
/// it knows small probabilities to so many digits of 1, not of themselves.
const RARE: f64 = 4.0;

impl<'a> CurvedOutcome<'a> {
    fn new(sprt: &Sprt, design: &'a Design, progress: &Progress, results: Results) -> Self {
        let boundary = &design.boundary;
        let end = boundary.end();
        let excesses = sprt.hypotheses().excesses(results);
        let mut at = progress.exit.unwrap_or(Exit {
            tau: progress.tau,
            llr: progress.llr,
        });
        let is_by_bound = progress.state != State::Running && at.tau < end;
        at.tau = (at.tau * Self::clock(sprt, excesses, progress, results)).min(end);
        let node = boundary.at(at.tau);
        let kind = if is_by_bound {
            match progress.state {
                State::AcceptH0 => Kind::Rejected,
                State::Running | State::AcceptH1 => Kind::Accepted,
            }
        } else if node.upper.min(-node.lower) > RARE * at.tau.sqrt() {
            Kind::Young
        } else if at.tau < end {
            let start = Start { tau: 0.0, llr: 0.0 };
            Kind::Alive(Cow::Owned(Passage::between(boundary, start, at.tau)))
        } else {
            Kind::Alive(Cow::Borrowed(&design.passage))
        };
        Self {
            design,
            at,
            kind,
            excesses,
        }
    }

    /// The time of the Brownian motion that has the drift of the exact LLR, a unit of the test's
    /// own time: 1 but for large effects and for next to no results.
    ///
    /// Far from the hypotheses the exact LLR falls behind the quadratic one, which is what drifts
    /// in proportion to strength; and unless the model is normalized the test's clock goes by a
    /// more careful variance than that of the sample.
    fn clock(
        sprt: &Sprt,
        [excess0, excess1]: [f64; 2],
        progress: &Progress,
        results: Results,
    ) -> f64 {
        let seen = results.regularised();
        let (beyond, width) = (seen.excess - 0.5 * (excess0 + excess1), excess1 - excess0);
        let information = width * width / seen.variance;
        let quadratic = seen.count * beyond * width / seen.variance;
        let (share, effect) = (progress.llr / quadratic, beyond * beyond / seen.variance);
        let has_digits = quadratic.abs() > 0.5 || effect > 0.01;
        let share = if has_digits && (0.0..=1.0).contains(&share) {
            share
        } else {
            // To second order in the width; near no drift the ratio itself has no digits.
            1.0 / (1.0 + effect)
        };
        share * information / sprt.hypotheses().information_per_result(results)
    }

    fn cdf(&self, excess: f64) -> f64 {
        let [excess0, excess1] = self.excesses;
        let theta = (excess - 0.5 * (excess0 + excess1)) / (excess1 - excess0);
        let Exit { tau, llr } = self.at;
        let Design { boundary, passage } = self.design;
        match &self.kind {
            Kind::Rejected if -boundary.at(tau).lower > RARE * tau.sqrt() => {
                tangent_crossing(-theta, tau, |tau| -boundary.at(tau).lower)
            }
            Kind::Rejected => passage.rejected_by(theta, tau),
            Kind::Accepted if boundary.at(tau).upper > RARE * tau.sqrt() => {
                1.0 - tangent_crossing(theta, tau, |tau| boundary.at(tau).upper)
            }
            Kind::Accepted => 1.0 - passage.accepted_by(theta, tau),
            Kind::Alive(until) => until.rejected_by(theta, tau) + until.alive_below(theta, llr),
            Kind::Young => normal::cdf((llr - theta * tau) / tau.sqrt()),
        }
    }
}

/// P(Brownian motion with drift `theta` meets `bound` by `tau`) where it would hardly do so without
/// drift: such paths are straight, and only the tangent of the bound at `tau` matters (Strassen
/// 1967). For a straight bound the formula is exact (Bachelier and Lévy).
fn tangent_crossing(theta: f64, tau: f64, bound: impl Fn(f64) -> f64) -> f64 {
    let slope = (bound(1.01 * tau) - bound(0.99 * tau)) / (0.02 * tau);
    let level = bound(tau) - slope * tau;
    let drift = theta - slope;
    let root = tau.sqrt();
    let against = 2.0 * drift * level + normal::ln_cdf((-level - drift * tau) / root);
    normal::cdf((drift * tau - level) / root) + against.exp()
}

/// An outcome of a test with constant bounds, as fishtest sees it (`sprt.py`): the LLR is the
/// quadratic one, with the variance of the sample, and a record that went over a bound is taken
/// back along the straight line to it.
struct WaldOutcome {
    /// Mean excesses under H0 and H1.
    excesses: [f64; 2],
    /// Of a result, as the sample shows it.
    variance: f64,
    lower: f64,
    upper: f64,
    time: f64,
    llr: f64,
}

impl WaldOutcome {
    fn new(sprt: &Sprt, results: Results) -> Self {
        let excesses = sprt.hypotheses().excesses(results);
        let (lower, upper) = sprt.rates().wald_bounds();
        let seen = results.regularised();
        let (variance, time) = (seen.variance, seen.count);
        let mut outcome = Self {
            excesses,
            variance,
            lower,
            upper,
            time,
            llr: 0.0,
        };
        let llr = time * outcome.drift(seen.excess);
        outcome.llr = llr.clamp(lower, upper);
        if outcome.llr != llr {
            outcome.time *= outcome.llr / llr;
        }
        outcome
    }

    /// P(outcome not better) if the true mean score is ½ + `excess`.
    fn cdf(&self, excess: f64) -> f64 {
        let [excess0, excess1] = self.excesses;
        let motion = Absorbed {
            lower: self.lower,
            upper: self.upper,
            drift: self.drift(excess),
            variance: (excess1 - excess0).powi(2) / self.variance,
        };
        motion.outcome_cdf(self.time, self.llr)
    }

    /// Mean change of the quadratic LLR in a result.
    fn drift(&self, excess: f64) -> f64 {
        let [excess0, excess1] = self.excesses;
        (excess - 0.5 * (excess0 + excess1)) * (excess1 - excess0) / self.variance
    }
}
