//! How the coordinator is.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fleet_api::{Code, Problem};
use fleet_core::timestamp::Timestamp;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::{Office, problem};
use crate::disk::Load;
use crate::store::counts::Counts;
use crate::store::workers;

/// A store that needs longer than this is not well.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the answer of a probe is true.
const FRESH: Duration = Duration::from_secs(1);

/// A worker that is alive is noted again after so long.
const AGAIN: Duration = Duration::from_secs(5 * 60);

/// Pairs that one worker can have played and kept at most: far more than any, and a sum of them is a number.
const SPOOL_MAX: u64 = 1_000_000_000;

/// Workers of which the last words are remembered; then all are forgotten, and noted again.
const MOST: usize = 65_536;

/// The answer of the last probe, and when that began: whoever asks how we are makes us write no more often
/// than once in [`FRESH`].
#[derive(Debug, Default)]
pub(super) struct Pulse(tokio::sync::Mutex<Option<(Instant, Result<(), Problem>)>>);

/// What workers said last of their spools, and when that was noted: most say the same again and again.
#[derive(Debug, Default)]
pub(super) struct Spools(Mutex<HashMap<String, (u64, Timestamp)>>);

impl Spools {
    /// Whether it is worth a write that `worker` has so many pairs.
    fn are_new(&self, worker: &str, pairs: u64, at: Timestamp) -> bool {
        let mut known = self.0.lock().expect("nobody panics with it");
        if known.len() >= MOST {
            known.clear();
        }
        let before = known.get(worker);
        let is_new = before.is_none_or(|&(said, since)| said != pairs || at - since > AGAIN);
        if is_new {
            known.insert(worker.to_owned(), (pairs, at));
        }
        is_new
    }
}

/// Figures of a coordinator, and of all of them.
#[derive(Debug)]
pub(crate) struct Figures {
    /// What all of them share.
    pub(crate) counts: Counts,
    pub(crate) lapsed: i64,
    pub(crate) waiting: i64,
    /// Writes that were committed in this life, and transactions that held them.
    pub(crate) writes: u64,
    pub(crate) transactions: u64,
    /// Recounts of this life that found what is shown, and others.
    pub(crate) recounts_equal: u64,
    pub(crate) recounts_differing: u64,
    /// How long a write takes.
    pub(crate) write: Duration,
    pub(crate) free_bytes: i64,
}

impl Office {
    /// What is to be told of this coordinator.
    pub(crate) async fn figures(&self) -> Result<Figures, Problem> {
        let counts = self.store().counts(self.now()).await?;
        let waiting = self.store().waiting();
        let write = self.write_nothing().await?;
        let (tally, recounts) = (self.store().tally(), &self.0.recounts);
        Ok(Figures {
            counts,
            writes: tally.writes(),
            transactions: tally.transactions(),
            recounts_equal: recounts.equal.load(Ordering::Relaxed),
            recounts_differing: recounts.differing.load(Ordering::Relaxed),
            lapsed: signed(self.0.lapsed.load(Ordering::Relaxed)),
            waiting: signed(waiting as u64),
            write,
            free_bytes: signed(self.0.settings.disk.free()),
        })
    }

    /// Whether the store answers and the disk takes something.
    pub(crate) async fn health(&self) -> Result<(), Problem> {
        let mut pulse = self.0.pulse.0.lock().await;
        let felt = match &*pulse {
            Some((at, felt)) if at.elapsed() < FRESH => felt.clone(),
            _ => {
                let began = Instant::now();
                let felt = self.probe().await;
                *pulse = Some((began, felt.clone()));
                felt
            }
        };
        drop(pulse);
        felt?;
        self.room_for(Load::Lease)
    }

    /// Writes something to the store and to the disk.
    async fn probe(&self) -> Result<(), Problem> {
        let ill = |what: String| problem(Code::Unavailable, what);
        let written = timeout(PATIENCE, self.write_nothing()).await;
        written.map_err(|_| ill(format!("the store needs longer than {PATIENCE:?}")))??;
        let disk = self.0.settings.disk.clone();
        let probed = spawn_blocking(move || disk.probe()).await;
        probed
            .expect("a probe does not panic")
            .map_err(|error| ill(format!("the disk takes nothing: {error}")))
    }

    /// Takes note of how many pairs a worker has that nobody has acknowledged.
    pub(super) async fn note_spool(&self, worker: &str, pairs: u64) -> Result<(), Problem> {
        let (at, pairs) = (self.now(), pairs.min(SPOOL_MAX));
        if self.0.spools.are_new(worker, pairs, at) {
            let worker = worker.to_owned();
            self.store()
                .write(move |tx| {
                    let worker = worker.clone();
                    Box::pin(async move { workers::heard(tx, at, &worker, pairs).await })
                })
                .await?;
        }
        Ok(())
    }

    /// Only if the disk has room for `load`.
    pub(crate) fn room_for(&self, load: Load) -> Result<(), Problem> {
        let room = self.0.settings.disk.has_room_for(load);
        room.map_err(|full| {
            tracing::error!(%full, "refused");
            problem(Code::Unavailable, full.to_string())
        })
    }

    /// How long the way through the store is, for a write of nothing.
    async fn write_nothing(&self) -> Result<Duration, Problem> {
        let began = Instant::now();
        self.store()
            .write(move |_| Box::pin(async move { Ok(()) }))
            .await?;
        Ok(began.elapsed())
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
