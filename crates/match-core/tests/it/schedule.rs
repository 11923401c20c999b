//! Which game has which number.

use std::collections::{BTreeMap, BTreeSet};

use engine_core::Color;
use match_core::fixture::{Fixture, GameNumber};
use match_core::schedule::Schedule;
use proptest::prelude::*;

use crate::sample::{contest, schedule};

fn all(schedule: &Schedule) -> Vec<Fixture> {
    (0..schedule.games())
        .map(|number| schedule.fixture(GameNumber(number)))
        .collect()
}

/// Games as `white-black:opening`.
fn drawn(schedule: &Schedule) -> String {
    let name = |engine: usize| char::from(b'a' + u8::try_from(engine).expect("few engines"));
    let games: Vec<String> = all(schedule)
        .iter()
        .map(|fixture| {
            let white = name(fixture.players[Color::White].0);
            let black = name(fixture.players[Color::Black].0);
            format!("{white}{black}{}", fixture.opening.0)
        })
        .collect();
    games.join(" ")
}

#[track_caller]
fn check(engines: usize, pairs: u64, book_len: u64, more: &str, expected: &str) {
    assert_eq!(
        drawn(&schedule(&contest(engines, pairs, more), book_len)),
        expected
    );
}

/// The order of a book of one's own.
const IN_ORDER: &str = "openings.file = 'book.epd'";

#[test]
fn a_pair_is_one_opening_with_colours_swapped() {
    check(2, 3, 9, IN_ORDER, "ab0 ba0 ab1 ba1 ab2 ba2");
}

#[test]
fn all_pairings_of_a_round_share_its_opening() {
    check(
        3,
        2,
        9,
        IN_ORDER,
        "bc0 cb0 ac0 ca0 ab0 ba0 bc1 cb1 ac1 ca1 ab1 ba1",
    );
}

#[test]
fn in_a_gauntlet_only_the_first_engine_meets_the_others() {
    check(
        3,
        2,
        9,
        "tournament = 'gauntlet'\nopenings.file = 'book.epd'",
        "ab0 ba0 ac0 ca0 ab1 ba1 ac1 ca1",
    );
}

#[test]
fn a_short_book_is_played_again_from_its_beginning() {
    check(2, 5, 2, IN_ORDER, "ab0 ba0 ab1 ba1 ab0 ba0 ab1 ba1 ab0 ba0");
    let two = schedule(&contest(2, 5, ""), 2);
    assert_eq!(two.exhausted_at(), Some(GameNumber(4)));
    let just_enough = schedule(&contest(2, 5, ""), 5);
    assert_eq!(just_enough.exhausted_at(), None);
}

#[test]
fn a_start_beyond_the_end_of_the_book_wraps_round() {
    check(
        2,
        3,
        2,
        "openings = { start = 7, file = 'x.epd' }",
        "ab0 ba0 ab1 ba1 ab0 ba0",
    );
    check(
        2,
        2,
        5,
        "openings = { start = 5, file = 'x.epd' }",
        "ab4 ba4 ab0 ba0",
    );
}

#[test]
fn the_seed_decides_the_order_and_only_of_a_random_book() {
    let order = |seed: u64, order: &str| {
        let more = format!("seed = {seed}\nopenings = {{ file = 'x.epd', order = '{order}' }}");
        drawn(&schedule(&contest(2, 500, &more), 1000))
    };
    assert_eq!(order(42, "random"), order(42, "random"));
    assert_ne!(order(42, "random"), order(43, "random"));
    assert_eq!(order(42, "sequential"), order(43, "sequential"));
    assert_ne!(order(42, "random"), order(42, "sequential"));
}

#[test]
fn the_order_of_a_seed_never_changes_from_one_version_to_the_next() {
    check(
        2,
        4,
        1000,
        "openings = { file = 'x.epd', order = 'random' }",
        "ab379 ba379 ab707 ba707 ab269 ba269 ab913 ba913",
    );
}

#[test]
fn four_engines_meet_in_the_order_of_the_circle_method() {
    check(
        4,
        1,
        1,
        "",
        "ad0 da0 bc0 cb0 bd0 db0 ac0 ca0 cd0 dc0 ab0 ba0",
    );
}

#[test]
fn workers_with_their_own_start_share_no_opening() {
    const BOOK: u64 = 1000;
    const PAIRS: u64 = 100;
    let openings = |start: u64, pairs: u64| -> Vec<u64> {
        let more = format!("openings = {{ file = 'x.epd', order = 'random', start = {start} }}");
        all(&schedule(&contest(2, pairs, &more), BOOK))
            .iter()
            .filter(|fixture| fixture.number.is_first_of_pair())
            .map(|fixture| fixture.opening.0)
            .collect()
    };
    let workers: Vec<u64> = (0..10)
        .flat_map(|worker| openings(1 + worker * PAIRS, PAIRS))
        .collect();
    assert_eq!(workers, openings(1, 1000));
    assert_eq!(workers.iter().collect::<BTreeSet<_>>().len(), 1000);
}

proptest! {
    #[test]
    fn every_pairing_meets_equally_often_in_both_colours(
        engines in 2_usize..12,
        pairs in 1_u64..6,
        book_len in 1_u64..20,
        gauntlet: bool,
        random: bool,
    ) {
        let tournament = if gauntlet { "gauntlet" } else { "round-robin" };
        let order = if random { "random" } else { "sequential" };
        let more = format!("tournament = '{tournament}'\nopenings = {{ order = '{order}' }}");
        let schedule = schedule(&contest(engines, pairs, &more), book_len);

        let mut meetings = BTreeMap::new();
        let mut openings: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for fixture in all(&schedule) {
            let players = (fixture.players.white.0, fixture.players.black.0);
            prop_assert_ne!(players.0, players.1);
            *meetings.entry(players).or_insert(0) += 1;
            openings.entry(fixture.round).or_default().insert(fixture.opening.0);
            prop_assert!(fixture.opening.0 < book_len);

            let sibling = schedule.fixture(fixture.number.sibling());
            prop_assert_eq!(sibling.opening, fixture.opening);
            prop_assert_eq!(sibling.players.white, fixture.players.black);
            prop_assert_eq!(sibling.players.black, fixture.players.white);
        }
        let expected = if gauntlet { 2 * (engines - 1) } else { engines * (engines - 1) };
        prop_assert_eq!(meetings.len(), expected);
        prop_assert!(meetings.values().all(|&count| count == pairs));

        prop_assert!(openings.values().all(|of_round| of_round.len() == 1));
        let first_pass: BTreeSet<u64> =
            openings.values().take(book_len as usize).flatten().copied().collect();
        prop_assert_eq!(first_pass.len() as u64, pairs.min(book_len));
    }

    #[test]
    fn a_game_is_the_same_whenever_it_is_asked_for(number in 0_u64..2_000_000) {
        let spec = contest(2, 1_000_000, "openings = { order = 'random' }");
        let once = schedule(&spec, 242_201).fixture(GameNumber(number));
        let again = schedule(&spec, 242_201).fixture(GameNumber(number));
        prop_assert_eq!(once, again);
        prop_assert_eq!(once.number, GameNumber(number));
    }
}
