//! Priorities, weights, tags and notes, and the shares of owners, on every store.

use fleet_api::{AuditEntry, ChangeTest, OwnerShare, Scope, SubmitTest, routes};
use serde_json::json;

use crate::house::{House, Said, Visitor, pairs};
use crate::work::{play, scenarios};

scenarios!(
    a_test_is_served_by_what_it_was_changed_to,
    who_may_change_what,
    owners_have_shares,
);

fn change(visitor: &Visitor, test: &str, change: &ChangeTest) -> Said {
    visitor.post(&routes::settings(test), change)
}

fn priority(priority: i64) -> ChangeTest {
    ChangeTest {
        priority: Some(priority),
        ..ChangeTest::default()
    }
}

fn a_test_is_served_by_what_it_was_changed_to(mut house: House) {
    let admin = house.admin();
    let [first, second] = [(); 2].map(|()| admin.submit(&pairs(8)));
    // Somebody has looked at the board by then.
    play(&admin, "w", 1);
    for (urgent, number) in [(&second, 2), (&first, 3)] {
        assert_eq!(change(&admin, urgent, &priority(number)).status, 200);
        let claim = format!("after {number}");
        assert_eq!(
            &admin.claim("w", &claim).expect("there is work").test,
            urgent
        );
    }
    let words = ChangeTest {
        weight: Some(2.5),
        tags: Some(vec!["net".to_owned(), "ltc".to_owned()]),
        note: Some("one\ntwo".to_owned()),
        ..ChangeTest::default()
    };
    assert_eq!(change(&admin, &first, &words).status, 200);
    house.restart();
    let admin = house.admin();
    let shown = admin.show(&first);
    assert_eq!(shown["priority"], 3);
    assert_eq!(shown["weight"], 2.5);
    assert_eq!(shown["tags"], json!(["net", "ltc"]));
    assert_eq!(shown["note"], "one\ntwo");
    assert_eq!(
        admin.claim("w", "again").expect("there is work").test,
        first
    );
    let audit: Vec<AuditEntry> = admin.get(&routes::audit(&first)).json();
    let told: Vec<&str> = audit
        .iter()
        .filter(|entry| entry.action == "set")
        .map(|entry| entry.detail.as_str())
        .collect();
    assert_eq!(told, ["priority 3", "weight 2.5; tags net, ltc; note"]);
}

fn who_may_change_what(house: House) {
    let ada = house.user("ada", &[Scope::Submit]);
    let eve = house.user("eve", &[Scope::Submit]);
    let test = ada.submit(&pairs(1));
    assert_eq!(change(&eve, &test, &priority(-1)).code(), "forbidden");
    assert_eq!(change(&ada, &test, &priority(-1)).status, 200);
    assert_eq!(change(&ada, &test, &priority(1)).code(), "forbidden");
    assert_eq!(change(&house.admin(), &test, &priority(1)).status, 200);
    let spec = pairs(1).replace(
        "[fleet.artifacts]",
        "[fleet]\npriority = 1\n[fleet.artifacts]",
    );
    let urgent = SubmitTest {
        spec,
        idempotency_key: None,
    };
    assert_eq!(ada.post(routes::TESTS, &urgent).code(), "forbidden");
    assert_eq!(house.admin().post(routes::TESTS, &urgent).status, 200);
    let nothing = ChangeTest::default();
    assert_eq!(change(&ada, &test, &nothing).code(), "refused");
    for weight in [0.0, -1.0, 1e9] {
        let wrong = ChangeTest {
            weight: Some(weight),
            ..ChangeTest::default()
        };
        assert_eq!(change(&ada, &test, &wrong).code(), "refused");
    }
    assert_eq!(change(&ada, "x", &priority(0)).code(), "not_found");
}

fn owners_have_shares(house: House) {
    let admin = house.admin();
    let share = |weight| OwnerShare {
        owner: "ada".to_owned(),
        weight,
    };
    let ada = house.user("ada", &[Scope::Submit]);
    assert_eq!(ada.post(routes::OWNERS, &share(9.0)).code(), "forbidden");
    for weight in [0.0, 1e-320, 1e300] {
        assert_eq!(admin.post(routes::OWNERS, &share(weight)).code(), "refused");
    }
    assert_eq!(admin.post(routes::OWNERS, &share(3.0)).status, 200);
    assert_eq!(admin.post(routes::OWNERS, &share(2.0)).status, 200);
    let owners: Vec<OwnerShare> = ada.get(routes::OWNERS).json();
    assert_eq!(owners, [share(2.0)]);
}
