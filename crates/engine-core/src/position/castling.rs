//! Castling: who has the right, who may use it now, and what becomes of king and rook.

use crate::movegen::{Black, Side, White};
use crate::{Bitboard, CastlingRights, CastlingSide, Color, File, Move, Rank, Square, attacks};

use super::Position;

impl Position {
    /// The castling rights of one side.
    pub fn castling_rights(&self, color: Color) -> CastlingRights {
        let file = |side| self.castling_rook(color, side).map(Square::file);
        CastlingRights {
            a_side: file(CastlingSide::AFile),
            h_side: file(CastlingSide::HFile),
        }
    }

    /// The rook with which a side has the right to castle on one side of its king.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling & Bitboard::from_rank(Rank::First.relative_to(color));
        let king = self.king(color);
        match side {
            CastlingSide::AFile => rooks.first().filter(|&rook| rook < king),
            CastlingSide::HFile => rooks.last().filter(|&rook| rook > king),
        }
    }

    /// Whether a castling right exists that standard chess does not know: a king off the e-file or
    /// a rook off its corner. Engines must be told `UCI_Chess960` for such a position.
    pub fn needs_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let CastlingRights { a_side, h_side } = self.castling_rights(color);
            let king = (a_side.or(h_side)).map(|_| self.king(color).file());
            a_side.is_some_and(|rook| rook != File::A)
                || h_side.is_some_and(|rook| rook != File::H)
                || king.is_some_and(|king| king != File::E)
        })
    }

    /// The legal castling move towards one side, if there is one.
    #[inline]
    pub fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let king = self.king(self.turn);
        let rook = self.castling_rook(self.turn, side)?;
        let legal = match self.turn {
            Color::White => self.may_castle::<White>(king, rook),
            Color::Black => self.may_castle::<Black>(king, rook),
        };
        legal.then(|| Move::new(king, rook))
    }

    /// Whether the king may castle with a rook it has the right to castle with.
    ///
    /// The king's way is looked at with king and rook lifted off the board. That is exact for the
    /// rook too: a slider behind it on the rank reaches the king's target as soon as it is gone.
    #[inline]
    pub(crate) fn may_castle<S: Side>(&self, king: Square, rook: Square) -> bool {
        let (king_way, rook_way) = castling_ways(king, rook);
        let others = self.occupied().without(king).without(rook);
        if ((king_way | rook_way) & others).any() {
            return false;
        }
        let attacked = |square| self.attackers_to(square, others, S::Opponent::COLOR).any();
        !self.is_check() && !king_way.into_iter().any(attacked)
    }
}

/// The squares that king and rook pass over and reach when they castle.
#[inline(always)]
pub(crate) fn castling_ways(king: Square, rook: Square) -> (Bitboard, Bitboard) {
    let (king_to, rook_to) = castling_targets(king, rook);
    (
        attacks::between(king, king_to).with(king_to),
        attacks::between(rook, rook_to).with(rook_to),
    )
}

/// Where king and rook stand after castling.
#[inline(always)]
pub(super) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let side = if rook < king {
        CastlingSide::AFile
    } else {
        CastlingSide::HFile
    };
    let on_rank = |file| Square::new(file, king.rank());
    (on_rank(side.king_target()), on_rank(side.rook_target()))
}
