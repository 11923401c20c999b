//! How much the doors take, and what is told of it.

use std::io::Read;

use coordinator::DoorSettings;
use fleet_api::{Scope, routes};

use crate::house::{House, pairs};

#[test]
fn who_asks_too_often_waits_and_others_do_not() {
    let doors = DoorSettings {
        rate: 5,
        ..DoorSettings::default()
    };
    let house = House::with(None, doors);
    let [ada, bob] = ["ada", "bob"].map(|name| house.user(name, &[Scope::Read]));
    let worker = house.user("w", &[Scope::Worker]);
    assert_eq!(ada.get(routes::TESTS).status, 200);
    let refused = (0..1000)
        .map(|_| ada.get(routes::TESTS))
        .find(|said| said.status != 200)
        .expect("there is an end to it");
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (429, "too_many_requests")
    );
    assert_eq!(refused.header("retry-after").as_deref(), Some("1"));
    assert_eq!(bob.get(routes::TESTS).status, 200);
    // A fleet that shares a token has a bucket of its own, and it is a big one.
    let claims = (0..50).map(|i| worker.claim("w", &i.to_string()));
    assert_eq!(
        claims.flatten().count(),
        0,
        "there is no work, and no refusal"
    );
}

#[test]
fn every_answer_has_the_number_of_its_request() {
    let house = House::new();
    let admin = house.admin();
    let numbers = [routes::TESTS, "/nothing"].map(|path| admin.get(path).header("x-request-id"));
    assert!(numbers.iter().all(Option::is_some), "{numbers:?}");
    assert_ne!(numbers[0], numbers[1]);
}

#[test]
fn figures_are_told_to_who_has_a_token() {
    figures(House::new());
}

/// On SQLite and on PostgreSQL.
pub(crate) fn figures(house: House) {
    let admin = house.admin();
    admin.submit(&pairs(8));
    let grant = admin.claim("w", "a").expect("there is work");
    admin.report(&grant.lease, &[grant.first_pair]);
    admin.report(&grant.lease, &[grant.first_pair]);
    let beat = fleet_api::Heartbeat {
        plies: 1,
        spool: Some(7),
    };
    assert_eq!(
        admin.post(&routes::heartbeat(&grant.lease), &beat).status,
        200
    );
    assert_eq!(house.visitor("").get(routes::METRICS).status, 401);
    let said = admin.get(routes::METRICS);
    assert_eq!(said.status, 200);
    for line in [
        "arbiter_tests{state=\"queued\"} 1",
        "arbiter_leases_held 1",
        "arbiter_leases_granted_total 1",
        "arbiter_pairs_total{status=\"counted\"} 1",
        "arbiter_pairs_total{status=\"known\"} 1",
        "arbiter_spool_pairs 7",
        "arbiter_workers 1",
        "arbiter_http_requests_total{route=\"/api/v1/claims\",method=\"POST\",status=\"200\"} 1",
    ] {
        assert!(
            said.body.lines().any(|told| told == line),
            "{line}:\n{}",
            said.body
        );
    }
    assert!(
        said.body
            .contains("arbiter_http_request_seconds_bucket{le="),
        "{}",
        said.body
    );
    assert!(said.body.ends_with("# EOF\n"));
}

#[test]
fn connections_that_find_no_place_wait_for_one() {
    let doors = DoorSettings {
        connections: 2,
        ..DoorSettings::default()
    };
    let house = House::with(None, doors);
    let idle = [house.connect(), house.connect()];
    let mut waits = house.connect();
    waits
        .set_read_timeout(Some(std::time::Duration::from_millis(200)))
        .expect("a timeout");
    std::io::Write::write_all(&mut waits, b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        .expect("sent");
    let mut first = [0; 12];
    assert!(waits.read_exact(&mut first).is_err(), "it has no place yet");
    drop(idle);
    waits
        .set_read_timeout(Some(std::time::Duration::from_secs(30)))
        .expect("a timeout");
    waits.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200");
}

#[test]
fn a_long_upload_that_is_refused_is_told_so() {
    let house = House::new();
    let eve = house.user("eve", &[Scope::Read]);
    let long = vec![7; 32 << 20];
    let said = eve.send("PUT", &routes::artifact(&"a".repeat(64)), &long);
    assert_eq!((said.status, said.code().as_str()), (403, "forbidden"));
}
