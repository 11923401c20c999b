//! What of a lease never changes: what a report is held against before anything is stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use fleet_core::allotment::PairRange;
use fleet_core::timestamp::Timestamp;

use crate::store::leases::LeaseRow;

/// Leases that are remembered; then all are forgotten, and asked for again.
const MOST: usize = 65_536;

/// What of a lease never changes.
#[derive(Debug)]
pub(super) struct LeaseFacts {
    pub(super) test: String,
    pub(super) worker: String,
    /// Whose worker it is.
    pub(super) owner: String,
    /// The worker's place in the crew of the test.
    pub(super) seat: u64,
    pub(super) range: PairRange,
    pub(super) granted: Timestamp,
    /// Which life of which coordinator granted it: only that one's clock can say how long ago.
    pub(super) granted_by: String,
}

/// Those that were needed, by what they are called.
#[derive(Debug, Default)]
pub(super) struct KnownLeases(Mutex<HashMap<String, Arc<LeaseFacts>>>);

impl LeaseFacts {
    pub(super) fn of(row: LeaseRow, owner: String) -> Self {
        Self {
            test: row.test,
            worker: row.worker,
            owner,
            seat: row.seat,
            range: row.range,
            granted: row.held.granted,
            granted_by: row.granted_by,
        }
    }
}

impl KnownLeases {
    pub(super) fn get(&self, id: &str) -> Option<Arc<LeaseFacts>> {
        let known = self.0.lock().expect("nobody panics with it");
        known.get(id).cloned()
    }

    pub(super) fn keep(&self, id: &str, facts: &Arc<LeaseFacts>) {
        let mut known = self.0.lock().expect("nobody panics with it");
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(id.to_owned(), Arc::clone(facts));
    }
}
