//! Who may do what to a test.

use fleet_api::{Action, Scope, State};
use fleet_core::life::{Actor, ApprovalPolicy, Refusal, after};

const OWNER: Actor<'static> = Actor {
    user: "ada",
    scopes: &[Scope::Submit, Scope::Approve],
};
const OTHER: Actor<'static> = Actor {
    user: "bob",
    scopes: &[Scope::Submit, Scope::Approve],
};
const ADMIN: Actor<'static> = Actor {
    user: "root",
    scopes: &[Scope::Admin],
};
const READER: Actor<'static> = Actor {
    user: "eve",
    scopes: &[Scope::Read],
};

fn act(state: State, action: Action, actor: Actor<'_>) -> Result<State, Refusal> {
    after(state, action, "ada", actor, ApprovalPolicy::Others)
}

#[test]
fn a_test_is_approved_by_somebody_else() {
    assert_eq!(
        act(State::Submitted, Action::Approve, OTHER),
        Ok(State::Queued)
    );
    assert_eq!(
        act(State::Submitted, Action::Approve, ADMIN),
        Ok(State::Queued)
    );
    for actor in [OWNER, READER] {
        let refused = act(State::Submitted, Action::Approve, actor);
        assert!(matches!(refused, Err(Refusal::Forbidden(_))), "{actor:?}");
    }
    let nobody = after(
        State::Submitted,
        Action::Approve,
        "ada",
        OWNER,
        ApprovalPolicy::Nobody,
    );
    assert_eq!(nobody, Ok(State::Queued));
}

#[test]
fn only_the_owner_and_administrators_stop_and_pause() {
    for actor in [OWNER, ADMIN] {
        assert_eq!(act(State::Queued, Action::Stop, actor), Ok(State::Stopped));
        assert_eq!(act(State::Queued, Action::Pause, actor), Ok(State::Paused));
        assert_eq!(act(State::Paused, Action::Resume, actor), Ok(State::Queued));
    }
    for actor in [OTHER, READER] {
        assert!(matches!(
            act(State::Queued, Action::Stop, actor),
            Err(Refusal::Forbidden(_))
        ));
    }
}

#[test]
fn nothing_changes_a_test_that_is_over() {
    for state in State::ALL.into_iter().filter(|state| state.is_final()) {
        for action in [Action::Approve, Action::Pause, Action::Resume, Action::Stop] {
            let refused = act(state, action, ADMIN);
            assert!(
                matches!(refused, Err(Refusal::State { .. })),
                "{action:?} in {state:?}"
            );
        }
    }
}

#[test]
fn an_administrators_test_runs_at_once_unless_the_house_is_strict() {
    assert_eq!(ApprovalPolicy::Others.first_state(ADMIN), State::Queued);
    assert_eq!(ApprovalPolicy::Others.first_state(OWNER), State::Submitted);
    assert_eq!(
        ApprovalPolicy::Everybody.first_state(ADMIN),
        State::Submitted
    );
    assert_eq!(ApprovalPolicy::Nobody.first_state(OWNER), State::Queued);
}
