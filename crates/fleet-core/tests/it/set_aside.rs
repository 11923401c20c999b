//! Results that are set aside, and brought back.

use std::num::NonZeroU64;
use std::time::Duration;

use engine_core::{Color, Outcome};
use fleet_api::State;
use fleet_core::allotment::PairRange;
use fleet_core::standing::{Contradiction, Entry, Played, Standing};
use fleet_core::test_spec::TestSpec;
use match_core::ledger::{FaultKind, GameResult};
use match_core::summary::Summary;
use proptest::prelude::*;

const PAIRS: u64 = 40;

/// Too few pairs for a decision between these two.
const OPEN: &str = "pairs = 40\nsprt = { elo0 = 0, elo1 = 2 }";

/// A decision after some ten pairs that are won.
const QUICK: &str = "sprt = { elo0 = 0, elo1 = 200, rule = \"wald\" }";

fn test(rest: &str) -> TestSpec {
    let text = format!(
        "{rest}\n[each]\nnodes = 100\n[[engine]]\ncmd = \"sparring:1\"\n[[engine]]\ncmd = \"sparring:2\"\n"
    );
    TestSpec::parse(&text).expect("a test")
}

fn standing(test: &TestSpec) -> Standing {
    Standing::new(&test.spec, NonZeroU64::new(1000).expect("not 0"))
}

fn folded(test: &TestSpec, entries: impl IntoIterator<Item = Entry>) -> Standing {
    let mut standing = standing(test);
    for entry in entries {
        standing.take(entry).expect("no contradiction");
    }
    standing
}

/// A pair of which the first engine wins so many games; of a game that it loses, by its flag.
fn played(pair: u64, seat: u64, wins: usize) -> Played {
    let game = |color: Color, wins: bool| {
        let fault = (!wins).then_some((color, FaultKind::TimeLoss));
        let result = GameResult {
            outcome: Outcome::win(if wins { color } else { !color }),
            ending: if wins { "checkmate" } else { "time loss" },
            fault,
        };
        (result, 40 + pair)
    };
    Played {
        pair,
        seat,
        games: [game(Color::White, wins > 0), game(Color::Black, wins > 1)],
    }
}

fn set_aside(played: Played) -> Entry {
    Entry::SetAside {
        played,
        over: false,
    }
}

fn summary(test: &TestSpec, standing: &Standing) -> Summary {
    standing.summary(&test.spec, Duration::ZERO)
}

/// Pair `number` is that of seat 2 every third time.
fn seat(number: u64) -> u64 {
    1 + u64::from(number % 3 == 2)
}

#[test]
fn what_is_set_aside_is_played_again_before_a_fixed_test_ends() {
    let test = test("pairs = 3");
    let [first, second, third] = [(0, 1), (1, 2), (2, 1)].map(|(n, seat)| played(n, seat, 0));
    let mut standing = folded(&test, [Entry::Pair(first), Entry::Pair(second)]);
    let before = summary(&test, &standing);
    standing.take(set_aside(second)).expect("it is there");
    assert!(!standing.contains(1));
    let account = standing.crew()[&2];
    assert_eq!(
        (account.counted.pairs.pairs(), account.counted.time_losses),
        (0, 0)
    );
    assert_eq!(
        (account.aside.pairs.pairs(), account.aside.time_losses),
        (1, 2)
    );
    assert_eq!(standing.with_aside().0, before.pentanomial);
    standing.take(Entry::Pair(third)).expect("no contradiction");
    assert_eq!(standing.outcome(), None, "a pair is missing");
    let again = Played { seat: 1, ..second };
    standing.take(Entry::Pair(again)).expect("no contradiction");
    assert_eq!(standing.outcome(), Some(State::Finished));
    assert_eq!(standing.pairs(), 3);
}

#[test]
fn what_comes_from_somebody_set_aside_counts_when_it_is_brought_back() {
    let test = test("pairs = 3");
    let mut standing = folded(&test, [Entry::CameAside(played(1, 2, 2))]);
    assert_eq!(standing.pairs(), 0);
    standing
        .take(Entry::BroughtBack(played(1, 2, 2)))
        .expect("no contradiction");
    assert_eq!(standing.pairs(), 1);
    assert_eq!(standing.crew()[&2].aside.pairs.pairs(), 0);
}

#[test]
fn what_never_counted_cannot_be_set_aside() {
    let test = test("pairs = 3");
    let mut standing = folded(&test, [Entry::Pair(played(1, 2, 2))]);
    for wrong in [played(0, 2, 2), played(1, 2, 1)] {
        let refused = standing.take(set_aside(wrong));
        assert_eq!(refused, Err(Contradiction::NotCounted(wrong.pair)));
    }
    assert_eq!(standing.pairs(), 1);
}

#[test]
fn a_decision_stays_whatever_is_set_aside_afterwards() {
    let test = test(QUICK);
    let all: Vec<Played> = (0..60).map(|n| played(n, seat(n), 2)).collect();
    let mut standing = folded(&test, all.iter().copied().map(Entry::Pair));
    assert_eq!(standing.outcome(), Some(State::Accepted));
    let before = summary(&test, &standing);
    // Somebody was faster than the end of the test: then it is not said to be over.
    for (i, &played) in all.iter().filter(|played| played.seat == 2).enumerate() {
        let over = i % 2 == 0;
        let entry = Entry::SetAside { played, over };
        standing.take(entry).expect("it is there");
    }
    let after = summary(&test, &standing);
    assert_eq!(standing.outcome(), Some(State::Accepted));
    assert_eq!(after.sprt, before.sprt);
    assert_eq!(after.pairs, 40);
    assert_eq!(standing.with_aside().0, before.pentanomial);
}

#[test]
fn after_the_end_the_sequential_test_stays_where_it_was() {
    let test = test(OPEN);
    let mut standing = folded(&test, (0..9).map(|n| Entry::Pair(played(n, seat(n), 2))));
    let before = summary(&test, &standing);
    let entry = Entry::SetAside {
        played: played(2, 2, 2),
        over: true,
    };
    standing.take(entry).expect("it is there");
    assert_eq!(summary(&test, &standing).sprt, before.sprt);
    assert_eq!(standing.pairs(), 8);
}

proptest! {
    /// When all that was set aside was played again, the test stands as if nobody else had played
    /// it: totals, sequential test and decision.
    #[test]
    fn played_again_is_as_if_it_had_not_been_played_before(
        wins in prop::collection::vec(0usize..3, 2 * PAIRS as usize),
        order in Just((0..PAIRS).collect::<Vec<_>>()).prop_shuffle(),
        cut in 1..PAIRS as usize,
        lapsed in prop::option::of(0..PAIRS),
    ) {
        let test = test(OPEN);
        let first = |n: u64| played(n, seat(n), wins[n as usize]);
        let again = |n: u64| played(n, 1, wins[(n + PAIRS) as usize]);
        let mut entries = Vec::new();
        if let Some(pair) = lapsed {
            entries.push(Entry::Lapsed(PairRange { first: pair, count: 1 }));
        }
        entries.extend(order[..cut].iter().map(|&n| Entry::Pair(first(n))));
        let mut aside: Vec<u64> = order[..cut].iter().copied().filter(|&n| seat(n) == 2).collect();
        aside.sort_unstable();
        entries.extend(aside.iter().map(|&n| set_aside(first(n))));
        // What comes late from the same worker does not count either.
        let late = order[cut..].iter().copied().filter(|&n| seat(n) == 2);
        entries.extend(late.map(|n| Entry::CameAside(first(n))));
        let missing = order.iter().copied().filter(|&n| seat(n) == 2);
        entries.extend(missing.map(|n| Entry::Pair(again(n))));
        entries.extend(order[cut..].iter().filter(|&&n| seat(n) == 1).map(|&n| Entry::Pair(first(n))));

        let mut plain = Vec::new();
        if let Some(pair) = lapsed {
            plain.push(Entry::Lapsed(PairRange { first: pair, count: 1 }));
        }
        plain.extend((0..PAIRS).map(|n| Entry::Pair(if seat(n) == 2 { again(n) } else { first(n) })));

        let (mixed, plain) = (folded(&test, entries), folded(&test, plain));
        prop_assert_eq!(summary(&test, &mixed), summary(&test, &plain));
        prop_assert_eq!(mixed.outcome(), plain.outcome());
        prop_assert_eq!(mixed.crew()[&1], plain.crew()[&1]);
    }

    /// Set aside and brought back at once is nothing.
    #[test]
    fn brought_back_is_as_before(
        wins in prop::collection::vec(0usize..3, PAIRS as usize),
        order in Just((0..PAIRS).collect::<Vec<_>>()).prop_shuffle(),
        cut in 1..PAIRS as usize,
        back in Just((0..PAIRS).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let test = test(OPEN);
        let pair = |n: u64| played(n, seat(n), wins[n as usize]);
        let counted: Vec<u64> = order[..cut].to_vec();
        let before = folded(&test, counted.iter().map(|&n| Entry::Pair(pair(n))));
        let mut after = before.clone();
        let is_aside = |n: &u64| seat(*n) == 2 && counted.contains(n);
        for n in order.iter().copied().filter(is_aside) {
            after.take(set_aside(pair(n))).expect("it is there");
        }
        for n in back.into_iter().filter(is_aside) {
            after.take(Entry::BroughtBack(pair(n))).expect("no contradiction");
        }
        prop_assert_eq!(summary(&test, &after), summary(&test, &before));
        prop_assert_eq!(after.crew(), before.crew());
    }
}
