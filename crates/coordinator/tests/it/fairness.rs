//! Who gets what, and what cannot be true of a whole lease.

use fleet_api::{PairReport, PairStatus, Returned, Scope, routes};

use crate::house::{House, Visitor, fools_mates, pairs};
use crate::work::scenarios;

scenarios!(
    who_comes_late_has_no_more_than_a_share,
    a_new_test_of_an_owner_has_no_more_than_a_share,
    a_lease_has_no_more_play_than_there_was_time_for,
    no_length_of_a_game_is_too_much_for_the_store,
    a_lease_is_the_affair_of_its_workers_user,
    many_holes_are_lent_from_the_lowest_on,
);

/// A pair of which each game took so many seconds.
fn lasting(seconds: f64) -> impl Fn(u64) -> PairReport {
    move |pair| {
        let mut report = fools_mates(pair);
        for game in &mut report.games {
            game.seconds = seconds;
        }
        report
    }
}

/// Plays a lease of the only test, of games of a quarter of an hour; then another life of the coordinator
/// hears of it, which cannot know that it is not true.
fn work_long(house: &mut House) {
    let grant = house.admin().claim("early", "1").expect("there is work");
    house.restart();
    let played = grant.first_pair..grant.first_pair + grant.pairs;
    let reports = played.map(lasting(900.0)).collect();
    let answer = house.admin().report_all(&grant.lease, reports);
    let is_counted = |pair: &fleet_api::PairAnswer| pair.status == PairStatus::Counted;
    assert!(answer.pairs.iter().all(is_counted), "{answer:?}");
}

/// Of six leases that are held at a time, how many are of `test`.
fn leases_of(visitor: &Visitor, test: &str) -> usize {
    let claims = ["a", "b", "c", "d", "e", "f"];
    let grants = claims.map(|worker| visitor.claim(worker, "1").expect("there is work"));
    grants.iter().filter(|grant| grant.test == test).count()
}

fn who_comes_late_has_no_more_than_a_share(mut house: House) {
    house.admin().submit(&pairs(1000));
    work_long(&mut house);
    let late = house.user("late", &[Scope::Admin]).submit(&pairs(1000));
    assert_eq!(leases_of(&house.admin(), &late), 3);
}

fn a_new_test_of_an_owner_has_no_more_than_a_share(mut house: House) {
    house.admin().submit(&pairs(1000));
    work_long(&mut house);
    let late = house.admin().submit(&pairs(1000));
    assert_eq!(leases_of(&house.admin(), &late), 3);
}

fn a_lease_has_no_more_play_than_there_was_time_for(house: House) {
    let admin = house.admin();
    admin.submit(&pairs(100));
    let grant = admin.claim("w", "1").expect("there is work");
    assert!(grant.pairs >= 3, "{grant:?}");
    // With some seconds for clocks that differ, each of these can be true, and not all together.
    let reports = (grant.first_pair..grant.first_pair + 3).map(lasting(0.9));
    let answer = admin.report_all(&grant.lease, reports.collect());
    let [first, .., last] = &answer.pairs[..] else {
        panic!("three pairs: {answer:?}");
    };
    assert_eq!(first.status, PairStatus::Counted);
    assert_eq!(last.status, PairStatus::Refused);
    let why = last.why.as_deref().unwrap_or_default();
    assert!(why.contains("1 games at a time"), "{why}");
}

fn no_length_of_a_game_is_too_much_for_the_store(mut house: House) {
    house.admin().submit(&pairs(100));
    let grant = house.admin().claim("w", "1").expect("there is work");
    house.restart();
    let admin = house.admin();
    for seconds in [1.8e19, f64::MAX, 4e6, -1.0] {
        let reports = (grant.first_pair..grant.first_pair + 2).map(lasting(seconds));
        let answer = admin.report_all(&grant.lease, reports.collect());
        let is_refused = |pair: &fleet_api::PairAnswer| pair.status == PairStatus::Refused;
        assert!(answer.pairs.iter().all(is_refused), "{seconds}: {answer:?}");
    }
    let answer = admin.report(&grant.lease, &[grant.first_pair]);
    assert_eq!(answer.pairs[0].status, PairStatus::Counted);
}

fn a_lease_is_the_affair_of_its_workers_user(house: House) {
    let [ada, bob] = ["ada", "bob"].map(|name| house.user(name, &[Scope::Worker]));
    house.admin().submit(&pairs(100));
    let grant = ada.claim("w", "1").expect("there is work");
    let report = fleet_api::Report {
        pairs: vec![fools_mates(grant.first_pair)],
    };
    let heartbeat = fleet_api::Heartbeat {
        plies: 1,
        spool: None,
    };
    for said in [
        bob.post(&routes::report(&grant.lease), &report),
        bob.post(&routes::heartbeat(&grant.lease), &heartbeat),
        bob.post(&routes::give_back(&grant.lease), &Returned::default()),
    ] {
        assert_eq!(said.status, 403, "{}", said.body);
    }
    let answer = ada.report(&grant.lease, &[grant.first_pair]);
    assert_eq!(answer.pairs[0].status, PairStatus::Counted);
}

fn many_holes_are_lent_from_the_lowest_on(house: House) {
    let admin = house.admin();
    admin.submit(&pairs(1000));
    // Each reports its middle pair and gives the others back.
    let mut holes = Vec::new();
    for worker in 0..6 {
        let grant = admin
            .claim(&format!("w{worker}"), "1")
            .expect("there is work");
        assert!(grant.pairs >= 3, "{grant:?}");
        let middle = grant.first_pair + grant.pairs / 2;
        holes.push((
            grant.lease,
            grant.first_pair..grant.first_pair + grant.pairs,
            middle,
        ));
    }
    for (lease, _, middle) in &holes {
        admin.report(lease, &[*middle]);
        let said = admin.post(&routes::give_back(lease), &Returned::default());
        assert_eq!(said.status, 200);
    }
    // One who was thought lost reports after all: those are no holes any more.
    let (lease, range, middle) = &holes[2];
    let late: Vec<u64> = range.clone().filter(|pair| pair != middle).collect();
    admin.report(lease, &late);
    let mut expected: Vec<u64> = holes
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != 2)
        .flat_map(|(_, (_, range, middle))| range.clone().filter(move |pair| pair != middle))
        .collect();
    let mut lent = Vec::new();
    for worker in 0.. {
        let grant = admin
            .claim(&format!("v{worker}"), "1")
            .expect("there is work");
        lent.extend(grant.first_pair..grant.first_pair + grant.pairs);
        if lent.len() >= expected.len() {
            break;
        }
    }
    lent.truncate(expected.len());
    expected.sort_unstable();
    assert_eq!(lent, expected);
}
