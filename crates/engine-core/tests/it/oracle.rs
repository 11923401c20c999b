//! Legal moves compared with `cozy-chess` in random games.

use engine_core::{Move, Position, Role, Square, perft};
use proptest::prelude::*;
use proptest::sample::Index;

/// Plays a random game and compares the legal moves at every ply, and the tree below its last position.
fn check(mut ours: Position, choices: &[Index]) {
    let mut theirs =
        cozy_chess::Board::from_fen(&ours.fen_shredder(), true).expect("a legal position");
    for choice in choices {
        let moves = sorted(&ours);
        assert_eq!(moves, cozy_moves(&theirs), "{ours:?}");
        assert!(moves.iter().all(|&mv| ours.is_legal(mv)), "{ours:?}");
        assert_eq!(ours.has_legal_moves(), !moves.is_empty(), "{ours:?}");
        assert_eq!(ours.is_check(), !theirs.checkers().is_empty(), "{ours:?}");
        if moves.is_empty() {
            return;
        }
        let mv = *choice.get(&moves);
        ours.play(mv).expect("a legal move");
        theirs.play(to_cozy(mv));
        check_state(&ours, &theirs);
    }
    assert_eq!(perft(&ours, 2), cozy_perft_2(&theirs), "{ours:?}");
}

/// Everything a FEN says but the en passant square, which `cozy-chess` sets after every double step.
fn check_state(ours: &Position, theirs: &cozy_chess::Board) {
    let without_en_passant = |fen: &str| {
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields.remove(3);
        // It also stops counting at 100.
        let clock: u32 = fields.remove(3).parse().expect("a number");
        format!("{} {}", fields.join(" "), clock.min(100))
    };
    let shredder = format!("{theirs:#}");
    assert_eq!(
        without_en_passant(&ours.fen_shredder()),
        without_en_passant(&shredder)
    );
    let reread: Position = shredder.parse().expect("a legal position");
    assert_eq!(
        &reread, ours,
        "the en passant square is kept exactly when a capture is legal"
    );
    assert_eq!(reread.key(), ours.key());
}

fn sorted(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable();
    moves
}

fn cozy_moves(board: &cozy_chess::Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(from_cozy));
        false
    });
    moves.sort_unstable();
    moves
}

fn cozy_perft_2(board: &cozy_chess::Board) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|set| {
        for mv in set {
            let mut child = board.clone();
            child.play_unchecked(mv);
            child.generate_moves(|replies| {
                nodes += replies.len() as u64;
                false
            });
        }
        false
    });
    nodes
}

fn from_cozy(mv: cozy_chess::Move) -> Move {
    let square =
        |square: cozy_chess::Square| Square::from_index(square as usize).expect("a square");
    let role = |piece: cozy_chess::Piece| Role::ALL[piece as usize];
    Move {
        from: square(mv.from),
        to: square(mv.to),
        promotion: mv.promotion.map(role),
    }
}

fn to_cozy(mv: Move) -> cozy_chess::Move {
    cozy_chess::Move {
        from: cozy_chess::Square::index(mv.from.index()),
        to: cozy_chess::Square::index(mv.to.index()),
        promotion: mv
            .promotion
            .map(|role| cozy_chess::Piece::index(role.index())),
    }
}

fn choices() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 0..160)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn legal_moves_agree_in_random_standard_games(choices in choices()) {
        check(Position::startpos(), &choices);
    }

    #[test]
    fn legal_moves_agree_in_random_chess960_games(start in 0u16..960, choices in choices()) {
        check(Position::chess960_start(start).expect("below 960"), &choices);
    }

    #[test]
    fn legal_moves_agree_in_random_double_chess960_games(
        white in 0u16..960, black in 0u16..960, choices in choices(),
    ) {
        check(Position::double_chess960_start(white, black).expect("below 960"), &choices);
    }

    /// Any pair of squares with any promotion is legal exactly when it is generated.
    #[test]
    fn no_move_is_legal_that_is_not_generated(start in 0u16..960, choices in choices()) {
        let mut position = Position::chess960_start(start).expect("below 960");
        for choice in &choices {
            let moves = position.legal_moves();
            if moves.is_empty() { break }
            position.play_unchecked(*choice.get(&moves));
        }
        let generated = sorted(&position);
        let promotions = [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King), Some(Role::Pawn)];
        for from in Square::all() {
            for to in Square::all() {
                for promotion in promotions {
                    let mv = Move { from, to, promotion };
                    prop_assert_eq!(position.is_legal(mv), generated.contains(&mv), "{:?} in {:?}", mv, position);
                }
            }
        }
    }
}

#[test]
fn a_game_with_castling_en_passant_and_promotion_agrees() {
    // 1. e4 c5 2. e5 d5 3. exd6 Nf6 4. dxe7 Ng8 5. exd8=Q+ Kxd8 6. Nf3 a6 7. Be2 a5 8. O-O
    let mut ours = Position::startpos();
    let mut theirs = cozy_chess::Board::default();
    let game = "e2e4 c7c5 e4e5 d7d5 e5d6 g8f6 d6e7 f6g8 e7d8q e8d8 g1f3 a7a6 f1e2 a6a5 e1h1";
    for text in game.split(' ') {
        assert_eq!(sorted(&ours), cozy_moves(&theirs));
        let mv = from_cozy(text.parse().expect("a move"));
        ours.play(mv).expect("a legal move");
        theirs.play(to_cozy(mv));
        check_state(&ours, &theirs);
    }
    assert_eq!(
        ours.fen(),
        "rnbk1bnr/1p3ppp/8/p1p5/8/5N2/PPPPBPPP/RNBQ1RK1 b - - 1 8"
    );
}
