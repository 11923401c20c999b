//! Lists of tests and of workers, page by page, on every store.

use fleet_api::{
    Action, ActionRequest, Heartbeat, Scope, State, TestLine, WhichTests, WhichWorkers, WorkerLine,
    routes,
};

use crate::house::{House, Visitor, pairs};
use crate::work::scenarios;

scenarios!(
    workers_are_listed_with_what_they_play,
    tests_are_listed_by_state_and_owner_page_by_page,
    a_list_that_cannot_be_is_the_askers_fault,
);

#[track_caller]
fn workers(visitor: &Visitor, limit: Option<u32>, after: Option<&str>) -> Vec<WorkerLine> {
    let after = after.map(str::to_owned);
    let which = WhichWorkers { limit, after };
    visitor.get(&which.at(routes::WORKERS)).json()
}

fn workers_are_listed_with_what_they_play(house: House) {
    let admin = house.admin();
    assert_eq!(workers(&admin, None, None), []);
    assert!(
        house
            .user("ada", &[Scope::Worker])
            .claim("idle & old", "a")
            .is_none()
    );
    let test = admin.submit(&pairs(64));
    let grant = admin.claim_on("attic", "busy", "b").expect("there is work");
    admin.report(&grant.lease, &[grant.first_pair]);
    let beat = Heartbeat {
        plies: 1,
        spool: Some(7),
    };
    admin.post(&routes::heartbeat(&grant.lease), &beat);

    let all = workers(&house.user("eve", &[Scope::Read]), None, None);
    let ids: Vec<&str> = all.iter().map(|worker| worker.id.as_str()).collect();
    assert_eq!(
        ids,
        ["busy", "idle & old"],
        "those heard of last come first"
    );
    let (busy, idle) = (&all[0], &all[1]);
    assert_eq!(
        (busy.name.as_str(), busy.owner.as_str()),
        ("attic", "admin")
    );
    assert_eq!((busy.cores, busy.memory_mib, busy.spool), (1, 4096, 7));
    assert_eq!(
        (busy.version.as_str(), busy.platform.as_str()),
        ("0", "x86_64-linux")
    );
    assert!(busy.seen_ms >= idle.seen_ms);
    let plays = busy.plays.as_ref().expect("it plays");
    assert_eq!((&plays.lease, &plays.test), (&grant.lease, &test));
    assert_eq!((plays.pairs, plays.reported), (grant.pairs, 1));
    assert!(!plays.test_name.is_empty());
    assert_eq!((idle.owner.as_str(), &idle.plays), ("ada", &None));

    let first = workers(&admin, Some(1), None);
    assert_eq!(first[..], all[..1]);
    assert_eq!(workers(&admin, Some(1), Some("busy"))[..], all[1..]);
    assert_eq!(workers(&admin, None, Some("idle & old")), []);

    let back = fleet_api::Returned::default();
    admin.post(&routes::give_back(&grant.lease), &back);
    assert_eq!(workers(&admin, Some(1), None)[0].plays, None);
}

#[track_caller]
fn tests(visitor: &Visitor, which: &WhichTests) -> Vec<String> {
    let lines: Vec<TestLine> = visitor.get(&which.at(routes::TESTS)).json();
    lines.into_iter().map(|line| line.id).collect()
}

fn tests_are_listed_by_state_and_owner_page_by_page(house: House) {
    let admin = house.admin();
    let ada = house.user("ada", &[Scope::Submit]);
    let [one, two] = [(); 2].map(|()| admin.submit(&pairs(1)));
    let three = ada.submit(&pairs(1));
    let pause = ActionRequest {
        action: Action::Pause,
        reason: None,
    };
    assert_eq!(admin.post(&routes::actions(&two), &pause).status, 200);
    let all = WhichTests::default();
    assert_eq!(tests(&ada, &all), [&*three, &*two, &*one], "newest first");
    let in_state = |state| WhichTests {
        state: Some(state),
        ..all.clone()
    };
    assert_eq!(tests(&ada, &in_state(State::Paused)), [&*two]);
    assert_eq!(tests(&ada, &in_state(State::Submitted)), [&*three]);
    assert!(tests(&ada, &in_state(State::Stopped)).is_empty());
    let owners = |owner: &str| WhichTests {
        owner: Some(owner.to_owned()),
        ..all.clone()
    };
    assert_eq!(tests(&ada, &owners("admin")), [&*two, &*one]);
    assert!(tests(&ada, &owners("a & b")).is_empty());
    let page = |after: Option<&str>| WhichTests {
        limit: Some(2),
        after: after.map(str::to_owned),
        ..all.clone()
    };
    assert_eq!(tests(&ada, &page(None)), [&*three, &*two]);
    assert_eq!(tests(&ada, &page(Some(&two))), [&*one]);
    assert!(tests(&ada, &page(Some(&one))).is_empty());
}

fn a_list_that_cannot_be_is_the_askers_fault(house: House) {
    let admin = house.admin();
    for (asked, code) in [
        ("?limit=0", "refused"),
        ("?limit=1001", "refused"),
        ("?limit=-1", "malformed"),
        ("?limit=many", "malformed"),
        ("?limit=1&limit=2", "malformed"),
        ("?after=%ff", ""),
        ("?other=%00", ""),
    ] {
        for path in [routes::TESTS, routes::WORKERS] {
            let said = admin.get(&format!("{path}{asked}"));
            assert!(said.status < 500, "{path}{asked}: {said:?}");
            if !code.is_empty() {
                assert_eq!(said.code(), code, "{path}{asked}");
            }
        }
    }
    assert_eq!(
        admin.get(&format!("{}?state=gone", routes::TESTS)).code(),
        "malformed"
    );
    let unknown = format!("{}?after=nobody", routes::WORKERS);
    assert_eq!(admin.get(&unknown).code(), "not_found");
}
