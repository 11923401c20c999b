//! Lists of tests and of workers, page by page, on every store.

use fleet_api::{
    Action, ActionRequest, BarWorker, Heartbeat, Scope, State, TestLine, UnbarWorker, WhichTests,
    WhichWorkers, WorkerLine, routes,
};

use crate::house::{House, Visitor, pairs};
use crate::work::scenarios;

scenarios!(
    workers_are_listed_with_what_they_play,
    a_worker_that_is_barred_gets_nothing_until_it_is_let_in_again,
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

fn a_worker_that_is_barred_gets_nothing_until_it_is_let_in_again(house: House) {
    let admin = house.admin();
    admin.submit(&pairs(64));
    let grant = admin.claim_on("attic", "w1", "a").expect("there is work");
    admin.report(&grant.lease, &[grant.first_pair]);
    let bar = |worker: &str, reason: &str| {
        let wanted = BarWorker {
            worker: worker.to_owned(),
            reason: reason.to_owned(),
        };
        admin.post(routes::BAR_WORKER, &wanted)
    };
    assert_eq!(bar("cellar", "x").code(), "not_found");
    assert_eq!(bar("attic", " ").code(), "refused");
    assert_eq!(bar("attic", "its memory fails").status, 200);
    let barred = &workers(&admin, None, None)[0];
    let told = barred.barred.as_ref().expect("it is barred");
    assert_eq!(
        (told.who.as_str(), told.why.as_str()),
        ("admin", "its memory fails")
    );
    assert_eq!(barred.plays, None);
    let beat = Heartbeat {
        plies: 1,
        spool: None,
    };
    let answer = admin.post(&routes::heartbeat(&grant.lease), &beat);
    let answer: fleet_api::HeartbeatAnswer = answer.json();
    assert_eq!(answer.directive, fleet_api::Directive::Stop);
    let said = admin.post_claim("attic", "w1", "b");
    assert_eq!(said.code(), "forbidden");
    assert!(said.body.contains("its memory fails"), "{said:?}");
    let other = admin.claim_on("cellar", "w2", "c").expect("others play it");
    assert_eq!(other.first_pair, grant.first_pair + 1);
    let unbar = UnbarWorker {
        worker: "w1".to_owned(),
    };
    assert_eq!(admin.post(routes::UNBAR_WORKER, &unbar).status, 200);
    assert!(admin.claim_on("attic", "w1", "d").is_some());
    let audit: Vec<fleet_api::AuditEntry> = admin.get(routes::AUDIT).json();
    let actions: Vec<&str> = audit.iter().map(|entry| entry.action.as_str()).collect();
    assert!(
        actions.ends_with(&["bar worker", "unbar worker"]),
        "{actions:?}"
    );
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
