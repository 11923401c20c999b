//! What is done without being asked for: leases that came to their end.

use std::time::Duration;

use fleet_api::Problem;
use fleet_core::standing::Entry;

use super::Office;
use super::lend::end;
use crate::store::leases::{self, LeaseState};
use crate::store::{pairs, tests};

/// How often leases are looked through.
const EVERY: Duration = Duration::from_secs(1);

impl Office {
    /// Tends the fleet for ever.
    pub async fn tend(self) {
        let mut ticks = tokio::time::interval(EVERY);
        loop {
            ticks.tick().await;
            if let Err(problem) = self.lapse_overdue().await {
                tracing::error!(%problem, "tending failed and is tried again");
            }
        }
    }

    pub(super) async fn lapse_overdue(&self) -> Result<(), Problem> {
        for lease in self.store().overdue(self.now()).await? {
            self.lapse(lease).await?;
        }
        Ok(())
    }

    /// Ends a lease that nobody gets on with: its pairs can be lent again, and the decision does not
    /// wait for them any more.
    async fn lapse(&self, id: String) -> Result<(), Problem> {
        let at = self.now();
        let lapsed = self
            .store()
            .write(move |tx| {
                let id = id.clone();
                Box::pin(async move {
                    let Some(lease) = leases::locked(tx, &id).await? else {
                        return Ok(None);
                    };
                    // Somebody may have heard of it in the meantime.
                    if lease.state != LeaseState::Held || lease.held.until() >= at {
                        return Ok(None);
                    }
                    let Some(test) = tests::locked(tx, &lease.test).await? else {
                        return Ok(None);
                    };
                    let worker = lease.worker.clone();
                    let mut place = test.entries;
                    for hole in end(tx, lease, LeaseState::Lapsed, "").await? {
                        pairs::count(tx, &test.id, place, &Entry::Lapsed(hole)).await?;
                        place += 1;
                    }
                    pairs::set_counts(tx, &test.id, place, test.late_pairs).await?;
                    Ok(Some((test.id, worker)))
                })
            })
            .await?;
        if let Some((test, worker)) = lapsed {
            tracing::warn!(test, worker, "a lease lapsed");
            let contest = self.contest(&test).await?;
            self.follow(&contest).await?;
            self.tell(&test);
        }
        Ok(())
    }
}
