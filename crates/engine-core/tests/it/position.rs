//! Playing moves, asking about them, and when two positions are the same.

use std::collections::BTreeSet;

use engine_core::{
    Bitboard, CastlingRights, Color, FenStyle, File, IllegalMove, Move, MoveList, Piece, Position,
    Role, Setup, Square, attacks,
};
use proptest::prelude::*;
use proptest::sample::Index;

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays moves written as two squares and a promotion, castling as king takes rook.
#[track_caller]
fn check_line(fen: &str, line: &str, after: &str) {
    let mut position = position(fen);
    for text in line.split(' ') {
        position
            .play(mv(text))
            .unwrap_or_else(|error| panic!("{position:?}: {error}"));
    }
    assert_eq!(position.fen(), after);
    assert_eq!(position, self::position(after));
    assert_eq!(position.key(), self::position(after).key());
}

fn mv(text: &str) -> Move {
    Move {
        from: text[..2].parse().expect("a square"),
        to: text[2..4].parse().expect("a square"),
        promotion: text.chars().nth(4).and_then(Role::from_char),
    }
}

#[test]
fn counters_and_rights_follow_the_moves() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check_line(
        start,
        "g1f3 g8f6",
        "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2",
    );
    check_line(
        start,
        "g1f3 d7d5 h1g1",
        "rnbqkbnr/ppp1pppp/8/3p4/8/5N2/PPPPPPPP/RNBQKBR1 b Qkq - 1 2",
    );
    check_line(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 9",
        "a1a8",
        "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 9",
    );
    check_line(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 9",
        "e1h1 e8a8",
        "2kr3r/8/8/8/8/8/8/R4RK1 w - - 6 10",
    );
    check_line(
        "r3k2r/1P6/8/8/8/8/8/4K3 w kq - 3 1",
        "b7a8n",
        "N3k2r/8/8/8/8/8/8/4K3 b k - 0 1",
    );
    check_line(
        "4k3/8/8/8/8/8/8/4K2R w K - 65535 4294967295",
        "e1d1 e8d8",
        "3k4/8/8/8/8/8/8/3K3R w - - 65535 4294967295",
    );
}

#[test]
fn a_double_step_leaves_an_en_passant_square_only_for_a_legal_capture() {
    check_line(
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
        "e2e4",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    );
    check_line(
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
        "e2e4 d4e3",
        "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2",
    );
    check_line(
        "4k3/8/8/8/2p5/8/4P3/4K3 w - - 0 1",
        "e2e4",
        "4k3/8/8/8/2p1P3/8/8/4K3 b - - 0 1",
    );
    check_line(
        "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
        "e2e4",
        "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1",
    );
}

#[test]
fn a_king_step_to_the_castling_target_is_not_castling() {
    check_line(
        "4k3/8/8/8/8/8/8/5K1R w H - 0 1",
        "f1g1",
        "4k3/8/8/8/8/8/8/6KR b - - 1 1",
    );
    check_line(
        "4k3/8/8/8/8/8/8/5K1R w H - 0 1",
        "f1h1",
        "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
    );
    check_line(
        "r1k5/8/8/8/8/8/8/4K3 b q - 0 1",
        "c8a8",
        "2kr4/8/8/8/8/8/8/4K3 w - - 1 2",
    );
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    let before = position("r3k2r/8/8/8/8/8/4q3/R3K2R w KQkq - 5 9");
    for text in ["e1h1", "e1d1", "e1g1", "a1a8q", "e2e1", "e4e5", "h1e1"] {
        let mut after = before;
        assert_eq!(after.play(mv(text)), Err(IllegalMove(mv(text))));
        assert_eq!(after.fen(), before.fen());
    }
    assert_eq!(
        IllegalMove(mv("e7e8q")).to_string(),
        "`e7e8q` is not a legal move"
    );
    assert_eq!(before.legal_moves().to_vec(), [mv("e1e2")]);
}

#[test]
fn a_pawn_promotes_to_four_roles_and_must() {
    let before = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["a7a8q", "a7a8r", "a7a8b", "a7a8n"] {
        assert!(before.is_legal(mv(text)), "{text}");
    }
    for text in ["a7a8", "a7a8k", "a7a8p", "e1e2q"] {
        assert!(!before.is_legal(mv(text)), "{text}");
    }
}

#[test]
fn origins_are_the_legal_candidates_of_a_role() {
    let origins = |fen: &str, role, to| {
        position(fen)
            .legal_origins(role, to)
            .into_iter()
            .collect::<Vec<_>>()
    };
    // Two knights reach d2, one of them is pinned.
    assert_eq!(
        origins(
            "4k3/8/8/b7/8/2N2N2/8/4K3 w - - 0 1",
            Role::Knight,
            Square::D5
        ),
        []
    );
    assert_eq!(
        origins(
            "4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1",
            Role::Knight,
            Square::D2
        ),
        [Square::B3, Square::F3]
    );
    assert_eq!(
        origins("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Role::Pawn, Square::A4),
        [Square::A2]
    );
    assert_eq!(
        origins("4k3/8/8/8/8/p7/P7/4K3 w - - 0 1", Role::Pawn, Square::A4),
        []
    );
    assert_eq!(
        origins("4k3/8/8/2pPp3/8/8/8/4K3 w - c6 0 1", Role::Pawn, Square::C6),
        [Square::D5]
    );
    assert_eq!(
        origins("R3k3/8/8/8/8/8/8/R3K3 b - - 0 1", Role::King, Square::D8),
        []
    );
    assert_eq!(
        origins("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", Role::King, Square::A1),
        []
    );
}

#[test]
fn equality_is_the_repetition_rules() {
    let same = |one: &str, other: &str| {
        let (one, other) = (position(one), position(other));
        assert_eq!(one == other, one.key() == other.key());
        one == other
    };
    assert!(same(
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 7 40"
    ));
    assert!(same(
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w A - 0 1"
    ));
    assert!(same(
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"
    ));
    assert!(!same(
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    ));
    assert!(!same(
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"
    ));
    assert!(!same(
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"
    ));
    assert!(!same(
        "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1",
        "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"
    ));
}

#[test]
fn the_key_of_the_start_position_never_changes() {
    // Whoever keeps keys in a file relies on it.
    assert_eq!(Position::startpos().key(), 7_656_004_403_417_380_644);
}

#[test]
fn the_keys_of_all_start_positions_differ() {
    let key = |white, black| {
        Position::double_chess960_start(white, black)
            .expect("below 960")
            .key()
    };
    let keys: BTreeSet<u64> = (0..960)
        .flat_map(|white| (0..960).step_by(7).map(move |black| key(white, black)))
        .collect();
    assert_eq!(keys.len(), 960 * 138);
}

#[test]
fn material_that_cannot_mate_is_named_as_in_the_laws() {
    let insufficient = |fen: &str| position(fen).is_insufficient_material();
    assert!(insufficient("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    assert!(insufficient("4k3/8/8/8/8/8/8/3NK3 w - - 0 1"));
    assert!(insufficient("4k3/8/8/8/8/8/8/3BK3 b - - 0 1"));
    // Bishops of both sides on light squares; then one on a dark square.
    assert!(insufficient("2b1k3/8/4B3/8/4B3/8/8/3BK3 w - - 0 1"));
    assert!(!insufficient("1b2k3/8/4B3/8/4B3/8/8/3BK3 w - - 0 1"));
    assert!(!insufficient("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"));
    assert!(!insufficient("3nk3/8/8/8/8/8/8/3NK3 w - - 0 1"));
    assert!(!insufficient("3nk3/8/8/8/8/8/8/3BK3 w - - 0 1"));
    assert!(!insufficient("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert!(!insufficient("4k3/8/8/8/8/8/8/3RK3 w - - 0 1"));
    assert!(!insufficient("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"));
}

#[test]
fn a_position_is_small() {
    assert_eq!(size_of::<Position>(), 48);
    assert_eq!(size_of::<Move>(), 3);
    let mut list = MoveList::new();
    for _ in 0..300 {
        list.push(mv("e2e4"));
    }
    assert_eq!(list.len(), 300);
}

/// Slider attacks by walking, square by square.
fn walked(square: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for (files, ranks) in directions {
        let mut at = square.offset(files, ranks);
        while let Some(to) = at {
            reached = reached.with(to);
            at = if occupied.contains(to) {
                None
            } else {
                to.offset(files, ranks)
            };
        }
    }
    reached
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sliders_attack_what_they_can_walk_to(a: u64, b: u64, c: u64) {
        for occupied in [a, a & b, a & b & c, a | b].map(Bitboard) {
            for square in Square::all() {
                let bishop = walked(square, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                let rook = walked(square, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)]);
                prop_assert_eq!(attacks::bishop(square, occupied), bishop);
                prop_assert_eq!(attacks::rook(square, occupied), rook);
            }
        }
    }

    /// Whatever stands on the board, a setup is refused or gives a position that can be played on.
    #[test]
    fn no_setup_breaks_a_position(
        pieces in prop::collection::vec((any::<Index>(), any::<bool>(), any::<Index>()), 0..40),
        castling in prop::collection::vec(any::<Option<Index>>(), 4),
        en_passant: Option<Index>,
        black: bool,
    ) {
        let mut setup = Setup::EMPTY;
        for (square, white, role) in &pieces {
            let color = if *white { Color::White } else { Color::Black };
            setup.board[square.index(64)] = Some(Piece { color, role: Role::ALL[role.index(5)] });
        }
        setup.board[Square::E1.index()] = Some(Piece { color: Color::White, role: Role::King });
        setup.board[Square::E8.index()] = Some(Piece { color: Color::Black, role: Role::King });
        // On the king's two sides, its own file among them.
        let file = |n: usize| castling[n].map(|index| File::ALL[n % 2 * 4 + index.index(4)]);
        setup.castling.white = CastlingRights { a_side: file(0), h_side: file(1) };
        setup.castling.black = CastlingRights { a_side: file(2), h_side: file(3) };
        setup.en_passant = en_passant.map(|index| Square::all().nth(index.index(64)).expect("64 squares"));
        setup.turn = if black { Color::Black } else { Color::White };
        prop_assert_eq!(&Setup::from_fen(&setup.fen(FenStyle::Shredder)), &Ok(setup.clone()));
        if let Ok(position) = Position::from_setup(&setup) {
            prop_assert_eq!(Position::from_fen(&position.fen()), Ok(position));
            for mv in position.legal_moves() {
                let mut child = position;
                child.play(mv).expect("a generated move");
                prop_assert_eq!(Position::from_setup(&child.to_setup()), Ok(child));
            }
        }
    }
}
