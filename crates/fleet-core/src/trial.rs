//! What hosts find when they make a test ready, and what follows from it.
//!
//! ```text
//! it is ready ----------> the host agrees, whatever it says later
//! another bench --------> it gets no more of this test
//! it does not build ----> it is asked again later, each time after twice as long
//! anything else --------> likewise
//! ```
//!
//! One host proves nothing: its compiler, its memory or its owner may be at fault. Two hosts that count
//! other nodes than the test says, and none that ever agreed, are proof enough that the test is wrong,
//! and it is stopped. When two cannot build and none could, it is only paused: compilers differ more than
//! arithmetic does, and a pause can be taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// After the first failure a host is not asked again for so long.
const FIRST: Duration = Duration::from_secs(10 * 60);

/// Never longer than this, but for a bench.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// For ever.
pub const FOREVER: Timestamp = Timestamp(i64::MAX as u64);

/// What a host found. Displayed in a few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finding {
    /// All programs were there, and their benches right.
    Ready,
    /// A bench was not.
    Bench {
        /// Of which engine.
        engine: String,
        /// What the test says.
        expected: u64,
        /// What was counted.
        found: u64,
    },
    /// A recipe cannot be carried out.
    Build {
        /// Of which engine.
        engine: String,
    },
    /// Something else went wrong before a pair was played.
    Other,
}

/// A host's dealings with a test so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// It was ready once.
    pub agreed: bool,
    /// Failures since then.
    pub failures: u32,
    /// The last thing that was found.
    pub last: Option<Finding>,
    /// It gets no lease before.
    pub until: Timestamp,
}

/// What is to become of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It goes on.
    GoOn,
    /// It is wrong, for this reason.
    Stop(String),
    /// Somebody must look at it, for this reason.
    Pause(String),
}

impl Trial {
    /// This after `finding`, at `at`.
    #[must_use]
    pub fn after(&self, at: Timestamp, finding: Finding) -> Self {
        let (failures, until) = match finding {
            Finding::Ready => (0, self.until.min(at)),
            Finding::Bench { .. } => (self.failures.saturating_add(1), FOREVER),
            Finding::Build { .. } | Finding::Other => {
                let failures = self.failures.saturating_add(1);
                (failures, (at + pause(failures)).max(self.until))
            }
        };
        Self {
            agreed: self.agreed || finding == Finding::Ready,
            failures,
            last: Some(finding),
            until,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready => f.write_str("all is ready"),
            Self::Bench {
                engine,
                expected,
                found,
            } => write!(
                f,
                "the bench of `{engine}` counts {found} nodes and {expected} are expected"
            ),
            Self::Build { engine } => write!(f, "`{engine}` cannot be built"),
            Self::Other => f.write_str("no pair could be played"),
        }
    }
}

/// How long a host is not asked after so many failures in a row.
fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    (FIRST * 2_u32.pow(doublings)).min(LONGEST)
}

/// What follows from the `trials` of a test by hosts of these names. `is_played` says that somebody has
/// played pairs of it, and so agreed.
pub fn judge(trials: &[(String, Trial)], is_played: bool) -> Judgement {
    if is_played || trials.iter().any(|(_, trial)| trial.agreed) {
        return Judgement::GoOn;
    }
    // By engine: what each host counted. Two workers on one host are one.
    let mut counts: BTreeMap<&str, (u64, BTreeMap<&str, u64>)> = BTreeMap::new();
    let mut unbuilt: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (host, trial) in trials {
        match &trial.last {
            Some(Finding::Bench {
                engine,
                expected,
                found,
            }) => {
                let of_engine = counts.entry(engine).or_insert((*expected, BTreeMap::new()));
                of_engine.1.insert(host, *found);
            }
            Some(Finding::Build { engine }) => {
                unbuilt.entry(engine).or_default().insert(host);
            }
            Some(Finding::Ready | Finding::Other) | None => {}
        }
    }
    if let Some((engine, (expected, found))) = counts.iter().find(|(_, (_, found))| found.len() > 1)
    {
        let found: Vec<String> = found
            .iter()
            .map(|(host, nodes)| format!("`{host}` counts {nodes}"))
            .collect();
        return Judgement::Stop(format!(
            "the bench of `{engine}` should count {expected} nodes, and {}; no host agrees",
            found.join(", ")
        ));
    }
    match unbuilt.iter().find(|(_, hosts)| hosts.len() > 1) {
        Some((engine, hosts)) => {
            let hosts: Vec<String> = hosts.iter().map(|host| format!("`{host}`")).collect();
            Judgement::Pause(format!(
                "`{engine}` cannot be built on {}, and on no host it could",
                hosts.join(", ")
            ))
        }
        None => Judgement::GoOn,
    }
}
