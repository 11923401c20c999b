//! Tests that are in use, by what they are called. Those that nobody has asked for lately are forgotten,
//! and followed from their beginning when somebody does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::contest::Contest;

/// Tests that are remembered at most.
const MOST: usize = 4096;

/// Tests in use.
#[derive(Debug, Default)]
pub(super) struct Contests(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    /// Each with the number of the request that wanted it last.
    contests: HashMap<String, (Arc<Contest>, u64)>,
    requests: u64,
}

impl Contests {
    pub(super) fn get(&self, id: &str) -> Option<Arc<Contest>> {
        let mut shelf = self.0.lock().expect("nobody panics with it");
        shelf.requests += 1;
        let now = shelf.requests;
        let (contest, wanted) = shelf.contests.get_mut(id)?;
        *wanted = now;
        Some(Arc::clone(contest))
    }

    /// Keeps it, unless somebody was faster: all must follow the same one, which is given.
    pub(super) fn keep(&self, contest: Contest) -> Arc<Contest> {
        let mut shelf = self.0.lock().expect("nobody panics with it");
        if shelf.contests.len() >= MOST {
            shelf.forget_half();
        }
        let now = shelf.requests;
        let id = contest.id.clone();
        let kept = shelf.contests.entry(id);
        Arc::clone(&kept.or_insert_with(|| (Arc::new(contest), now)).0)
    }
}

impl Shelf {
    /// What is in somebody's hands stays: another one beside it would be followed apart from it.
    fn forget_half(&mut self) {
        let mut wanted: Vec<u64> = self.contests.values().map(|&(_, at)| at).collect();
        wanted.sort_unstable();
        let since = wanted[wanted.len() / 2];
        self.contests
            .retain(|_, (contest, at)| *at >= since || Arc::strong_count(contest) > 1);
    }
}
