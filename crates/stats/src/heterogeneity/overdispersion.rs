//! How much means vary between groups of pairs, beyond chance.

use std::collections::BTreeMap;

use super::WorkerTally;
use super::pair_tests::sum_of_squares;
use crate::pentanomial::Pentanomial;
use crate::results::Cells;
use crate::tail;

/// Cochran's test that groups of pairs have one mean (Cochran 1954), and what it means for a
/// sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overdispersion {
    /// Q = Σ nᵢ (μᵢ − μ)² / σ², σ² the variance of pairs within workers.
    pub q: f64,
    /// The expectation of Q by chance: groups minus one.
    pub dof: u64,
    /// P(so large a Q or larger), by the χ² distribution.
    pub p: f64,
    /// The factor by which the variance of the log-likelihood ratio is inflated, max(1, Q / dof)
    /// (reference page on statistics, 6.1).
    pub phi: f64,
}

impl Overdispersion {
    /// What is left of the error rate `rate` (0 to ½) of a sequential test with constant bounds
    /// when its log-likelihood ratio is overdispersed: 1 / (1 + ((1 − rate) / rate)^(1/φ)).
    #[must_use]
    pub fn error_rate(self, rate: f64) -> f64 {
        1.0 / (1.0 + ((1.0 - rate) / rate).powf(1.0 / self.phi))
    }

    fn new(sum_of_squares: f64, dof: u64, variance: f64) -> Option<Self> {
        if dof == 0 || variance <= 0.0 {
            return None;
        }
        let q = sum_of_squares / variance;
        Some(Self {
            q,
            dof,
            p: tail::chi_squared(q, dof),
            phi: (q / dof as f64).max(1.0),
        })
    }
}

/// All workers against the common mean, and the two parts of that: workers against the means of
/// their platforms, and those against the common mean. Nothing where there is one group only, or
/// where pairs do not vary.
pub(super) fn parts(workers: &[WorkerTally]) -> [Option<Overdispersion>; 3] {
    let workers: Vec<&WorkerTally> = (workers.iter())
        .filter(|worker| 0 < worker.pairs.pairs())
        .collect();
    let mut platforms: BTreeMap<u32, Pentanomial> = BTreeMap::new();
    for worker in &workers {
        *platforms.entry(worker.platform).or_default() += worker.pairs;
    }
    let total = platforms
        .values()
        .fold(Pentanomial::default(), |sum, &pairs| sum + pairs);
    let cells = |pairs: Pentanomial| Cells::plain(pairs.into());
    let mut within_workers = 0.0;
    let [mut overall, mut within, mut between] = [0.0; 3];
    let squares =
        |group: Cells, mean: Cells| group.total() * (group.excess() - mean.excess()).powi(2);
    for worker in &workers {
        let group = cells(worker.pairs);
        within_workers += sum_of_squares(group);
        overall += squares(group, cells(total));
        within += squares(group, cells(platforms[&worker.platform]));
    }
    for &platform in platforms.values() {
        between += squares(cells(platform), cells(total));
    }
    let freedom = total.pairs().saturating_sub(workers.len() as u64);
    let variance = within_workers / freedom.max(1) as f64;
    let [workers, platforms] = [workers.len() as u64, platforms.len() as u64];
    [
        Overdispersion::new(overall, workers.saturating_sub(1), variance),
        Overdispersion::new(within, workers - platforms, variance),
        Overdispersion::new(between, platforms.saturating_sub(1), variance),
    ]
}
