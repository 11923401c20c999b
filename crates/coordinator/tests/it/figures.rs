//! `/metrics`.

use coordinator::DoorSettings;
use fleet_api::{Returned, routes};

use crate::house::{House, Visitor, pairs, sha256};
use crate::work::play;

#[test]
fn figures_can_be_for_everybody() {
    let doors = DoorSettings {
        metrics_open: true,
        ..DoorSettings::default()
    };
    let house = House::with(None, doors);
    assert_eq!(house.visitor("").get(routes::METRICS).status, 200);
}

#[test]
fn figures_follow_what_happens() {
    let house = House::new();
    let admin = house.admin();
    let file = "a network";
    // The house has its book already.
    let before = figure(&admin, "artifact_bytes_total{way=\"in\"}");
    let path = routes::artifact(&sha256(file));
    assert_eq!(admin.send("PUT", &path, file.as_bytes()).status, 200);
    assert_eq!(admin.get(&path).status, 200);
    let bytes = |way: &str| figure(&admin, &format!("artifact_bytes_total{{way=\"{way}\"}}"));
    assert_eq!(bytes("in") - before, file.len() as f64);
    assert_eq!(bytes("out"), file.len() as f64);
    let test = admin.submit(&pairs(3));
    assert_eq!(figure(&admin, "tests_open"), 1.0);
    let grant = admin.claim("w", "first").expect("there is work");
    assert_eq!(figure(&admin, "leases_held"), 1.0);
    assert_eq!(figure(&admin, "pairs_lent"), grant.pairs as f64);
    let back = Returned::default();
    let said = admin.post(&routes::give_back(&grant.lease), &back);
    assert_eq!(said.status, 200);
    assert_eq!(figure(&admin, "pairs_returned"), grant.pairs as f64);
    play(&admin, "v", 3);
    assert_eq!(figure(&admin, "leases_held"), 0.0);
    assert_eq!(figure(&admin, "pairs_total{status=\"counted\"}"), 3.0);
    assert_eq!(figure(&admin, "tests{state=\"finished\"}"), 1.0);
    assert_eq!(figure(&admin, "tests_open"), 0.0);
    assert_eq!(admin.post(&routes::recount(&test), &()).status, 200);
    assert!(figure(&admin, "recounts_total{found=\"equal\"}") >= 1.0);
    assert_eq!(figure(&admin, "recounts_total{found=\"different\"}"), 0.0);
    let transactions = figure(&admin, "transactions_total");
    assert!(transactions >= 3.0, "{transactions}");
    assert!(figure(&admin, "writes_total") >= transactions);
}

/// What stands behind `arbiter_` and this name.
#[track_caller]
fn figure(visitor: &Visitor, name: &str) -> f64 {
    let said = visitor.get(routes::METRICS);
    let mut lines = said.body.lines();
    let value = lines.find_map(|line| {
        let rest = line.strip_prefix("arbiter_")?.strip_prefix(name)?;
        rest.strip_prefix(' ')?.parse().ok()
    });
    value.unwrap_or_else(|| panic!("no {name} in {}", said.body))
}
