//! FEN read and written; setups refused.

use engine_core::{CastlingSide, Color, FenStyle, Position, Setup, Square};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Reads a FEN: what X-FEN and Shredder-FEN it is written as, or why it is refused.
#[track_caller]
fn check(fen: &str, want: Result<(&str, &str), &str>) {
    let found = fen
        .parse::<Position>()
        .map(|position| (position.fen(), position.fen_shredder()));
    match (found, want) {
        (Ok((xfen, shredder)), Ok(want)) => assert_eq!((&*xfen, &*shredder), want),
        (Err(error), Err(want)) => assert_eq!(error.to_string(), want),
        (found, want) => panic!("{fen}: found {found:?}, want {want:?}"),
    }
}

#[track_caller]
fn check_same(fen: &str, xfen: &str) {
    check_written(fen, xfen);
    check_written(xfen, xfen);
}

#[track_caller]
fn check_written(fen: &str, xfen: &str) {
    assert_eq!(
        fen.parse::<Position>().map(|position| position.fen()),
        Ok(xfen.to_owned())
    );
}

#[track_caller]
fn refuse(fen: &str, reason: &str) {
    check(fen, Err(reason));
}

#[test]
fn counters_may_be_missing_and_blanks_many() {
    let want = format!("{START} w KQkq - 0 1");
    check_same(&format!("{START} w KQkq -"), &want);
    check_same(&format!("{START} w KQkq - 0"), &want);
    check_same(&format!("  {START}\tw  KQkq - 0 1 \r\n"), &want);
    check_same(&format!("{START} w KQkq - 0 0"), &want);
    check_same(
        &format!("{START} w KQkq - 7 31"),
        &format!("{START} w KQkq - 7 31"),
    );
}

#[test]
fn missing_fields_are_named() {
    refuse("", "the FEN ends before the piece field");
    refuse(START, "the FEN ends before the side to move");
    refuse(
        &format!("{START} w"),
        "the FEN ends before the castling field",
    );
    refuse(
        &format!("{START} w KQkq"),
        "the FEN ends before the en passant field",
    );
}

#[test]
fn a_malformed_piece_field_is_refused() {
    refuse("8/8/8/8/8/8/8 w - -", "the piece field has 7 ranks, not 8");
    refuse(
        "4k3/8/8/8/8/8/8/8/4K3 w - -",
        "the piece field has 9 ranks, not 8",
    );
    refuse(
        "4k3/8/8/8/8/8/8/4K4 w - -",
        "rank 1 of the piece field, `4K4`, has not 8 squares",
    );
    refuse(
        "4k3/ppppppppp/8/8/8/8/8/4K3 w - -",
        "rank 7 of the piece field, `ppppppppp`, has not 8 squares",
    );
    refuse(
        "4k3/7/8/8/8/8/8/4K3 w - -",
        "rank 7 of the piece field, `7`, has not 8 squares",
    );
    for (rank, letter) in [
        ("44", '4'),
        ("9", '9'),
        ("0pppppppp", '0'),
        ("4x3", 'x'),
        ("4é3", 'é'),
    ] {
        refuse(
            &format!("4k3/{rank}/8/8/8/8/8/4K3 w - -"),
            &format!(
                "`{letter}` in rank 7 of the piece field is neither one of `pnbrqkPNBRQK` nor a single digit `1` to `8`"
            ),
        );
    }
}

#[test]
fn other_malformed_fields_are_refused() {
    refuse(
        &format!("{START} W KQkq - 0 1"),
        "the side to move is `W`, not `w` or `b`",
    );
    refuse(
        &format!("{START} w KQkx - 0 1"),
        "the castling field is `KQkx`, not `-` or letters of `KQkq`, `A`-`H`, `a`-`h`",
    );
    refuse(
        &format!("{START} w K- - 0 1"),
        "the castling field is `K-`, not `-` or letters of `KQkq`, `A`-`H`, `a`-`h`",
    );
    refuse(
        &format!("{START} w KQkq e9 0 1"),
        "the en passant field is `e9`, not `-` or a square",
    );
    for clock in ["-1", "+1", "x", "1.5", "65536", "0;"] {
        refuse(
            &format!("{START} w KQkq - {clock} 1"),
            &format!("the half-move clock is `{clock}`, not a number from 0 to 65535"),
        );
    }
    for number in ["-1", "1;", "x", "4294967296"] {
        refuse(
            &format!("{START} w KQkq - 0 {number}"),
            &format!("the move number is `{number}`, not a number from 0 to 4294967295"),
        );
    }
    refuse(
        &format!("{START} w KQkq - 0 1 ;"),
        "`;` follows the last field of the FEN",
    );
    refuse(
        &format!("{START} w KQkq - 0 1 bm e4"),
        "`bm` follows the last field of the FEN",
    );
}

#[test]
fn castling_letters_may_come_in_any_order_but_not_twice() {
    let want = format!("{START} w KQkq - 0 1");
    for field in ["kqQK", "HAha", "ahAH", "KAhq"] {
        check_same(&format!("{START} w {field} - 0 1"), &want);
    }
    for field in ["KKqq", "KQkqK", "KH", "aq"] {
        refuse(
            &format!("{START} w {field} - 0 1"),
            &format!("the castling field `{field}` gives one right twice"),
        );
    }
    // Two files on one side of the king are two rooks for one right.
    refuse(
        "4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1",
        "the castling field `AB` gives one right twice",
    );
}

#[test]
fn an_inner_rook_is_written_with_its_file_and_the_outermost_with_its_side() {
    check(
        "rr2k3/8/8/8/8/8/8/4K3 b q - 0 1",
        Ok((
            "rr2k3/8/8/8/8/8/8/4K3 b q - 0 1",
            "rr2k3/8/8/8/8/8/8/4K3 b a - 0 1",
        )),
    );
    check(
        "rr2k3/8/8/8/8/8/8/4K3 b a - 0 1",
        Ok((
            "rr2k3/8/8/8/8/8/8/4K3 b q - 0 1",
            "rr2k3/8/8/8/8/8/8/4K3 b a - 0 1",
        )),
    );
    check(
        "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1",
        Ok((
            "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1",
            "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1",
        )),
    );
    check(
        "4k3/8/8/8/8/8/8/4KRRR w F - 0 1",
        Ok((
            "4k3/8/8/8/8/8/8/4KRRR w F - 0 1",
            "4k3/8/8/8/8/8/8/4KRRR w F - 0 1",
        )),
    );
    check(
        "4k3/8/8/8/8/8/8/r1R1K3 w Q - 0 1",
        Ok((
            "4k3/8/8/8/8/8/8/r1R1K3 w Q - 0 1",
            "4k3/8/8/8/8/8/8/r1R1K3 w C - 0 1",
        )),
    );
}

#[test]
fn impossible_castling_rights_are_refused() {
    refuse(
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "white may castle with a rook on `h1`, but has none there",
    );
    refuse(
        "4k3/8/8/8/8/8/8/4K2r w K - 0 1",
        "white may castle with a rook on `h1`, but has none there",
    );
    refuse(
        "4k2R/8/8/8/8/8/8/4K3 b k - 0 1",
        "black may castle with a rook on `h8`, but has none there",
    );
    refuse(
        "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
        "white may castle, but its king is on `e2`, not on its back rank",
    );
    refuse(
        "4k3/8/8/8/8/8/8/R3K2R w E - 0 1",
        "white may castle with a rook on `e1`, but has none there",
    );
    refuse(
        "nbqrnkbr/pppppppp/8/8/8/8/PPPPPPPP/NBQRNKBR w GBgb - 0 1",
        "white may castle with a rook on `b1`, but has none there",
    );
}

#[test]
fn impossible_kings_and_pawns_are_refused() {
    refuse("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has no king");
    refuse("4k3/8/8/8/8/8/8/8 w - - 0 1", "white has no king");
    refuse(
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
        "white has 2 kings, not one",
    );
    refuse(
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "a pawn stands on `h8`, a last rank",
    );
    refuse(
        "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
        "a pawn stands on `a1`, a last rank",
    );
    refuse(
        "8/8/8/3kK3/8/8/8/8 w - - 0 1",
        "the black king on `d5` is attacked, and it is white's turn to move",
    );
    refuse(
        "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "the white king on `e1` is attacked, and it is black's turn to move",
    );
}

#[test]
fn an_en_passant_square_no_pawn_passed_is_refused() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1",
        "rnbqkbnr/ppp2ppp/3p4/3pP3/8/8/PPP2PPP/RNBQKBNR w KQkq d6 0 1",
        "rnbqkbnr/pppp1ppp/8/3pP3/8/8/PPP2PPP/RNBQKBNR w KQkq d6 0 1",
        "rnbqkbnr/ppp1pppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1",
        "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d5 0 1",
    ] {
        let square = fen.split(' ').nth(3).expect("an en passant field");
        refuse(
            fen,
            &format!(
                "the en passant square is `{square}`, but no pawn can just have passed over it"
            ),
        );
    }
}

#[test]
fn the_en_passant_square_is_kept_only_when_a_capture_is_legal() {
    let kept = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    check_same(kept, kept);
    // No pawn beside it; a pinned pawn; both pawns leave the king's rank; in check from elsewhere.
    check_same(
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 3",
        "4k3/8/8/3p4/8/8/8/4K3 w - - 0 3",
    );
    check_same(
        "4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 3",
        "4k3/4r3/8/3pP3/8/8/8/4K3 w - - 0 3",
    );
    check_same(
        "8/8/8/r1pP2K1/8/8/8/4k3 w - c6 0 1",
        "8/8/8/r1pP2K1/8/8/8/4k3 w - - 0 1",
    );
    check_same(
        "4k3/8/8/2pP4/8/8/4r3/4K3 w - c6 0 1",
        "4k3/8/8/2pP4/8/8/4r3/4K3 w - - 0 1",
    );
    // Pinned along the capture, and the capture of the checking pawn itself.
    for kept in [
        "4k3/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 1",
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    ] {
        check_same(kept, kept);
    }
}

#[test]
fn more_pieces_than_a_game_can_have_are_accepted() {
    let fen = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
    check_same(fen, fen);
    let position: Position = fen.parse().expect("a legal position");
    assert_eq!(position.legal_moves().len(), 270);
}

#[test]
fn a_setup_holds_what_no_position_may() {
    let fen = "8/8/8/8/8/8/8/p7 b Kq e3 9 40";
    let setup: Setup = fen.parse().expect("a FEN");
    assert_eq!(setup.fen(FenStyle::XFen), fen);
    assert_eq!(
        setup.fen(FenStyle::Shredder),
        "8/8/8/8/8/8/8/p7 b Ha e3 9 40"
    );
    assert!(Position::try_from(setup).is_err());
}

#[test]
fn a_position_and_its_setup_are_the_same() {
    let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 31";
    let position: Position = fen.parse().expect("a legal position");
    let setup = position.to_setup();
    assert_eq!(setup.en_passant, Some(Square::D6));
    assert_eq!(
        setup.castling[Color::Black].get(CastlingSide::AFile),
        Some(engine_core::File::A)
    );
    assert_eq!(Position::from_setup(&setup), Ok(position));
    assert_eq!(setup, fen.parse().expect("a FEN"));
}

#[test]
fn the_start_positions_have_scharnagls_numbers() {
    let fen = |number| Position::chess960_start(number).expect("below 960").fen();
    assert_eq!(fen(518), format!("{START} w KQkq - 0 1"));
    assert_eq!(
        fen(0),
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    );
    assert_eq!(
        fen(124),
        "nbqrnkbr/pppppppp/8/8/8/8/PPPPPPPP/NBQRNKBR w KQkq - 0 1"
    );
    assert_eq!(
        fen(959),
        "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1"
    );
    let double = Position::double_chess960_start(518, 0).expect("below 960");
    assert_eq!(
        double.fen(),
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert_eq!(
        double.fen_shredder(),
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1"
    );
    let error = Position::chess960_start(960).expect_err("too large");
    assert_eq!(
        error.to_string(),
        "Chess960 start position `960` is not one of 0 to 959"
    );
}

#[test]
fn only_unusual_castling_rights_need_chess960() {
    let needs = |fen: &str| {
        fen.parse::<Position>()
            .expect("a legal position")
            .needs_chess960()
    };
    assert!(!needs(&format!("{START} w KQkq - 0 1")));
    assert!(!needs(
        "nbqrnkbr/pppppppp/8/8/8/8/PPPPPPPP/NBQRNKBR w - - 0 1"
    ));
    assert!(needs(
        "nbqrnkbr/pppppppp/8/8/8/8/PPPPPPPP/NBQRNKBR w KQkq - 0 1"
    ));
    assert!(needs("r2k3r/8/8/8/8/8/8/4K3 w kq - 0 1"));
    assert!(needs("1r2k3/8/8/8/8/8/8/4K3 w q - 0 1"));
}
