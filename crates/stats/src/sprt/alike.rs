//! What a test says about strength when all its results are the same.

use super::estimate::{SPRT_ELO_MAX, SprtEstimate};
use crate::elo::{elo_of_excess, excess_of_elo};
use crate::estimate::Interval;
use crate::results::Results;

/// Results that are all the same, or none.
///
/// Such a record shows no variance, so nothing that rests on one (the normal law of the mean, the
/// Brownian motion of the LLR) says anything: by the regularised cells a single pair won would be a
/// proof. It shows only how frequent its one result is at least. With the others as far on the
/// other side as they can be, that bounds the score, for any law of results: the exact binomial
/// limits (Clopper and Pearson 1934) with half of the probability of a tie (the mid-P of Lancaster
/// 1961). A perfect score has no upper limit, and no results have none at all.
///
/// ```
/// # use stats::{ErrorRates, Hypotheses, Model, Pentanomial, Rule, Sprt};
/// let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 10.0)?;
/// let sprt = Sprt::new(hypotheses, ErrorRates::default(), Rule::default());
/// let won = sprt.estimate(&sprt.snapshot(Pentanomial([0, 0, 0, 0, 17]))?);
/// assert_eq!(won.value, stats::SPRT_ELO_MAX);
/// assert_eq!(won.ci95.low.round(), 286.0); // 0.05^(1/17) of the points
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Alike {
    /// The score of each of them, 0 to 1; ½ of none.
    score: f64,
    count: f64,
    /// The usual estimate, with the regularised cells.
    excess: f64,
}

impl Alike {
    pub(super) fn of(results: Results) -> Option<Self> {
        (!results.is_varied()).then(|| Self {
            score: results.score().unwrap_or(0.5),
            count: results.count() as f64,
            excess: results.regularised().excess,
        })
    }

    pub(super) fn is_even(self) -> bool {
        0.0 < self.count && self.score == 0.5
    }

    pub(super) fn estimate(self) -> SprtEstimate {
        // The share of such results at which one record in twenty has no others.
        let share = if self.count == 0.0 {
            0.0
        } else {
            0.05_f64.powf(self.count.recip())
        };
        let (low, high) = (self.score * share, 1.0 - (1.0 - self.score) * share);
        SprtEstimate {
            value: bounded_elo(self.excess),
            ci95: Interval::new(bounded_elo(low - 0.5), bounded_elo(high - 0.5)),
            los: self.cdf(0.0),
        }
    }

    /// P(record not better) if the true mean score is ½ + `excess`, by the law of results with this
    /// mean that makes the record likeliest.
    pub(super) fn cdf(self, excess: f64) -> f64 {
        let truth = 0.5 + excess;
        if truth <= self.score {
            1.0 - 0.5 * (truth / self.score).powf(self.count)
        } else {
            0.5 * ((1.0 - truth) / (1.0 - self.score)).powf(self.count)
        }
    }
}

fn bounded_elo(excess: f64) -> f64 {
    let limit = excess_of_elo(SPRT_ELO_MAX);
    if excess.abs() < limit {
        elo_of_excess(excess)
    } else {
        SPRT_ELO_MAX.copysign(excess)
    }
}
