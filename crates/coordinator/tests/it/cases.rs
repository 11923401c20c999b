//! Faults that users of other fleets met, each with its right answer here.

use fleet_api::{
    Action, ActionRequest, Directive, Heartbeat, HeartbeatAnswer, PairStatus, Report, ReportAnswer,
    Scope, routes,
};

use crate::house::{House, pairs, whites_crash};

#[test]
fn i02_a_worker_that_comes_back_is_itself_and_not_its_double() {
    let house = House::new();
    house.admin().submit(&pairs(8));
    let ada = house.user("ada", &[Scope::Worker]);
    let first = ada.claim("attic", "first life").expect("there is work");
    // It lost its connection, or its life, and asks again: what it had is lent again, to it.
    let second = ada.claim("attic", "second life").expect("it is admitted");
    assert_eq!(second.first_pair, first.first_pair);
    assert_ne!(second.lease, first.lease);
    let beat = ada.post(
        &routes::heartbeat(&first.lease),
        &Heartbeat {
            plies: 9,
            spool: None,
        },
    );
    assert_eq!(beat.json::<HeartbeatAnswer>().directive, Directive::Stop);
    // What it had played under the first lease counts all the same, once.
    let pair = first.first_pair;
    let statuses = [&first, &second].map(|grant| ada.report(&grant.lease, &[pair]).pairs[0].status);
    assert_eq!(statuses, [PairStatus::Counted, PairStatus::Known]);
}

#[test]
fn i09_results_of_another_test_are_refused() {
    let house = House::new();
    let admin = house.admin();
    let test = admin.submit(&pairs(8));
    let grant = admin.claim("attic", "1").expect("there is work");
    let mut stale = whites_crash(grant.first_pair);
    for game in &mut stale.games {
        game.white = game.white.replace("new", "newer");
        game.black = game.black.replace("new", "newer");
    }
    let elsewhere = whites_crash(grant.first_pair + grant.pairs);
    let report = Report {
        pairs: vec![stale, elsewhere],
    };
    let answer: ReportAnswer = admin.post(&routes::report(&grant.lease), &report).json();
    for pair in answer.pairs {
        assert_eq!(pair.status, PairStatus::Refused, "{pair:?}");
    }
    assert_eq!(admin.show(&test)["pairs"], 0);
}

#[test]
fn i11_a_heartbeat_brings_the_order_to_stop_when_there_is_nothing_to_report() {
    let house = House::new();
    let admin = house.admin();
    let test = admin.submit(&pairs(8));
    let grant = admin.claim("attic", "1").expect("there is work");
    let beat = |plies| {
        let beat = Heartbeat { plies, spool: None };
        let said = admin.post(&routes::heartbeat(&grant.lease), &beat);
        said.json::<HeartbeatAnswer>().directive
    };
    assert_eq!(beat(1), Directive::Continue);
    let stop = ActionRequest {
        action: Action::Stop,
        reason: None,
    };
    assert_eq!(admin.post(&routes::actions(&test), &stop).status, 200);
    assert_eq!(beat(2), Directive::Stop);
}
