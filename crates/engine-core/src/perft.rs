//! Perft: the number of move sequences of a given length, the standard test of move generators.

use std::marker::PhantomData;

use crate::movegen::{Black, Count, Side, Sink, White, generate, origin};
use crate::{Bitboard, Color, Move, Position, Role, Square};

pub mod suite;

/// How many sequences of `depth` legal moves there are from `position`; 1 for depth 0.
///
/// The last ply is counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.turn() {
        Color::White => walk::<White>(position, depth),
        Color::Black => walk::<Black>(position, depth),
    }
}

fn walk<S: Side>(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return leaves::<S>(position);
    }
    let mut walk = Walk::<S> {
        position,
        depth: depth - 1,
        nodes: 0,
        side: PhantomData,
    };
    generate::<S>(position, &mut walk);
    walk.nodes
}

/// The number of legal moves; apart from `walk`, which would crowd its registers.
#[inline(never)]
fn leaves<S: Side>(position: &Position) -> u64 {
    let mut count = Count(0);
    generate::<S>(position, &mut count);
    count.0
}

/// Plays every move and counts what is below.
struct Walk<'a, S> {
    position: &'a Position,
    /// What is left after a move.
    depth: u32,
    nodes: u64,
    side: PhantomData<S>,
}

impl<S: Side> Walk<'_, S> {
    #[inline(always)]
    fn child(&mut self, play: impl FnOnce(&mut Position)) {
        let mut child = *self.position;
        play(&mut child);
        self.nodes += walk::<S::Opponent>(&child, self.depth);
    }
}

impl<S: Side> Sink for Walk<'_, S> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.child(|child| child.play_piece::<S>(role, from.into(), to.into()));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            let from = origin(to, offset);
            self.child(|child| child.play_pawn::<S>(Role::Pawn, from.into(), to.into()));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            let from = origin(to, offset);
            self.child(|child| child.play_double_step::<S>(from.into(), to.into()));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            let from = origin(to, offset);
            for role in Role::PROMOTIONS {
                self.child(|child| child.play_pawn::<S>(role, from.into(), to.into()));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, origins: Bitboard, to: Square) {
        for from in origins {
            self.child(|child| child.play_en_passant::<S>(from.into(), to.into()));
        }
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.child(|child| child.play_castling::<S>(king, rook));
    }
}

/// The share of each first move in [`perft`], in the order of the moves' squares.
///
/// Empty for depth 0.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(left) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable();
    let share = |mv| {
        let mut child = *position;
        child.play_unchecked(mv);
        (mv, perft(&child, left))
    };
    moves.into_iter().map(share).collect()
}
