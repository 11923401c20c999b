//! Whether the workers of a distributed test saw the same test.
//!
//! A worker on a slow or shared machine loses games on time, draws more or less than others, or
//! favours one engine because a patch depends on the hardware. Two statistics of a worker against
//! the rest of its platform find such results: the mean score of its pairs and their decisiveness.
//! They catch a worker that loses 4 % of its games on time, at 1000 pairs, in four of five tests,
//! where the χ² of fishtest ([`residuals`]) catches it in one of a hundred. One or two lost per
//! cent are visible in no result at all, so time losses and crashes are counted and compared too.
//!
//! The tests are looked at again and again, so act only on `q` = 0.01, and only at the end of a
//! test or at doubling numbers of pairs. **Never drop a worker's pairs because of their mean alone
//! while a sequential test runs**: that selects on the outcome and breaks the error rates.

mod discovery;
mod faults;
mod overdispersion;
mod pair_tests;
mod residual;

pub use discovery::benjamini_hochberg;
pub use faults::{Faulty, fault_excess};
pub use overdispersion::Overdispersion;
pub use pair_tests::PairTests;
pub use residual::{Residuals, residuals};

use std::collections::BTreeMap;

use crate::pentanomial::Pentanomial;

/// With fewer pairs a worker is not flagged by its results (reference page on statistics, 6.3).
pub const FLAGGED_PAIRS_MIN: u64 = 32;

/// With fewer games a worker is not flagged for its faults: one loss in one game is no rate.
pub const FLAGGED_GAMES_MIN: u64 = 2 * FLAGGED_PAIRS_MIN;

/// What one worker reported of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerTally {
    /// Which platform it runs on: any number that equal machines share. Workers are compared with
    /// others of their platform, so that a patch that suits one kind of CPU flags nobody.
    pub platform: u32,
    /// Its pairs.
    pub pairs: Pentanomial,
    /// All its games, complete pairs or not: the chances of a fault.
    pub games: u64,
    /// Games in which a flag fell, whichever engine's.
    pub time_losses: u64,
    /// Games in which an engine crashed.
    pub crashes: u64,
}

/// What the tests say of one worker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkerFinding {
    /// Its games.
    pub games: u64,
    /// Its pairs against those of its platform; nothing where one side has none.
    pub pairs: Option<PairTests>,
    /// P(as many time losses or more), if all workers of the platform had the same rate; nothing
    /// where there are no other games.
    pub time_losses: Option<f64>,
    /// The same for crashes.
    pub crashes: Option<f64>,
    /// What is out of the ordinary.
    pub flags: Flags,
}

/// For which of its tests a worker stands out, false discoveries kept to the share `q`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Mean or decisiveness of its pairs.
    pub pairs: bool,
    /// Decisiveness alone: how often somebody won, whoever it was. Nobody who drops a worker for it
    /// selects on the outcome.
    pub shape: bool,
    /// Too many time losses.
    pub time_losses: bool,
    /// Too many crashes.
    pub crashes: bool,
}

impl Flags {
    /// Whether there is any.
    #[must_use]
    pub fn any(self) -> bool {
        self.pairs || self.shape || self.time_losses || self.crashes
    }

    /// Whether there is any by which one may act while a test runs: all but the mean.
    #[must_use]
    pub fn may_act(self) -> bool {
        self.shape || self.time_losses || self.crashes
    }
}

/// How much the workers of a test differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Heterogeneity {
    /// A finding for every worker, in the order in which they were given.
    pub workers: Vec<WorkerFinding>,
    /// All workers against the common mean. Its `phi` is the factor by which the variance of the
    /// log-likelihood ratio is inflated. Nothing with fewer than two workers.
    pub overall: Option<Overdispersion>,
    /// The part within platforms: workers that differ although their machines do not.
    pub within_platforms: Option<Overdispersion>,
    /// The part between platforms: a patch whose worth depends on the hardware.
    pub between_platforms: Option<Overdispersion>,
}

impl Heterogeneity {
    /// Compares each worker with the rest of its platform. `q` is the expected share of false ones
    /// among those flagged by each kind of test: 0.05 to show, 0.01 to act.
    #[must_use]
    pub fn of(workers: &[WorkerTally], q: f64) -> Self {
        let mut platforms: BTreeMap<u32, WorkerTally> = BTreeMap::new();
        for worker in workers {
            platforms.entry(worker.platform).or_default().add(worker);
        }
        let mut findings: Vec<WorkerFinding> = workers
            .iter()
            .map(|worker| against(worker, platforms[&worker.platform].without(worker)))
            .collect();
        let flags = |p: &dyn Fn(&WorkerFinding) -> Option<f64>| {
            let p_values: Vec<Option<f64>> = findings.iter().map(p).collect();
            benjamini_hochberg(&p_values, q)
        };
        let weighty = |finding: &WorkerFinding| finding.pairs.filter(PairTests::is_weighty);
        let pairs = flags(&|finding| weighty(finding).map(|it| it.p));
        let shape = flags(&|finding| weighty(finding).map(|it| it.p_shape));
        let played = |finding: &WorkerFinding| FLAGGED_GAMES_MIN <= finding.games;
        let time_losses = flags(&|finding| finding.time_losses.filter(|_| played(finding)));
        let crashes = flags(&|finding| finding.crashes.filter(|_| played(finding)));
        for (index, finding) in findings.iter_mut().enumerate() {
            finding.flags = Flags {
                pairs: pairs[index],
                shape: shape[index],
                time_losses: time_losses[index],
                crashes: crashes[index],
            };
        }
        let [overall, within_platforms, between_platforms] = overdispersion::parts(workers);
        Self {
            workers: findings,
            overall,
            within_platforms,
            between_platforms,
        }
    }
}

impl WorkerTally {
    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.games += other.games;
        self.time_losses += other.time_losses;
        self.crashes += other.crashes;
    }

    /// What is left of it without a part of it.
    fn without(&self, part: &Self) -> Self {
        let [pairs, parts] = [self.pairs.0, part.pairs.0];
        Self {
            platform: self.platform,
            pairs: Pentanomial(std::array::from_fn(|i| pairs[i] - parts[i])),
            games: self.games - part.games,
            time_losses: self.time_losses - part.time_losses,
            crashes: self.crashes - part.crashes,
        }
    }
}

fn against(worker: &WorkerTally, rest: WorkerTally) -> WorkerFinding {
    let excess = |faults: fn(&WorkerTally) -> u64| {
        let is_comparable = 0 < worker.games && 0 < rest.games;
        is_comparable.then(|| {
            let [mine, others] = [worker, &rest].map(|tally| Faulty {
                faults: faults(tally),
                games: tally.games,
            });
            fault_excess(mine, others)
        })
    };
    WorkerFinding {
        games: worker.games,
        pairs: PairTests::of(worker.pairs, rest.pairs),
        time_losses: excess(|tally| tally.time_losses),
        crashes: excess(|tally| tally.crashes),
        flags: Flags::default(),
    }
}
