//! When the referee rules, by the scores of plies in a row.
//!
//! A script has a word a ply: the mover, its score (`m` for a mate, `?` for none), and `x` when the
//! ply is a capture or a pawn's move: `w-700 b+100 wm-5 b? w0x`.

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

use std::num::NonZeroU32;
use std::path::PathBuf;

use engine_core::{Color, Position};
use match_core::adjudication::{
    Adjudication, Adjudicators, Draw, Observation, Resign, Syzygy, Tablebase, TablebaseRulings, Wdl,
};
use match_core::verdict::Verdict;
use uci::Score;

use crate::table::{Table, told};

/// The first ruling and the ply on which it was made, for a game whose first ply of play is the
/// `first_ply`th, in full move `fullmove`.
fn ruling(rules: &Adjudication, first_ply: u32, mut fullmove: u32, script: &str) -> String {
    let mut adjudicators = Adjudicators::new(rules, None);
    let mut halfmove = 20;
    for (ply, word) in (first_ply..).zip(script.split_whitespace()) {
        let (mover, score) = word.split_at(1);
        let mover = if mover == "w" {
            Color::White
        } else {
            Color::Black
        };
        halfmove += 1;
        if score.ends_with('x') {
            halfmove = 0;
        }
        fullmove += u32::from(mover == Color::Black);
        let turn = (!mover).char();
        let position: Position = format!("r3k3/8/8/8/8/8/8/R3K3 {turn} - - {halfmove} {fullmove}")
            .parse()
            .unwrap();
        let score = match score.trim_end_matches('x') {
            "?" => None,
            score => Some(match score.strip_prefix('m') {
                Some(mate) => Score::Mate(mate.parse().unwrap()),
                None => Score::Centipawns(score.parse().unwrap()),
            }),
        };
        let ruling = adjudicators.observe(&Observation {
            ply,
            mover,
            position: &position,
            score,
        });
        if let Some(ruling) = ruling {
            return format!("{} at ply {ply}", told(&Verdict::Adjudicated(ruling)));
        }
    }
    "none".to_owned()
}

const fn count(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).expect("a count is not zero")
}

fn resign(moves: u32, score: u32, two_sided: bool) -> Adjudication {
    Adjudication {
        resign: Some(Resign {
            count: count(moves),
            score,
            two_sided,
        }),
        ..Adjudication::default()
    }
}

fn draw(after_move: u32, moves: u32, score: u32) -> Adjudication {
    Adjudication {
        draw: Some(Draw {
            after_move,
            count: count(moves),
            score,
        }),
        ..Adjudication::default()
    }
}

#[track_caller]
fn check(rules: &Adjudication, script: &str, want: &str) {
    assert_eq!(ruling(rules, 1, 1, script), want, "{script}");
}

#[test]
fn one_side_resigns_by_its_own_scores() {
    let rules = resign(3, 600, false);
    check(
        &rules,
        "w-700 b+100 w-700 b+100 w-700 b0",
        "0-1 resign adjudication since ply 1 at ply 5",
    );
    check(
        &rules,
        "w0 b-600 w0 b-600 w0 b-600",
        "1-0 resign adjudication since ply 2 at ply 6",
    );
    check(&rules, "w-599 b0 w-600 b0 w-600 b0", "none");
    check(&rules, "w-700 b0 w-700 b0 w0 b0 w-700 b0 w-700", "none");
    check(&rules, "w+700 b0 w+700 b0 w+700 b0 w+700", "none");
}

#[test]
fn two_sided_needs_both_to_say_so_in_a_row() {
    let rules = resign(3, 600, true);
    check(
        &rules,
        "w-700 b+100 w-700 b+100 w-700 b+100 w-700 b+100",
        "none",
    );
    check(
        &rules,
        "w-700 b+700 w-700 b+700 w-700 b+600",
        "0-1 resign adjudication since ply 1 at ply 6",
    );
    check(
        &rules,
        "w-700 b+599 w-700 b+700 w-700 b+700 w-700 b+700",
        "0-1 resign adjudication since ply 3 at ply 8",
    );
    check(
        &rules,
        "w-700 b-700 w-700 b-700 w-700 b-700 w-700 b-700",
        "none",
    );
    check(
        &rules,
        "w+700 b+700 w+700 b+700 w+700 b+700 w+700 b+700",
        "none",
    );
}

#[test]
fn being_mated_is_lost_and_mate_nought_says_nothing() {
    let rules = resign(3, 600, false);
    check(
        &rules,
        "wm-5 b0 w-900 b0 wm-3",
        "0-1 resign adjudication since ply 1 at ply 5",
    );
    check(&rules, "wm5 b0 wm4 b0 wm3 b0 wm2", "none");
    check(&rules, "wm-5 b0 wm0 b0 wm-3 b0 wm-3", "none");
    let rules = resign(2, 600, true);
    check(
        &rules,
        "wm5 bm-4 wm3 b-700",
        "1-0 resign adjudication since ply 1 at ply 4",
    );
    check(&rules, "wm5 bm-4 wm0 b-700 wm0 b-700", "none");
}

#[test]
fn a_missing_score_breaks_a_streak() {
    check(
        &resign(3, 600, false),
        "w-700 b? w-700 b? w? b? w-700 b? w-700",
        "none",
    );
    check(
        &resign(3, 600, false),
        "w-700 b? w-700 b? w-700",
        "0-1 resign adjudication since ply 1 at ply 5",
    );
    check(
        &resign(2, 600, true),
        "w-700 b700 w-700 b? w-700 b700 w-700",
        "none",
    );
    check(&draw(0, 2, 10), "w0 b0 w0 b? w0 b0 w0", "none");
}

#[test]
fn a_draw_needs_both_sides_near_zero() {
    let rules = draw(0, 2, 10);
    check(
        &rules,
        "w10 b-10 w0 b5",
        "1/2-1/2 draw adjudication since ply 1 at ply 4",
    );
    check(
        &rules,
        "w0 b11 w0 b0 w0 b0",
        "1/2-1/2 draw adjudication since ply 3 at ply 6",
    );
    check(&rules, "w0 b20 w0 b20 w0 b20", "none");
    check(&rules, "w0 bm3 w0 b0 w0 bm-3 w0 b0 w0 bm0 w0", "none");
    check(
        &draw(0, 1, 0),
        "w0 b0",
        "1/2-1/2 draw adjudication since ply 1 at ply 2",
    );
}

#[test]
fn a_capture_or_pawns_move_starts_again_and_may_be_the_first() {
    let rules = draw(0, 2, 10);
    check(
        &rules,
        "w0 b0 w0 b0x w0 b0 w0",
        "1/2-1/2 draw adjudication since ply 4 at ply 7",
    );
    check(&rules, "w0x b0x w0x b0x w0x b0x", "none");
    check(&rules, "w0 b0 w0 b50x w0 b0 w0", "none");
}

#[test]
fn a_draw_waits_for_its_move_and_the_streak_may_be_older() {
    let rules = draw(4, 2, 10);
    check(
        &rules,
        "w0 b0 w0 b0 w0 b0 w0 b0 w0",
        "1/2-1/2 draw adjudication since ply 1 at ply 8",
    );
    // Black is to move in move 3, and makes its fifth move on the fifth ply.
    assert_eq!(
        ruling(&draw(5, 2, 10), 1, 3, "b0 w0 b0 w0 b0 w0"),
        "1/2-1/2 draw adjudication since ply 1 at ply 5",
    );
}

#[test]
fn a_book_of_moves_and_a_book_of_positions_are_ruled_alike() {
    // Eight moves of a book, or the position after them with its counters: play begins in move 9.
    let rules = draw(34, 8, 20);
    let script = "w5 b-5 ".repeat(40);
    let moves = ruling(&rules, 17, 9, &script);
    let position = ruling(&rules, 1, 9, &script);
    assert_eq!(moves, "1/2-1/2 draw adjudication since ply 17 at ply 68");
    assert_eq!(position, "1/2-1/2 draw adjudication since ply 1 at ply 52");

    let script = "w900x b-900 ".to_owned() + &"w1000 b-1000 ".repeat(20);
    assert_eq!(
        ruling(&draw(0, 9, 1000), 1, 1, &script),
        "1/2-1/2 draw adjudication since ply 1 at ply 18",
        "after the ninth full move",
    );
}

#[test]
fn a_game_that_is_too_long_is_a_draw_after_so_many_full_moves_of_play() {
    let rules = Adjudication {
        max_moves: Some(count(2)),
        ..Adjudication::default()
    };
    check(
        &rules,
        "w900 b900 w? b? w?",
        "1/2-1/2 move limit since ply 4 at ply 4",
    );
    assert_eq!(
        ruling(&rules, 17, 9, "w0 b0 w0 b0"),
        "1/2-1/2 move limit since ply 20 at ply 20"
    );
    assert_eq!(
        ruling(&rules, 18, 9, "b0 w0 b0 w0"),
        "1/2-1/2 move limit since ply 21 at ply 21",
        "whoever moves first"
    );
}

#[test]
fn they_are_asked_in_their_order() {
    let rules = Adjudication {
        resign: Some(Resign {
            count: count(1),
            score: 5,
            two_sided: false,
        }),
        draw: Some(Draw {
            after_move: 0,
            count: count(1),
            score: 10,
        }),
        max_moves: Some(count(1)),
        syzygy: None,
    };
    check(
        &rules,
        "w0 b-5",
        "1-0 resign adjudication since ply 2 at ply 2",
    );
    let rules = Adjudication {
        resign: None,
        ..rules
    };
    check(
        &rules,
        "w0 b-5",
        "1/2-1/2 draw adjudication since ply 1 at ply 2",
    );
}

/// Knows one worth for everything.
#[derive(Debug)]
struct Oracle(Option<Wdl>);

impl Tablebase for Oracle {
    fn probe(&self, _position: &Position) -> Option<Wdl> {
        self.0
    }
}

fn syzygy(table: Table, fifty_move_rule: bool, rulings: TablebaseRulings) -> Table {
    table.adjudication(|rules| {
        rules.syzygy = Some(Syzygy {
            paths: vec![PathBuf::from("tables")],
            pieces: 5,
            fifty_move_rule,
            rulings,
        });
    })
}

/// What a capture on e2 brings when Black, to move then, is worth `wdl`.
fn after_capture(wdl: Option<Wdl>, fifty_move_rule: bool, rulings: TablebaseRulings) -> String {
    let fen = "4k3/8/8/8/8/8/p3r3/4K2R w - - 7 40";
    let table = syzygy(Table::new("1"), fifty_move_rule, rulings)
        .fen(fen)
        .tablebase(Oracle(wdl));
    table.play_out("e1e2")
}

#[test]
fn tablebases_rule_what_they_know() {
    let all = |wdl| after_capture(Some(wdl), true, TablebaseRulings::All);
    let by = "tablebase adjudication since ply 1";
    assert_eq!(all(Wdl::Win), format!("0-1 {by}"));
    assert_eq!(all(Wdl::Loss), format!("1-0 {by}"));
    for drawn in [Wdl::Draw, Wdl::CursedWin, Wdl::BlessedLoss] {
        assert_eq!(all(drawn), format!("1/2-1/2 {by}"));
    }
    assert_eq!(after_capture(None, true, TablebaseRulings::All), "none");
    let without_fifty = |wdl| after_capture(Some(wdl), false, TablebaseRulings::All);
    assert_eq!(without_fifty(Wdl::CursedWin), format!("0-1 {by}"));
    assert_eq!(without_fifty(Wdl::BlessedLoss), format!("1-0 {by}"));
}

#[test]
fn results_that_are_not_wanted_are_played_on() {
    let some = |wdl, rulings| after_capture(Some(wdl), true, rulings) != "none";
    assert!(!some(Wdl::Draw, TablebaseRulings::WinLoss));
    assert!(!some(Wdl::CursedWin, TablebaseRulings::WinLoss));
    assert!(some(Wdl::Win, TablebaseRulings::WinLoss));
    assert!(some(Wdl::Draw, TablebaseRulings::Draw));
    assert!(!some(Wdl::Loss, TablebaseRulings::Draw));
}

#[test]
fn tablebases_are_asked_only_where_they_cannot_be_wrong() {
    let asked = |fen: &str, mv: &str| {
        let table = syzygy(Table::new("1"), true, TablebaseRulings::All).fen(fen);
        table.tablebase(Oracle(Some(Wdl::Draw))).play_out(mv) != "none"
    };
    assert!(
        asked("4k3/8/8/8/8/8/P3p3/4K3 w - - 7 40", "e1e2"),
        "a capture"
    );
    assert!(
        asked("4k3/8/8/8/8/8/P3p3/4K3 w - - 7 40", "a2a3"),
        "a pawn's move"
    );
    assert!(
        !asked("4k3/8/8/8/8/8/P3p3/4K3 w - - 7 40", "e1f2"),
        "the fifty-move rule may come first"
    );
    assert!(
        !asked("4k2r/8/8/8/8/8/P3p3/4K3 w k - 7 40", "a2a3"),
        "castling is not in the tables"
    );
    assert!(
        !asked("4k3/8/8/8/8/rr6/PP2p3/4K3 w - - 7 40", "e1e2"),
        "too many men"
    );
}

#[test]
fn the_laws_come_first() {
    let table = syzygy(Table::new("1"), true, TablebaseRulings::All)
        .fen("8/P7/8/8/8/5k2/8/7K w - - 0 1")
        .tablebase(Oracle(Some(Wdl::Win)));
    assert_eq!(table.play_out("a7a8b"), "1/2-1/2 insufficient material");
}
