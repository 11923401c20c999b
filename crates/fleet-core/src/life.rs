//! A test's life: who may do what to it in which state.
//!
//! ```text
//! Submitted -approve-> Queued <-pause, resume-> Paused
//!                        |  \__________________/  \
//!                        |                         +-stop--> Stopped
//!                        +-decided, all played--> Accepted | Rejected | Finished
//! ```

use fleet_api::{Action, Scope, State};
use thiserror::Error;

/// What a house asks of those who submit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalPolicy {
    /// Tests of those who may administrate run at once, those of others are approved by somebody else.
    Others,
    /// Everybody's test is approved by somebody else.
    Everybody,
    /// Everything runs at once.
    Nobody,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor<'a> {
    /// A user.
    pub user: &'a str,
    /// What the token allows.
    pub scopes: &'a [Scope],
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Not by this user.
    #[error("{0}")]
    Forbidden(&'static str),
    /// Not in this state.
    #[error("a test that is `{}` cannot be {verb}", .state.name())]
    State {
        /// In which it is.
        state: State,
        /// What was to be done.
        verb: &'static str,
    },
}

impl Actor<'_> {
    /// Whether the token allows what asks for `scope`.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.iter().any(|held| held.allows(scope))
    }
}

impl ApprovalPolicy {
    /// Where a test that `actor` submits begins its life.
    pub fn first_state(self, actor: Actor<'_>) -> State {
        match self {
            Self::Nobody => State::Queued,
            Self::Others if actor.may(Scope::Admin) => State::Queued,
            Self::Others | Self::Everybody => State::Submitted,
        }
    }
}

/// Whether `actor` may change a test of `owner`: its owner, with a token for that, or an administrator.
///
/// # Errors
///
/// [`Refusal::Forbidden`].
pub fn may_change(owner: &str, actor: Actor<'_>) -> Result<(), Refusal> {
    if actor.may(Scope::Admin) || (actor.user == owner && actor.may(Scope::Submit)) {
        return Ok(());
    }
    Err(Refusal::Forbidden(
        "this is for the owner of the test, with the scope `submit`, and for administrators",
    ))
}

/// Whether `actor` may give a test this `priority`: classes that come before everybody else's are given
/// by administrators.
///
/// # Errors
///
/// [`Refusal::Forbidden`].
pub fn may_have_priority(priority: i64, actor: Actor<'_>) -> Result<(), Refusal> {
    match priority <= 0 || actor.may(Scope::Admin) {
        true => Ok(()),
        false => Err(Refusal::Forbidden(
            "a priority above 0 is given by administrators",
        )),
    }
}

/// The state after `actor` does `action` to a test of `owner` in `state`.
///
/// # Errors
///
/// [`Refusal`], and nothing changes.
pub fn after(
    state: State,
    action: Action,
    owner: &str,
    actor: Actor<'_>,
    policy: ApprovalPolicy,
) -> Result<State, Refusal> {
    let refuse = |verb| Err(Refusal::State { state, verb });
    match action {
        Action::Approve => {
            if !actor.may(Scope::Approve) {
                return Err(Refusal::Forbidden("this token may not approve tests"));
            }
            if actor.user == owner && policy != ApprovalPolicy::Nobody {
                return Err(Refusal::Forbidden(
                    "a test is approved by somebody else than who submitted it",
                ));
            }
            match state {
                State::Submitted => Ok(State::Queued),
                _ => refuse("approved"),
            }
        }
        Action::Pause | Action::Resume | Action::Stop => {
            if actor.user != owner && !actor.may(Scope::Admin) {
                return Err(Refusal::Forbidden(
                    "this is somebody else's test: its owner or an administrator may do that",
                ));
            }
            match (action, state) {
                (Action::Pause, State::Queued) => Ok(State::Paused),
                (Action::Resume, State::Paused) => Ok(State::Queued),
                (Action::Stop, State::Submitted | State::Queued | State::Paused) => {
                    Ok(State::Stopped)
                }
                (Action::Pause, _) => refuse("paused"),
                (Action::Resume, _) => refuse("resumed"),
                (Action::Stop | Action::Approve, _) => refuse("stopped"),
            }
        }
    }
}
