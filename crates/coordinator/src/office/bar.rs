//! An administrator keeps a machine out, or lets it in again.

use fleet_api::{BarWorker, Code, Problem, UnbarWorker};

use super::lend::end;
use super::users::NO_TEST;
use super::{Office, User, names, problem};
use crate::store::leases::{self, LeaseState};
use crate::store::{audit, bars};

impl Office {
    /// Lends a worker nothing any more, and takes back what it holds. What it has played counts.
    pub(crate) async fn bar_worker(&self, user: &User, wanted: BarWorker) -> Result<(), Problem> {
        names::check_reason(&wanted.reason)?;
        let (worker, at) = (self.worker_called(&wanted.worker).await?, self.now());
        let (who, why) = (user.name.clone(), wanted.reason.trim().to_owned());
        if why.is_empty() {
            return Err(problem(Code::Refused, "a reason is needed"));
        }
        let tests = self
            .store()
            .write(move |tx| {
                let (worker, who, why) = (worker.clone(), who.clone(), why.clone());
                Box::pin(async move {
                    bars::set(tx, &worker, Some((at, &who, &why))).await?;
                    let mut tests = Vec::new();
                    for lease in leases::held_by(tx, &worker).await? {
                        end(tx, (&lease.test, &lease.id), LeaseState::Settled, "").await?;
                        tests.push(lease.test);
                    }
                    let detail = format!("{worker}: {why}");
                    audit::note(tx, at, NO_TEST, &who, "bar worker", &detail).await?;
                    Ok(tests)
                })
            })
            .await?;
        for test in tests {
            self.note_on_board(&test).await?;
            self.tell(&test);
        }
        Ok(())
    }

    /// Lets a worker play again.
    pub(crate) async fn unbar_worker(
        &self,
        user: &User,
        wanted: UnbarWorker,
    ) -> Result<(), Problem> {
        let (worker, at) = (self.worker_called(&wanted.worker).await?, self.now());
        let who = user.name.clone();
        self.store()
            .write(move |tx| {
                let (worker, who) = (worker.clone(), who.clone());
                Box::pin(async move {
                    bars::set(tx, &worker, None).await?;
                    audit::note(tx, at, NO_TEST, &who, "unbar worker", &worker).await
                })
            })
            .await?;
        Ok(())
    }

    /// What a worker is told that is barred.
    pub(super) async fn barred(&self, worker: &str) -> Result<Problem, Problem> {
        Ok(match self.store().worker_bar(worker).await? {
            Some(bar) => {
                let text = format!("this worker is barred by {}: {}", bar.who, bar.why);
                problem(Code::Forbidden, text)
            }
            None => problem(Code::Unavailable, "this worker was barred until now"),
        })
    }

    /// The worker that calls itself so, or that alone is called so.
    async fn worker_called(&self, called: &str) -> Result<String, Problem> {
        let mut found = self.store().workers_called(called).await?;
        if let Some(own) = found.iter().position(|id| id == called) {
            return Ok(found.swap_remove(own));
        }
        match (found.pop(), found.len()) {
            (Some(one), 0) => Ok(one),
            (None, _) => Err(problem(Code::NotFound, "no worker is called so")),
            (Some(_), others) => {
                let text = format!("{} workers are called so: name one by its `id`", others + 1);
                Err(problem(Code::Refused, text))
            }
        }
    }
}
