//! A worker tells what went wrong with its lease.

use fleet_api::{Failure, Problem, Returned, State, Trouble};
use fleet_core::test_spec::{Recipe, Source, TestSpec};
use fleet_core::timestamp::Timestamp;
use fleet_core::trial::{self, Finding, Judgement};

use super::Office;
use crate::StoreError;
use crate::store::leases::{self, LeaseRow};
use crate::store::{Tx, audit, tests, trials};

impl Office {
    /// `returned` without a failure that `test` cannot have: two of them would stop it.
    pub(super) async fn sift(&self, test: &str, returned: Returned) -> Result<Returned, Problem> {
        let Some(failure) = &returned.failure else {
            return Ok(returned);
        };
        let text = self.store().test_text(test).await?.unwrap_or_default();
        if TestSpec::parse(&text).is_ok_and(|spec| can_be(&spec, failure)) {
            return Ok(returned);
        }
        tracing::warn!(
            test,
            ?failure,
            "a failure that the test cannot have is not believed"
        );
        Ok(Returned {
            failure: None,
            ..returned
        })
    }
}

/// Only what is built fails so, and only if its nodes are not those that the test says.
fn can_be(test: &TestSpec, failure: &Failure) -> bool {
    let recipe = |name: &str| -> Option<&Recipe> {
        let engines = &test.spec.engines;
        let place = engines.iter().position(|engine| engine.name == name)?;
        match test.programs.get(place)? {
            Source::Built(recipe) => Some(recipe),
            Source::BuiltIn | Source::Trusted(_) | Source::Artifact(_) => None,
        }
    };
    match failure {
        Failure::Bench {
            engine,
            expected,
            found,
        } => {
            let bench = recipe(engine).and_then(|recipe| recipe.bench);
            bench == Some(*expected) && found != expected
        }
        Failure::Build { engine } => recipe(engine).is_some(),
    }
}

/// Takes note of what `returned` says of `lease`, once, and draws the conclusions.
pub(super) async fn hear(
    tx: &mut Tx<'_>,
    at: Timestamp,
    lease: &LeaseRow,
    returned: &Returned,
) -> Result<(), StoreError> {
    let (test, worker) = (lease.test.as_str(), lease.worker.as_str());
    let host = trials::host(tx, worker).await?;
    if !returned.trouble.is_empty() {
        let trouble = Trouble {
            worker: worker.to_owned(),
            host: host.clone(),
            at_ms: at.0,
            text: returned.trouble.clone(),
        };
        if !trials::tell(tx, &lease.id, test, &trouble).await? {
            return Ok(());
        }
    }
    let Some(finding) = finding(lease, returned) else {
        return Ok(());
    };
    let before = trials::of(tx, test, worker).await?.unwrap_or_default();
    let after = before.after(at, finding);
    trials::set(tx, (test, worker, &host), &after).await?;
    if let Some(finding @ Finding::Bench { .. }) = &after.last {
        let detail = format!("worker `{host}` ({worker}) gets no more of it: {finding}");
        audit::note(tx, at, test, "arbiter", "quarantine", &detail).await?;
    }
    conclude(tx, at, test).await
}

/// What the end of a lease says of the test; nothing if it was ended for other reasons.
fn finding(lease: &LeaseRow, returned: &Returned) -> Option<Finding> {
    match returned.failure.clone() {
        Some(Failure::Bench {
            engine,
            expected,
            found,
        }) => Some(Finding::Bench {
            engine,
            expected,
            found,
        }),
        Some(Failure::Build { engine }) => Some(Finding::Build { engine }),
        // Engines that crash lose games; only who plays none at all had better do something else.
        None if lease.reported > 0 => Some(Finding::Ready),
        None if !returned.trouble.is_empty() => Some(Finding::Other),
        None => returned.is_ready.then_some(Finding::Ready),
    }
}

/// Stops or pauses the test if that follows from what all hosts have found.
async fn conclude(tx: &mut Tx<'_>, at: Timestamp, test: &str) -> Result<(), StoreError> {
    let found = trials::of_all(tx, test).await?;
    let is_played = trials::is_played(tx, test).await?;
    let (state, action, reason) = match trial::judge(&found, is_played) {
        Judgement::GoOn => return Ok(()),
        Judgement::Stop(reason) => (State::Stopped, "stop", reason),
        Judgement::Pause(reason) => (State::Paused, "pause", reason),
    };
    let Some(row) = tests::locked(tx, test).await? else {
        return Ok(());
    };
    let may_be = match state {
        State::Paused => row.state == State::Queued,
        _ => !row.state.is_final(),
    };
    if !may_be {
        return Ok(());
    }
    tests::set_state(tx, at, test, state, Some(&reason)).await?;
    if state.is_final() {
        leases::end_all(tx, test).await?;
    }
    tracing::warn!(test, reason, "a test cannot be made ready");
    audit::note(tx, at, test, "arbiter", action, &reason).await
}
