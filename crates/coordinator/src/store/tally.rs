//! How much was written in this life.

use std::sync::atomic::{AtomicU64, Ordering};

/// Writes that were committed, and the transactions that held them.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    transactions: AtomicU64,
    writes: AtomicU64,
}

impl Tally {
    /// So many writes were committed together.
    pub(super) fn committed(&self, writes: usize) {
        self.transactions.fetch_add(1, Ordering::Relaxed);
        self.writes.fetch_add(writes as u64, Ordering::Relaxed);
    }

    pub(crate) fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    pub(crate) fn writes(&self) -> u64 {
        self.writes.load(Ordering::Relaxed)
    }
}
