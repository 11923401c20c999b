//! What a worker has played is counted: each pair once, if its lease can have had so much play.

use std::time::Duration;

use fleet_api::{PairAnswer, PairStatus};
use fleet_core::evidence;
use fleet_core::standing::Entry;
use fleet_core::timestamp::Timestamp;

use super::lend::{lock, settle};
use crate::StoreError;
use crate::store::leases::{self, LeaseRow, LeaseState};
use crate::store::pairs::{self, PairRow};
use crate::store::tests::{self, TestRow};
use crate::store::{Tx, aside, late};

/// What became of a report.
pub(super) struct Counted {
    pub(super) answers: Vec<PairAnswer>,
    /// Places of the test's sequence that are taken now.
    pub(super) entries: u64,
    pub(super) is_held: bool,
    /// The test was charged, or pairs came back to it or went.
    pub(super) moves_clocks: bool,
}

/// Stores what was believed of a report; `passed` is what there was time for since the lease began.
pub(super) async fn count(
    tx: &mut Tx<'_>,
    at: Timestamp,
    (test, lease): (&str, &str),
    believed: &[Result<PairRow, PairAnswer>],
    passed: Duration,
) -> Result<Counted, StoreError> {
    let (test, lease) = lock(tx, test, lease).await?.ok_or(StoreError::Unreadable {
        what: "a lease",
        why: "it is gone".to_owned(),
    })?;
    let mut counter = Counter {
        at,
        passed,
        test,
        lease,
        new: Vec::new(),
        is_known: false,
    };
    let mut answers = Vec::with_capacity(believed.len());
    for pair in believed {
        answers.push(match pair {
            Ok(pair) => counter.take(tx, pair).await?,
            Err(refused) => refused.clone(),
        });
    }
    counter.close(tx, answers).await
}

/// A test and one of its leases while a report is counted.
struct Counter {
    at: Timestamp,
    passed: Duration,
    test: TestRow,
    lease: LeaseRow,
    /// Pairs that were counted.
    new: Vec<u64>,
    /// Some were reported before.
    is_known: bool,
}

impl Counter {
    async fn take(&mut self, tx: &mut Tx<'_>, pair: &PairRow) -> Result<PairAnswer, StoreError> {
        let (test, lease) = (&mut self.test, &mut self.lease);
        let from = (test.id.as_str(), lease.id.as_str(), lease.worker.as_str());
        let played = lease.played.saturating_add(pair.took);
        let mut why = None;
        let status = if lease.state == LeaseState::Barred {
            let is_new = keep_aside(tx, self.at, from, pair, test.entries).await?;
            test.entries += u64::from(is_new);
            match is_new {
                true => PairStatus::Late,
                false => PairStatus::Known,
            }
        } else if pairs::is_known(tx, &test.id, pair.pair).await? {
            self.is_known = true;
            PairStatus::Known
        } else if let Err(disbelief) = evidence::check_lease(played, lease.slots, self.passed) {
            tracing::warn!(worker = lease.worker, lease = lease.id, %disbelief, "refused");
            why = Some(disbelief.to_string());
            PairStatus::Refused
        } else if test.state.is_final() {
            pairs::add(tx, self.at, from, pair, true).await?;
            late::count(tx, &test.id, pair).await?;
            test.late_pairs += 1;
            PairStatus::Late
        } else {
            pairs::add(tx, self.at, from, pair, false).await?;
            pairs::count(tx, &test.id, test.entries, &pair.entry);
            test.entries += 1;
            lease.played = played;
            self.new.push(pair.pair);
            PairStatus::Counted
        };
        Ok(PairAnswer {
            pair: pair.pair,
            status,
            why,
        })
    }

    /// Keeps what has changed of the test and of the lease.
    async fn close(self, tx: &mut Tx<'_>, answers: Vec<PairAnswer>) -> Result<Counted, StoreError> {
        let Self {
            test,
            mut lease,
            new,
            ..
        } = self;
        tests::set_counts(tx, &test.id, test.entries, test.late_pairs);
        lease.reported += new.len() as u64;
        let mut moves_clocks = false;
        if lease.state == LeaseState::Held {
            if self.is_known {
                // By whom, and whether it was counted here already, only the pairs can say.
                lease.reported = pairs::reported(tx, &test.id, lease.range).await?.len() as u64;
            }
            if !new.is_empty() {
                lease.held.progress = lease.held.progress.max(self.at);
            }
            if lease.reported == lease.range.count {
                lease.state = LeaseState::Settled;
                moves_clocks = true;
            }
        } else if !new.is_empty() {
            // Who was thought lost was not: nobody need play these again.
            tests::forget(tx, &test, &new).await?;
            moves_clocks = true;
        }
        if moves_clocks {
            settle(tx, &mut lease);
        }
        let is_held = lease.state == LeaseState::Held;
        leases::update(tx, lease);
        Ok(Counted {
            answers,
            entries: test.entries,
            is_held,
            moves_clocks,
        })
    }
}

/// Keeps a pair of a worker that is set aside, at `place` of the sequence; whether it was new.
async fn keep_aside(
    tx: &mut Tx<'_>,
    at: Timestamp,
    from: (&str, &str, &str),
    pair: &PairRow,
    place: u64,
) -> Result<bool, StoreError> {
    let Entry::Pair(played) = pair.entry else {
        return Ok(false);
    };
    let is_new = aside::add(tx, at, from, pair).await?;
    if is_new {
        pairs::count(tx, from.0, place, &Entry::CameAside(played));
    }
    Ok(is_new)
}
