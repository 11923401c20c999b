//! Who may do what, and what is said to those who may not.

use fleet_api::{
    Action, ActionRequest, AuditEntry, Scope, State, SubmitTest, Submitted, TestLine, routes,
};

use crate::house::{House, pairs};

#[test]
fn a_reader_changes_nothing() {
    let house = House::new();
    let reader = house.user("eve", &[Scope::Read]);
    assert_eq!(reader.get(routes::TESTS).status, 200);
    let test = SubmitTest {
        spec: pairs(1),
        idempotency_key: None,
    };
    let said = reader.post(routes::TESTS, &test);
    assert_eq!((said.status, said.code().as_str()), (403, "forbidden"));
    let hash = "a".repeat(64);
    assert_eq!(
        reader.send("PUT", &routes::artifact(&hash), b"x").status,
        403
    );
}

#[test]
fn a_method_that_is_none_and_an_address_that_is_none_are_told_apart() {
    let house = House::new();
    let admin = house.admin();
    for path in [
        routes::CLAIMS.to_owned(),
        routes::report("x"),
        routes::actions("x"),
    ] {
        let said = admin.get(&path);
        assert_eq!(
            (said.status, said.code().as_str()),
            (405, "method_not_allowed"),
            "{path}"
        );
    }
    assert_eq!(admin.get("/api/v1/nothing").code(), "not_found");
    assert_eq!(admin.get(&routes::test("nothing")).code(), "not_found");
    assert_eq!(admin.get("/healthz").status, 200);
}

#[test]
fn a_spec_that_is_none_is_refused_with_its_line() {
    let house = House::new();
    let admin = house.admin();
    for (spec, words) in [
        ("pairs = 3\nwrong = 1\n", "test:2:1"),
        ("pairs = 3\n", "at least two"),
    ] {
        let test = SubmitTest {
            spec: spec.to_owned(),
            idempotency_key: None,
        };
        let said = admin.post(routes::TESTS, &test);
        assert_eq!((said.status, said.code().as_str()), (422, "refused"));
        assert!(said.body.contains(words), "{}", said.body);
    }
    assert!(admin.get(routes::TESTS).json::<Vec<TestLine>>().is_empty());
}

#[test]
fn the_same_submission_twice_is_one_test() {
    let house = House::new();
    let admin = house.admin();
    let test = SubmitTest {
        spec: pairs(1),
        idempotency_key: Some("k".to_owned()),
    };
    let once: Submitted = admin.post(routes::TESTS, &test).json();
    let twice: Submitted = admin.post(routes::TESTS, &test).json();
    assert_eq!(once, twice);
    assert_eq!(admin.get(routes::TESTS).json::<Vec<TestLine>>().len(), 1);
    let other = house.user("bob", &[Scope::Submit]);
    let theirs: Submitted = other.post(routes::TESTS, &test).json();
    assert_ne!(theirs.id, once.id);
}

#[test]
fn another_ones_test_waits_for_approval_and_all_of_it_is_on_record() {
    let house = House::new();
    let ada = house.user("ada", &[Scope::Submit, Scope::Approve]);
    let bob = house.user("bob", &[Scope::Approve]);
    let worker = house.user("w", &[Scope::Worker]);
    let test = ada.submit(&pairs(1));
    assert_eq!(ada.show(&test)["state"], "submitted");
    assert_eq!(worker.claim("w", "a"), None);
    let approve = ActionRequest {
        action: Action::Approve,
        reason: None,
    };
    assert_eq!(
        ada.post(&routes::actions(&test), &approve).code(),
        "forbidden"
    );
    assert_eq!(bob.post(&routes::actions(&test), &approve).status, 200);
    assert_eq!(
        bob.post(&routes::actions(&test), &approve).code(),
        "conflict"
    );
    assert!(worker.claim("w", "b").is_some());
    let audit: Vec<AuditEntry> = ada.get(&routes::audit(&test)).json();
    let told: Vec<_> = audit
        .iter()
        .map(|entry| (entry.who.as_str(), entry.action.as_str()))
        .collect();
    assert_eq!(told, [("ada", "submit"), ("bob", "approve")]);
    let lines: Vec<TestLine> = ada.get(routes::TESTS).json();
    assert_eq!(lines[0].state, State::Queued);
}

#[test]
fn a_workers_name_is_its_owners() {
    let house = House::new();
    house.admin().submit(&pairs(8));
    let ada = house.user("ada", &[Scope::Worker]);
    assert!(ada.claim("mine", "a").is_some());
    let bob = house.user("bob", &[Scope::Worker]);
    let claim = fleet_api::Claim {
        life: None,
        worker: "mine".to_owned(),
        claim: "b".to_owned(),
        host: fleet_api::HostFacts {
            name: "x".to_owned(),
            version: "0".to_owned(),
            platform: "x".to_owned(),
            cores: 1,
            memory_mib: 4096,
            toolchains: Vec::new(),
            tablebases: 0,
        },
    };
    assert_eq!(bob.post(routes::CLAIMS, &claim).code(), "conflict");
}

#[test]
fn a_token_that_was_revoked_is_worth_nothing() {
    let house = House::new();
    let wanted = fleet_api::NewToken {
        user: "ada".to_owned(),
        scopes: vec![Scope::Read],
        expires_in_days: Some(1),
    };
    let made: fleet_api::TokenMade = house.admin().post(routes::TOKENS, &wanted).json();
    let ada = house.visitor(&made.token);
    assert_eq!(ada.get(routes::TESTS).status, 200);
    let revoke = format!("{}/{}", routes::TOKENS, made.id);
    let bob = house.user("bob", &[Scope::Approve]);
    assert_eq!(bob.send("DELETE", &revoke, b"").status, 404);
    assert_eq!(house.admin().send("DELETE", &revoke, b"").status, 200);
    assert_eq!(ada.get(routes::TESTS).status, 401);
    let kept = std::fs::read(house.data.join("arbiter.db")).expect("the database");
    let wal = std::fs::read(house.data.join("arbiter.db-wal")).unwrap_or_default();
    for bytes in [kept, wal] {
        let secret = made.token.as_bytes();
        assert!(
            !bytes.windows(secret.len()).any(|window| window == secret),
            "at rest in the clear"
        );
    }
}

#[test]
fn a_folder_is_one_coordinators_alone() {
    let house = House::new();
    let refused = house.try_sibling().expect_err("somebody lives there");
    let text = refused.to_string();
    assert!(text.contains("runs already in"), "{text}");
    assert!(text.contains("`--data`"), "{text}");
}
