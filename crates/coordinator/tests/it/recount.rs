//! What is stored is counted again, on every store.

use std::time::{Duration, Instant};

use fleet_api::{AuditEntry, Recounted, Scope, routes};
use serde_json::Value;

use crate::house::{House, Visitor, pairs};
use crate::work::{play, scenarios};

/// Longer than a recount takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

scenarios!(
    a_test_that_ends_is_counted_again_by_itself,
    a_changed_entry_is_found,
    a_missing_pair_is_found,
    a_pair_that_is_there_twice_is_found,
    a_game_of_another_pair_is_found,
    a_recount_is_for_the_owner_and_for_administrators,
);

fn recount(visitor: &Visitor, test: &str) -> Recounted {
    visitor.send("POST", &routes::recount(test), b"").json()
}

/// A test of six pairs of which four are played.
fn begun(house: &House) -> String {
    let admin = house.admin();
    let test = admin.submit(&pairs(6));
    play(&admin, "w", 4);
    let counted = recount(&admin, &test);
    assert_eq!((counted.equal, counted.pairs), (true, 4), "{counted:?}");
    test
}

/// One of the differences has these words; it is shown, and on record.
#[track_caller]
fn differs(house: &House, test: &str, words: &str) {
    let admin = house.admin();
    let counted = recount(&admin, test);
    let told = counted.differences.iter().any(|text| text.contains(words));
    assert!(!counted.equal && told, "{counted:#?}");
    let shown = admin.get(&routes::test(test));
    if shown.status == 200 {
        let shown: Value = shown.json();
        assert_eq!(shown["recount"]["equal"], false, "{shown:#}");
    }
    let audit: Vec<AuditEntry> = admin.get(&routes::audit(test)).json();
    let last = audit.last().expect("an entry");
    assert_eq!(last.action, "recount");
    assert!(last.detail.contains(words), "{}", last.detail);
}

fn a_test_that_ends_is_counted_again_by_itself(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(3));
    play(&admin, "w", 3);
    let begun = Instant::now();
    let shown = loop {
        let shown = admin.show(&test);
        if !shown["recount"].is_null() {
            break shown;
        }
        assert!(begun.elapsed() < PATIENCE, "{shown:#}");
        std::thread::yield_now();
    };
    assert_eq!(shown["state"], "finished");
    assert_eq!(shown["recount"]["equal"], true, "{shown:#}");
    assert_eq!(shown["recount"]["pairs"], 3);
    assert_eq!(shown["recount"]["replayed"], 3);
}

fn a_changed_entry_is_found(mut house: House) {
    let test = begun(&house);
    house
        .tamper("UPDATE entries SET results = '1-0 crash b 0; 0-1 crash w 0' WHERE first_pair = 1");
    differs(&house, &test, "pair 2 is counted as `1-0 crash");
    // Who has read it since believes it, and still the games say something else.
    house.restart();
    differs(&house, &test, "pair 2 is counted as `1-0 crash");
    house.tamper("UPDATE entries SET results = 'nonsense' WHERE first_pair = 1");
    differs(&house, &test, "the entry at place 1 cannot be read");
}

fn a_missing_pair_is_found(house: House) {
    let test = begun(&house);
    house.tamper("DELETE FROM pairs WHERE pair = 2");
    differs(
        &house,
        &test,
        "pair 3 is counted, and its games are not stored",
    );
    house.tamper("DELETE FROM entries WHERE first_pair = 3");
    differs(
        &house,
        &test,
        "the games of pair 4 are stored, and it is not counted",
    );
}

fn a_pair_that_is_there_twice_is_found(house: House) {
    let test = begun(&house);
    house.tamper(
        "INSERT INTO entries (test, place, first_pair, pairs, results, seat, kind) \
         SELECT test, place + 4, first_pair, pairs, results, seat, kind FROM entries \
         WHERE first_pair = 0",
    );
    differs(&house, &test, "pair 1 is counted twice");
}

fn a_game_of_another_pair_is_found(house: House) {
    let test = begun(&house);
    house.tamper("UPDATE pairs SET games = REPLACE(games, '\"new\"', '\"old\"') WHERE pair = 1");
    differs(&house, &test, "the stored games of pair 2 cannot be");
}

fn a_recount_is_for_the_owner_and_for_administrators(house: House) {
    let test = begun(&house);
    let path = routes::recount(&test);
    for scopes in [&[Scope::Submit][..], &[Scope::Read], &[Scope::Worker]] {
        let said = house.user("eve", scopes).send("POST", &path, b"");
        assert_eq!((said.status, said.code().as_str()), (403, "forbidden"));
    }
    assert_eq!(house.visitor("").send("POST", &path, b"").status, 401);
    assert_eq!(house.admin().get(&path).status, 405);
    let said = house.admin().send("POST", &routes::recount("x"), b"");
    assert_eq!(said.status, 404);
}
