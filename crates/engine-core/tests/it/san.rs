//! SAN, written strictly and read leniently.

use engine_core::{CastlingStyle, Position, San, SanError};
use proptest::prelude::*;
use proptest::sample::Index;

/// Every spelling means the move that is written in UCI.
#[track_caller]
fn check_same(fen: &str, uci: &str, spellings: &[&str]) {
    let position: Position = fen.parse().expect("a legal position");
    let style = if position.needs_chess960() {
        CastlingStyle::Chess960
    } else {
        CastlingStyle::Standard
    };
    let mv = position.parse_uci(uci, style).expect(uci);
    assert_eq!(position.san(mv), spellings[0], "{fen}");
    for spelling in spellings {
        assert_eq!(
            position.parse_san(spelling),
            Ok(mv),
            "`{spelling}` in {fen}"
        );
    }
}

#[track_caller]
fn check_error(fen: &str, san: &str, expected: &str) {
    let position: Position = fen.parse().expect("a legal position");
    let error = position.parse_san(san).expect_err(san);
    assert_eq!(error.to_string(), expected, "`{san}` in {fen}");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KNIGHTS: &str = "8/3N2k1/8/3N4/6N1/8/8/K7 w - - 0 1";
const QUEENS: &str = "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1";

#[test]
fn disambiguation_is_file_before_rank_before_both() {
    check_same(KNIGHTS, "d5f6", &["N5f6"]);
    check_same(KNIGHTS, "d7f6", &["N7f6"]);
    check_same(KNIGHTS, "g4f6", &["Ngf6"]);
    check_same(QUEENS, "h4e1", &["Qh4e1"]);
    check_same(QUEENS, "e4e1", &["Qee1"]);
    check_same(QUEENS, "h1e1", &["Q1e1"]);
    // The other knight is pinned, so there is nothing to tell apart.
    check_same(
        "4k3/8/8/8/4r3/8/4N3/4K1N1 w - - 0 1",
        "g1f3",
        &["Nf3", "Ngf3", "Ng1f3"],
    );
}

#[test]
fn too_much_disambiguation_is_read() {
    check_same(
        START,
        "g1f3",
        &["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "g1-f3"],
    );
    check_same(START, "e2e4", &["e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4"]);
    check_same(
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "e4d5",
        &["exd5", "ed5", "e4xd5", "e4:d5", "exd5+", "e4d5", "Pxd5"],
    );
}

#[test]
fn castling_is_read_in_all_spellings() {
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check_same(
        castle,
        "e1g1",
        &[
            "O-O", "0-0", "o-o", "O-O+", "O-O!?", "e1g1", "Ke1g1", "Ke1-g1",
        ],
    );
    check_same(
        castle,
        "e1c1",
        &["O-O-O", "0-0-0", "o-o-o", "O-O-O#", "e1c1"],
    );
    check_same("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", &["O-O", "0-0"]);
    check_error(
        castle.replace('w', "b").as_str(),
        "O-O-O-O",
        "`O-O-O-O` is not a move",
    );
    check_error(
        START,
        "O-O",
        "`O-O` is illegal: castling is not allowed here",
    );
}

#[test]
fn promotion_is_read_with_every_mark_but_not_without_a_letter() {
    let promote = "8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1";
    check_same(
        promote,
        "a7a8q",
        &[
            "a8=Q", "a8Q", "a8=q", "a8q", "a8(Q)", "a8/Q", "a7a8q", "a7-a8=Q",
        ],
    );
    check_same(promote, "a7a8b", &["a8=B", "a8B", "a8b", "a8=b", "a7a8b"]);
    check_error(
        promote,
        "a8",
        "`a8` is ambiguous: it may be `a8=Q`, `a8=R`, `a8=B` or `a8=N`",
    );
    check_error(promote, "a8=K", "`a8=K` is not a move");
    check_error(promote, "Kb1=Q", "`Kb1=Q` is not a move");
    let capture = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1";
    check_same(
        capture,
        "a7b8b",
        &["axb8=B", "axb8b", "ab8b", "a7xb8=b", "axb8B"],
    );
}

#[test]
fn en_passant_may_be_marked() {
    let passed = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    check_same(
        passed,
        "e5d6",
        &[
            "exd6",
            "exd6 e.p.",
            "exd6e.p.",
            "exd6 ep",
            "exd6ep",
            "exd6 e.p",
            "exd6+ e.p.",
        ],
    );
}

#[test]
fn glyphs_and_nags_are_passed_over() {
    check_same(
        START,
        "g1f3",
        &[
            "Nf3",
            "Nf3!",
            "Nf3??",
            "Nf3!?",
            "Nf3 !?",
            "Nf3+",
            "Nf3#",
            "Nf3++",
            "Nf3 $14 $2",
            " Nf3 ",
        ],
    );
    check_error(START, "Nf3=", "`Nf3=` is not a move");
    check_error(START, "Nf3 e5", "`Nf3 e5` is not a move");
}

#[test]
fn check_and_mate_are_written() {
    check_same(
        "7k/5Q2/6K1/8/8/8/8/8 w - - 99 120",
        "f7g7",
        &["Qg7#", "Qg7", "Qg7+"],
    );
    check_same(
        "7k/8/6K1/8/8/8/8/5Q2 w - - 99 120",
        "f1a1",
        &["Qa1+", "Qa1"],
    );
    check_same("6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 4 31", "a2a1", &["Ra1#"]);
}

#[test]
fn an_ambiguous_move_lists_what_it_may_be() {
    check_error(
        QUEENS,
        "Qe1",
        "`Qe1` is ambiguous: it may be `Q1e1`, `Qee1` or `Qh4e1`",
    );
    check_error(
        KNIGHTS,
        "Ndf6",
        "`Ndf6` is ambiguous: it may be `N5f6` or `N7f6`",
    );
}

#[test]
fn an_illegal_move_says_why() {
    check_error(
        START,
        "Nf4",
        "`Nf4` is illegal: no such knight can go to `f4`",
    );
    check_error(
        START,
        "Nbf3",
        "`Nbf3` is illegal: no such knight can go to `f3`",
    );
    check_error(START, "e5", "`e5` is illegal: no such pawn can go to `e5`");
    check_error(
        START,
        "exd3",
        "`exd3` is illegal: no such pawn can go to `d3`",
    );
    check_error(
        START,
        "Rg1f3",
        "`Rg1f3` is illegal: no such rook can go to `f3`",
    );
    let pinned = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1";
    check_error(
        pinned,
        "Nc3",
        "`Nc3` is illegal: it leaves the king in check",
    );
    check_error(pinned, "Kf9", "`Kf9` is not a move");
    // A bare square is a step, even where only a capture goes there.
    let capture = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    check_error(
        capture,
        "d5",
        "`d5` is illegal: no such pawn can go to `d5`",
    );
}

#[test]
fn a_null_move_has_its_own_name() {
    for null in ["--", "Z0", "null", "@@@@", "0000"] {
        assert_eq!(null.parse::<San>(), Err(SanError::NullMove));
    }
}

#[test]
fn what_was_read_is_shown_in_the_standards_form() {
    for (text, shown) in [
        ("0-0-0", "O-O-O"),
        ("e7-e5", "e7e5"),
        ("Bf1:b5", "Bf1xb5"),
        ("a8q", "a8=Q"),
        ("Nbd2!?", "Nbd2"),
    ] {
        assert_eq!(text.parse::<San>().expect(text).to_string(), shown);
    }
}

/// Positions from the start, Chess960 starts among them, after random moves.
fn random_position() -> impl Strategy<Value = Position> {
    (0u16..960, proptest::collection::vec(any::<Index>(), 0..80)).prop_map(|(number, choices)| {
        let mut position = Position::chess960_start(number).expect("below 960");
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(*choice.get(&moves));
        }
        position
    })
}

proptest! {
    #[test]
    fn every_legal_move_is_read_as_it_is_written_and_no_two_are_written_alike(
        position in random_position()
    ) {
        let moves = position.legal_moves();
        let mut sans: Vec<String> = Vec::new();
        for &mv in &moves {
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(&san), Ok(mv));
            let bare = san.trim_end_matches(['+', '#']);
            prop_assert_eq!(position.parse_san(bare), Ok(mv));
            // Long algebraic notation, all disambiguation given.
            if !bare.starts_with('O') {
                let role = position.role_at(mv.from).expect("a piece moves");
                let promotion = mv.promotion.map(|role| role.char().to_string());
                let long = format!("{}{}-{}{}", role.upper_char(), mv.from, mv.to, promotion.unwrap_or_default());
                prop_assert_eq!(position.parse_san(&long), Ok(mv));
            }
            sans.push(bare.to_owned());
        }
        sans.sort();
        sans.dedup();
        prop_assert_eq!(sans.len(), moves.len());
    }

    #[test]
    fn no_text_is_too_strange(
        text in "[a-hNBRQKO0-9xX=+#!?. ep-]{0,12}|\\PC{0,12}",
        position in random_position()
    ) {
        match position.parse_san(&text) {
            Ok(mv) => prop_assert!(position.is_legal(mv)),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
