//! The pairs of one worker against those of the others.

use super::FLAGGED_PAIRS_MIN;
use crate::pentanomial::Pentanomial;
use crate::results::Cells;
use crate::tail;

/// Expected counts below this are too few for the χ² approximation (Cochran 1954).
const EXPECTED_MIN: f64 = 5.0;

/// Two tests: for a shifted mean, and for a different decisiveness (reference page on statistics,
/// 6.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTests {
    /// The worker's pairs.
    pub count: u64,
    /// Mean score of the worker's pairs minus that of the others, in standard errors of the
    /// difference: (μ_w − μ_r) / (s √(1/n_w + 1/n_r)) with s² pooled within the two.
    pub z: f64,
    /// Two-sided p-value of `z`, by the normal distribution.
    pub p_mean: f64,
    /// p-value of the G test, 2 Σ O ln(O/E), on pairs swept, won, and even, whoever won them. A
    /// class with an expected count below 5 is merged with the next.
    pub p_shape: f64,
    /// Both together: twice the smaller one (Bonferroni), at most 1.
    pub p: f64,
}

impl PairTests {
    /// Compares `worker` with `rest`; nothing if one has no pairs or both together fewer than three.
    #[must_use]
    pub fn of(worker: Pentanomial, rest: Pentanomial) -> Option<Self> {
        let count = worker.pairs();
        if count == 0 || rest.pairs() == 0 || count + rest.pairs() < 3 {
            return None;
        }
        let z = mean_difference(worker, rest);
        let p_mean = tail::normal_two_sided(z);
        let p_shape = shape(worker, rest);
        Some(Self {
            count,
            z,
            p_mean,
            p_shape,
            p: (2.0 * p_mean.min(p_shape)).min(1.0),
        })
    }

    /// Whether the worker has pairs enough to be flagged, [`FLAGGED_PAIRS_MIN`].
    #[must_use]
    pub fn is_weighty(&self) -> bool {
        FLAGGED_PAIRS_MIN <= self.count
    }
}

fn mean_difference(worker: Pentanomial, rest: Pentanomial) -> f64 {
    let [worker, rest] = [worker, rest].map(|pairs| Cells::plain(pairs.into()));
    let total = worker.total() + rest.total();
    let squares = sum_of_squares(worker) + sum_of_squares(rest);
    // Pairs that are all the same on either side show no variance. One pair that differs by half a
    // point is then assumed, or a difference would be infinitely many standard errors.
    let squares = squares.max(0.25 * 0.25);
    let variance = squares / (total - 2.0);
    let error = (variance * (1.0 / worker.total() + 1.0 / rest.total())).sqrt();
    (worker.excess() - rest.excess()) / error + 0.0
}

/// Σ n (score − mean score)² within a group.
pub(super) fn sum_of_squares(group: Cells) -> f64 {
    group.total() * group.variance()
}

fn shape(worker: Pentanomial, rest: Pentanomial) -> f64 {
    let classes = |Pentanomial([ll, ld, even, wd, ww]): Pentanomial| {
        [ll + ww, ld + wd, even].map(|count| count as f64)
    };
    let mut table: Vec<[f64; 2]> = std::iter::zip(classes(worker), classes(rest))
        .map(<[f64; 2]>::from)
        .collect();
    let rows = [worker, rest].map(|pairs| pairs.pairs() as f64);
    let expected = |class: &[f64; 2]| {
        let share = (class[0] + class[1]) / (rows[0] + rows[1]);
        rows.map(|row| row * share)
    };
    while let [first, next, ..] = table[..]
        && expected(&first).iter().any(|&count| count < EXPECTED_MIN)
    {
        table.splice(..2, [[first[0] + next[0], first[1] + next[1]]]);
    }
    let g: f64 = table
        .iter()
        .flat_map(|class| std::iter::zip(*class, expected(class)))
        .filter(|&(observed, _)| 0.0 < observed)
        .map(|(observed, expected)| 2.0 * observed * (observed / expected).ln())
        .sum();
    // Rounding may leave a tiny negative sum where both sides agree.
    tail::chi_squared(g.max(0.0), table.len() as u64 - 1)
}
