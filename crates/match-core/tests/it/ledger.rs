//! The set of finished games.

use engine_core::{Color, Outcome};
use match_core::fault::Fault;
use match_core::fixture::{EngineId, GameNumber, PairNumber};
use match_core::ledger::{Ledger, Novelty};
use match_core::verdict::{Verdict, VoidReason};
use proptest::prelude::*;
use stats::{Pentanomial, Trinomial};

use crate::sample::{contest, forfeit, mate_by, record, schedule, stalemate};

const A: EngineId = EngineId(0);
const B: EngineId = EngineId(1);

/// A ledger of games between two engines, in order: `1` White won, `0` Black won, `=` draw, blank
/// not played.
fn ledger(games: &str) -> Ledger {
    let schedule = schedule(&contest(2, 100, ""), 10);
    let mut ledger = Ledger::new();
    for (number, result) in games.chars().enumerate() {
        let verdict = match result {
            '1' => mate_by(Color::White),
            '0' => mate_by(Color::Black),
            '=' => stalemate(),
            _ => continue,
        };
        let fixture = schedule.fixture(GameNumber(number as u64));
        ledger
            .record(&record(fixture, verdict))
            .expect("a game is recorded once");
    }
    ledger
}

#[track_caller]
fn check(games: &str, wins_draws_losses: [u64; 3], pentanomial: [u64; 5]) {
    let ledger = ledger(games);
    let [wins, draws, losses] = wins_draws_losses;
    let expected = Trinomial {
        wins,
        draws,
        losses,
    };
    assert_eq!(ledger.standing(A).games, expected);
    assert_eq!(ledger.standing(B).games, expected.reversed());
    assert_eq!(ledger.encounter(A, B), expected);
    assert_eq!(ledger.encounter(B, A), expected.reversed());
    assert_eq!(ledger.all_pairs_of(A), Pentanomial(pentanomial));
    assert_eq!(ledger.pairs_of(B, A), Pentanomial(pentanomial).reversed());
    assert_eq!(ledger.games(), expected.games());
    assert_eq!(ledger.pairs(), Pentanomial(pentanomial).pairs());
}

#[test]
fn the_second_game_of_a_pair_is_seen_with_colours_swapped() {
    check("10", [2, 0, 0], [0, 0, 0, 0, 1]);
    check("01", [0, 0, 2], [1, 0, 0, 0, 0]);
    check("11", [1, 0, 1], [0, 0, 1, 0, 0]);
    check("1=", [1, 1, 0], [0, 0, 0, 1, 0]);
    check("=1", [0, 1, 1], [0, 1, 0, 0, 0]);
    check("==", [0, 2, 0], [0, 0, 1, 0, 0]);
}

#[test]
fn a_half_pair_counts_for_the_score_and_not_for_the_pentanomial() {
    check("1", [1, 0, 0], [0; 5]);
    check(" 1", [0, 0, 1], [0; 5]);
    check("10 1=", [2, 1, 1], [0, 0, 0, 0, 1]);
}

#[test]
fn an_empty_ledger_has_nothing_and_misses_everything() {
    check("", [0, 0, 0], [0; 5]);
    assert_eq!(ledger("").first_gap(), GameNumber(0));
}

#[test]
fn gaps_are_found_in_order() {
    let ledger = ledger("1 = 0");
    assert_eq!(ledger.first_gap(), GameNumber(1));
    let missing: Vec<u64> = ledger
        .missing_from(GameNumber(0))
        .take(3)
        .map(|game| game.0)
        .collect();
    assert_eq!(missing, [1, 3, 5]);
    assert_eq!(ledger.half_points(PairNumber(0)), None);
}

#[test]
fn recording_again_changes_nothing_and_a_contradiction_is_loud() {
    let fixture = schedule(&contest(2, 1, ""), 1).fixture(GameNumber(0));
    let mut ledger = Ledger::new();
    let won = record(fixture, mate_by(Color::White));
    assert_eq!(ledger.record(&won), Ok(Novelty::New));
    assert_eq!(ledger.record(&won), Ok(Novelty::Known));
    assert_eq!(ledger.games(), 1);

    let conflict = ledger
        .record(&record(fixture, stalemate()))
        .expect_err("two results of one game");
    assert_eq!(
        conflict.to_string(),
        "game 1 was `1-0` by checkmate and is now said to be `1/2-1/2` by stalemate"
    );
    assert_eq!(ledger.standing(A).games.wins, 1);
    assert_eq!(ledger.standing(A).games.draws, 0);
}

#[test]
fn void_games_are_counted_and_leave_their_number_open() {
    let fixture = schedule(&contest(2, 1, ""), 1).fixture(GameNumber(0));
    let mut ledger = Ledger::new();
    let void = |reason| record(fixture, Verdict::Void(reason));
    assert_eq!(
        ledger.record(&void(VoidReason::Host("suspended".to_owned()))),
        Ok(Novelty::Void)
    );
    assert_eq!(
        ledger.record(&void(VoidReason::Unneeded)),
        Ok(Novelty::Void)
    );
    assert_eq!((ledger.games(), ledger.voids()), (0, 1));
    assert_eq!(ledger.first_gap(), GameNumber(0));
}

#[test]
fn faults_are_counted_against_the_engine_at_fault() {
    let schedule = schedule(&contest(2, 4, ""), 1);
    let mut ledger = Ledger::new();
    let verdicts = [
        forfeit(Color::White, Fault::Crash),
        forfeit(
            Color::White,
            Fault::Stall {
                unanswered: "go".to_owned(),
            },
        ),
        // The flag fell, and the opponent has a bare king.
        Verdict::Forfeit {
            loser: Color::White,
            fault: Fault::TimeLoss {
                over: std::time::Duration::from_millis(7),
            },
            outcome: Outcome::Draw,
        },
        forfeit(
            Color::White,
            Fault::IllegalMove {
                text: "e2e5".to_owned(),
            },
        ),
    ];
    for (number, verdict) in (0..).zip(verdicts) {
        let fixture = schedule.fixture(GameNumber(number));
        ledger
            .record(&record(fixture, verdict))
            .expect("a game is recorded once");
    }
    let (a, b) = (ledger.standing(A), ledger.standing(B));
    assert_eq!((a.crashes, a.stalls), (1, 0));
    assert_eq!((a.time_losses, a.illegal_moves), (1, 0));
    assert_eq!((b.crashes, b.stalls), (0, 1));
    assert_eq!((b.time_losses, b.illegal_moves), (0, 1));
    assert_eq!((a.games.wins, a.games.draws, a.games.losses), (2, 1, 1));
    let endings: Vec<_> = ledger.endings().into_iter().collect();
    assert_eq!(
        endings,
        [
            ("crash", 1),
            ("illegal move", 1),
            ("stall", 1),
            ("time loss", 1)
        ]
    );
}

#[test]
fn a_range_of_numbers_far_out_needs_no_memory_for_those_before() {
    let schedule = schedule(&contest(2, 1_000_000_000_000, ""), 10);
    let mut ledger = Ledger::new();
    let far = GameNumber(1_999_999_999_999);
    ledger
        .record(&record(schedule.fixture(far), stalemate()))
        .expect("a game is recorded once");
    assert!(ledger.contains(far));
    assert!(!ledger.contains(GameNumber(far.0 - 1)));
}

/// A verdict that a number names.
fn verdict(kind: u8) -> Verdict {
    match kind {
        0 => mate_by(Color::White),
        1 => mate_by(Color::Black),
        2 => stalemate(),
        3 => forfeit(Color::White, Fault::Crash),
        _ => Verdict::Void(VoidReason::Cancelled),
    }
}

proptest! {
    #[test]
    fn totals_do_not_depend_on_order_or_repetition(
        engines in 2_usize..5,
        kinds in prop::collection::vec(0_u8..5, 1..60),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
    ) {
        let spec = contest(engines, 30, "");
        let schedule = schedule(&spec, 7);
        let records: Vec<_> = (0..)
            .zip(&kinds)
            .map(|(number, &kind)| record(schedule.fixture(GameNumber(number)), verdict(kind)))
            .collect();
        let mut straight = Ledger::new();
        let mut shuffled = Ledger::new();
        for record in &records {
            straight.record(record).expect("no contradiction");
        }
        let shuffling = order.iter().map(|index| index.get(&records));
        for record in shuffling.filter(|r| r.verdict.outcome().is_some()).chain(records.iter().rev()) {
            shuffled.record(record).expect("no contradiction");
        }
        prop_assert_eq!(straight.games(), shuffled.games());
        prop_assert_eq!(straight.endings(), shuffled.endings());
        for engine in (0..engines).map(EngineId) {
            prop_assert_eq!(straight.standing(engine), shuffled.standing(engine));
            prop_assert_eq!(straight.all_pairs_of(engine), shuffled.all_pairs_of(engine));
        }

        // Every point that one engine wins, another loses.
        let sum = (0..engines).map(EngineId).fold(Trinomial::default(), |sum, engine| {
            sum + straight.standing(engine).games
        });
        prop_assert_eq!(sum.wins, sum.losses);
        prop_assert_eq!(sum.games(), 2 * straight.games());
    }
}
