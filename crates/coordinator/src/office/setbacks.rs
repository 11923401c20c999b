//! Tests with which a task failed a short while ago: others have their turn meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use fleet_api::Problem;
use fleet_core::timestamp::Timestamp;

/// How long such a test is left alone. What is wrong with it is a person's to mend.
const REST: Duration = Duration::from_secs(5 * 60);

/// Tests, each with the time until when it is left alone.
#[derive(Debug, Default)]
pub(super) struct Setbacks(BTreeMap<String, Timestamp>);

impl Setbacks {
    /// Those that are left alone at `at`.
    pub(super) fn at(&mut self, at: Timestamp) -> BTreeSet<String> {
        self.0.retain(|_, until| *until > at);
        self.0.keys().cloned().collect()
    }

    /// Takes note of what came of `task` with `test`.
    pub(super) fn note<T>(
        &mut self,
        at: Timestamp,
        task: &str,
        test: &str,
        done: Result<T, Problem>,
    ) {
        if let Err(problem) = done {
            tracing::error!(test, %problem, "{task} failed, and is tried again in some minutes");
            self.0.insert(test.to_owned(), at + REST);
        }
    }
}
