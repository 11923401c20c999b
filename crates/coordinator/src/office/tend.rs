//! What is done without being asked for: leases that came to their end.

use std::sync::atomic::Ordering;
use std::time::Duration;

use fleet_api::Problem;
use fleet_core::standing::Entry;
use fleet_core::timestamp::Timestamp;
use tokio::sync::broadcast::error::RecvError;

use super::Office;
use super::lend::{end, lock};
use crate::store::leases::LeaseState;
use crate::store::notices::Notice;
use crate::store::{pairs, tests};

/// How often leases are looked through.
const EVERY: Duration = Duration::from_secs(1);

/// A coordinator that was away lets nothing of before lapse for so long: workers come back after a minute at
/// most.
const GRACE: Duration = Duration::from_secs(90);

impl Office {
    /// Tends the fleet for ever.
    pub async fn tend(self) {
        tokio::spawn(self.clone().archive_for_ever());
        let mut ticks = tokio::time::interval(EVERY);
        loop {
            ticks.tick().await;
            if let Err(problem) = self.lapse_overdue().await {
                tracing::error!(%problem, "tending failed and is tried again");
            }
        }
    }

    /// Hears for ever what other coordinators change.
    pub async fn hear(self) {
        let mut notices = self.store().notices();
        loop {
            let heard = match notices.recv().await {
                Ok(Notice::Changed(test)) => {
                    let noted = self.note_on_board(&test).await;
                    self.tell(&test);
                    noted
                }
                Ok(Notice::Missed) | Err(RecvError::Lagged(_)) => {
                    self.forget_board().await;
                    Ok(())
                }
                Err(RecvError::Closed) => return,
            };
            if let Err(error) = heard {
                tracing::error!(%error, "a change elsewhere was not taken note of");
                self.forget_board().await;
            }
        }
    }

    pub(super) async fn lapse_overdue(&self) -> Result<(), Problem> {
        let (at, begun) = (self.now(), self.0.begun);
        let granted_since = match at < begun + GRACE {
            true => begun,
            false => Timestamp(0),
        };
        for (test, lease) in self.store().overdue(at, granted_since).await? {
            if let Err(problem) = self.lapse(&test, lease).await {
                tracing::error!(test, %problem, "a lease could not lapse");
            }
        }
        Ok(())
    }

    /// Ends a lease that nobody gets on with: its pairs can be lent again, and the decision does not
    /// wait for them any more.
    async fn lapse(&self, test: &str, lease: String) -> Result<(), Problem> {
        let (at, of) = (self.now(), test.to_owned());
        let lapsed = self
            .store()
            .write(move |tx| {
                let (of, id) = (of.clone(), lease.clone());
                Box::pin(async move {
                    let Some((test, lease)) = lock(tx, &of, &id).await? else {
                        return Ok(None);
                    };
                    // Somebody may have heard of it in the meantime.
                    if lease.held.until() >= at {
                        return Ok(None);
                    }
                    let Some(holes) = end(tx, (&of, &id), LeaseState::Lapsed, "").await? else {
                        return Ok(None);
                    };
                    let mut place = test.entries;
                    for hole in holes {
                        pairs::count(tx, &test.id, place, &Entry::Lapsed(hole));
                        place += 1;
                    }
                    tests::set_counts(tx, &test.id, place, test.late_pairs);
                    Ok(Some(lease.worker))
                })
            })
            .await?;
        if let Some(worker) = lapsed {
            self.0.lapsed.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(test, worker, "a lease lapsed");
            let contest = self.contest(test).await?;
            self.follow(&contest).await?;
            self.note_on_board(test).await?;
            self.tell(test);
        }
        Ok(())
    }
}
