//! What the moves of [`generate`](super::generate) can be poured into.

use crate::{Bitboard, Move, Role, Square};

use super::{Sink, origin};

/// Calls a function with each move.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(Move)> Sink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard) {
        for to in targets {
            (self.0)(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            (self.0)(Move::new(origin(to, offset), to));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard, offset: i32) {
        self.pawns(targets, offset);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            for role in Role::PROMOTIONS {
                (self.0)(Move::promoting(origin(to, offset), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, origins: Bitboard, to: Square) {
        for from in origins {
            (self.0)(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        (self.0)(Move::new(king, rook));
    }
}

/// Counts moves without looking at them one by one.
pub(crate) struct Count(pub(crate) u64);

impl Count {
    #[inline(always)]
    fn add(&mut self, moves: Bitboard) {
        self.0 += u64::from(moves.count());
    }
}

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.add(targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.add(targets);
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard, _: i32) {
        self.add(targets);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * u64::from(targets.count());
    }

    #[inline(always)]
    fn en_passant(&mut self, origins: Bitboard, _: Square) {
        self.add(origins);
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Learns whether there is a move at all.
pub(super) struct Any(pub(super) bool);

impl Sink for Any {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard, _: i32) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn en_passant(&mut self, origins: Bitboard, _: Square) {
        self.0 |= origins.any();
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.0
    }
}
