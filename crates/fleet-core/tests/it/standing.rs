//! Totals and decisions from what was counted.

use std::num::NonZeroU64;

use engine_core::{Color, Outcome};
use fleet_api::State;
use fleet_core::allotment::PairRange;
use fleet_core::standing::{Entry, Played, Standing};
use fleet_core::test_spec::TestSpec;
use match_core::ledger::GameResult;
use proptest::prelude::*;

fn test(rest: &str) -> TestSpec {
    let text = format!(
        "{rest}\n[each]\nnodes = 100\n[[engine]]\ncmd = \"sparring:1\"\n[[engine]]\ncmd = \"sparring:2\"\n"
    );
    TestSpec::parse(&text).expect("a test")
}

fn standing(test: &TestSpec) -> Standing {
    Standing::new(&test.spec, NonZeroU64::new(1000).expect("not 0"))
}

/// A pair of which the first engine wins so many games.
fn pair(pair: u64, wins: usize) -> Entry {
    let won = |color| GameResult {
        outcome: Outcome::win(color),
        ending: "checkmate",
        fault: None,
    };
    let games = [
        if wins > 0 { Color::White } else { Color::Black },
        if wins > 1 { Color::Black } else { Color::White },
    ];
    Entry::Pair(Played {
        pair,
        seat: 1,
        games: games.map(|winner| (won(winner), 40)),
    })
}

fn sequential() -> TestSpec {
    test("sprt = { elo0 = 0, elo1 = 200, rule = \"wald\" }")
}

#[test]
fn a_fixed_test_is_finished_with_its_last_pair() {
    let test = test("pairs = 3");
    let mut standing = standing(&test);
    for (number, wins) in [(2, 1), (0, 2)] {
        standing.take(pair(number, wins)).expect("no conflict");
        assert_eq!(standing.outcome(), None);
    }
    standing.take(pair(1, 1)).expect("no conflict");
    assert_eq!(standing.outcome(), Some(State::Finished));
    let summary = standing.summary(&test.spec, std::time::Duration::ZERO);
    assert_eq!(summary.pentanomial, [0, 0, 2, 0, 1]);
}

#[test]
fn a_decision_takes_pairs_in_the_order_of_their_numbers() {
    let mut standing = standing(&sequential());
    for number in 1..200 {
        standing.take(pair(number, 2)).expect("no conflict");
    }
    assert_eq!(standing.outcome(), None, "the first pair is missing");
    standing.take(pair(0, 1)).expect("no conflict");
    assert_eq!(standing.outcome(), Some(State::Accepted));
}

#[test]
fn a_lapsed_lease_holds_up_no_decision_and_its_pairs_count_for_the_estimate() {
    let test = sequential();
    let mut standing = standing(&test);
    for number in 2..200 {
        standing.take(pair(number, 2)).expect("no conflict");
    }
    assert_eq!(standing.outcome(), None);
    standing
        .take(Entry::Lapsed(PairRange { first: 0, count: 2 }))
        .expect("no conflict");
    assert_eq!(standing.outcome(), Some(State::Accepted));
    standing.take(pair(0, 0)).expect("no conflict");
    standing.take(pair(1, 0)).expect("no conflict");
    assert_eq!(standing.outcome(), Some(State::Accepted));
    let summary = standing.summary(&test.spec, std::time::Duration::ZERO);
    assert_eq!(summary.pentanomial[0], 2);
}

#[test]
fn two_truths_about_one_pair_are_loud() {
    let mut standing = standing(&test("pairs = 3"));
    standing.take(pair(0, 2)).expect("no conflict");
    standing
        .take(pair(0, 2))
        .expect("the same again is no contradiction");
    assert!(standing.take(pair(0, 0)).is_err());
    assert_eq!(standing.pairs(), 1);
}

proptest! {
    /// The same entries in the same order lead everybody to the same place, and the order in which
    /// pairs come in makes no difference to a decision that all of them allow.
    #[test]
    fn the_order_of_arrival_decides_nothing(
        wins in prop::collection::vec(0usize..3, 60),
        order in Just((0..60u64).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let test = sequential();
        let (mut sorted, mut shuffled) = (standing(&test), standing(&test));
        for number in 0..60 {
            sorted.take(pair(number, wins[number as usize])).expect("no conflict");
        }
        for number in order {
            shuffled.take(pair(number, wins[number as usize])).expect("no conflict");
        }
        prop_assert_eq!(sorted.outcome(), shuffled.outcome());
        let summary = |standing: &Standing| standing.summary(&test.spec, std::time::Duration::ZERO);
        prop_assert_eq!(summary(&sorted), summary(&shuffled));
    }
}
