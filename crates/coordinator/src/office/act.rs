//! A person does something to a test.

use fleet_api::{Action, ActionRequest, Code, Problem, State};
use fleet_core::life::{self, Refusal};

use super::contest::no_such_test;
use super::{Office, User, names, problem};
use crate::store::{audit, leases, tests, trials};

impl Office {
    /// Does it and gives the state that the test is in then.
    pub(crate) async fn act(
        &self,
        user: &User,
        id: &str,
        request: ActionRequest,
    ) -> Result<State, Problem> {
        names::check_reason(request.reason.as_deref().unwrap_or_default())?;
        let at = self.now();
        let policy = self.0.settings.approval;
        let (user, test) = (user.clone(), id.to_owned());
        let done = self
            .store()
            .write(move |tx| {
                let (user, test, request) = (user.clone(), test.clone(), request.clone());
                Box::pin(async move {
                    let Some(row) = tests::locked(tx, &test).await? else {
                        return Ok(Err(no_such_test()));
                    };
                    let actor = user.actor();
                    let state =
                        match life::after(row.state, request.action, &row.owner, actor, policy) {
                            Ok(state) => state,
                            Err(refusal) => return Ok(Err(refused(&refusal))),
                        };
                    let reason = request.reason.as_deref();
                    tests::set_state(tx, at, &test, state, reason).await?;
                    if state.is_final() {
                        leases::end_all(tx, &test).await?;
                    }
                    if request.action == Action::Resume {
                        trials::forgive(tx, &test).await?;
                    }
                    let verb = verb(request.action);
                    audit::note(tx, at, &test, &user.name, verb, reason.unwrap_or("")).await?;
                    Ok(Ok(state))
                })
            })
            .await?;
        self.note_on_board(id).await?;
        self.tell(id);
        done
    }
}

pub(super) fn refused(refusal: &Refusal) -> Problem {
    let code = match refusal {
        Refusal::Forbidden(_) => Code::Forbidden,
        Refusal::State { .. } => Code::Conflict,
    };
    problem(code, refusal.to_string())
}

const fn verb(action: Action) -> &'static str {
    match action {
        Action::Approve => "approve",
        Action::Pause => "pause",
        Action::Resume => "resume",
        Action::Stop => "stop",
    }
}
