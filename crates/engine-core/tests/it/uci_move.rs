//! Moves as UCI writes them.

use engine_core::{CastlingStyle, Move, Position, Role, Square, UciMoveError};
use proptest::prelude::*;

use CastlingStyle::{Chess960, Standard};

#[track_caller]
fn check(fen: &str, style: CastlingStyle, text: &str, expected: Result<Move, UciMoveError>) {
    let position: Position = fen.parse().expect("a legal position");
    assert_eq!(
        position.parse_uci(text, style),
        expected,
        "`{text}` in {fen}"
    );
}

const CASTLE: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const PROMOTE: &str = "8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1";

#[test]
fn standard_castling_is_the_kings_two_steps() {
    let (short, long) = (
        Move::new(Square::E1, Square::H1),
        Move::new(Square::E1, Square::A1),
    );
    check(CASTLE, Standard, "e1g1", Ok(short));
    check(CASTLE, Standard, "e1c1", Ok(long));
    let wrong = UciMoveError::CastlingStyle(Standard);
    check(CASTLE, Standard, "e1h1", Err(wrong));
    check(CASTLE, Standard, "e1a1", Err(wrong));
    let position: Position = CASTLE.parse().expect("legal");
    assert_eq!(position.uci(short, Standard), "e1g1");
    assert_eq!(position.uci(long, Standard), "e1c1");
}

#[test]
fn chess960_castling_is_king_takes_own_rook() {
    let (short, long) = (
        Move::new(Square::E1, Square::H1),
        Move::new(Square::E1, Square::A1),
    );
    check(CASTLE, Chess960, "e1h1", Ok(short));
    check(CASTLE, Chess960, "e1a1", Ok(long));
    check(
        CASTLE,
        Chess960,
        "e1g1",
        Err(UciMoveError::CastlingStyle(Chess960)),
    );
    let beside = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    check(
        beside,
        Chess960,
        "f1g1",
        Ok(Move::new(Square::F1, Square::G1)),
    );
    check(
        beside,
        Chess960,
        "f1h1",
        Ok(Move::new(Square::F1, Square::H1)),
    );
    let position: Position = CASTLE.parse().expect("legal");
    assert_eq!(position.uci(short, Chess960), "e1h1");
}

#[test]
fn castling_that_is_not_allowed_is_called_so() {
    let attacked = "4kr2/8/8/8/8/8/8/4K2R w K - 0 1";
    check(attacked, Standard, "e1g1", Err(UciMoveError::Castling));
    check(attacked, Chess960, "e1h1", Err(UciMoveError::Castling));
    let no_right = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    check(no_right, Standard, "e1g1", Err(UciMoveError::Castling));
}

#[test]
fn the_promotions_letter_may_be_in_upper_case() {
    let queen = Move::promoting(Square::C7, Square::C8, Role::Queen);
    check(PROMOTE, Standard, "c7c8q", Ok(queen));
    check(PROMOTE, Standard, "c7c8Q", Ok(queen));
    let position: Position = PROMOTE.parse().expect("legal");
    assert_eq!(position.uci(queen, Standard), "c7c8q");
    check(PROMOTE, Standard, "C7C8q", Err(UciMoveError::Syntax));
    check(
        PROMOTE,
        Standard,
        "c7c8",
        Err(UciMoveError::PromotionMissing),
    );
    check(PROMOTE, Standard, "c7c8k", Err(UciMoveError::Syntax));
    check(PROMOTE, Standard, "c7c8p", Err(UciMoveError::Syntax));
    check(
        PROMOTE,
        Standard,
        "a1b1q",
        Err(UciMoveError::PromotionMisplaced),
    );
}

#[test]
fn no_move_is_told_from_a_bad_one() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check(start, Standard, "0000", Err(UciMoveError::Null));
    check(start, Standard, "(none)", Err(UciMoveError::NoMove));
    check(start, Standard, "", Err(UciMoveError::NoMove));
    check(
        start,
        Standard,
        "a1a1",
        Err(UciMoveError::SameSquare(Square::A1)),
    );
    check(
        "4k3/8/8/8/8/8/8/qRK5 w B - 0 1",
        Standard,
        "c1c1",
        Err(UciMoveError::SameSquare(Square::C1)),
    );
    for nonsense in [
        "e2", "e2e", "e2e9", "i2i4", "e2-e4", "Nf3", "e2e4e5", " e2e4", "e2e4\0",
    ] {
        check(start, Standard, nonsense, Err(UciMoveError::Syntax));
    }
}

#[test]
fn an_illegal_move_says_why() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let unreachable = |role, from, to| Err(UciMoveError::Unreachable { role, from, to });
    check(
        start,
        Standard,
        "e4e5",
        Err(UciMoveError::EmptySquare(Square::E4)),
    );
    check(
        start,
        Standard,
        "e7e5",
        Err(UciMoveError::OpponentsPiece(Square::E7)),
    );
    check(
        start,
        Standard,
        "g1g3",
        unreachable(Role::Knight, Square::G1, Square::G3),
    );
    check(
        start,
        Standard,
        "e2e5",
        unreachable(Role::Pawn, Square::E2, Square::E5),
    );
    check(
        start,
        Standard,
        "d1d2",
        unreachable(Role::Queen, Square::D1, Square::D2),
    );
    let pinned = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1";
    check(pinned, Standard, "e2c3", Err(UciMoveError::ExposesKing));
    let en_passant_on_a_pinned_rank = "8/8/8/r1pP2K1/8/8/8/4k3 w - c6 0 1";
    check(
        en_passant_on_a_pinned_rank,
        Standard,
        "d5c6",
        unreachable(Role::Pawn, Square::D5, Square::C6),
    );
    let position: Position = pinned.parse().expect("legal");
    let error = position.parse_uci("e2c3", Standard).expect_err("illegal");
    assert_eq!(error.to_string(), "it leaves the king in check");
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..8)) {
        let position = Position::startpos();
        if let Ok(mv) = position.parse_uci(&bytes, Standard) {
            prop_assert!(position.is_legal(mv));
        }
    }
}
