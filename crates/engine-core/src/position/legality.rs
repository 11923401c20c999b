//! Questions about single moves, answered without generating the others.

use crate::movegen::{Black, Side, White};
use crate::{Bitboard, Color, Move, Rank, Role, Square, attacks};

use super::Position;

impl Position {
    /// Whether `mv` may be played.
    pub fn is_legal(&self, mv: Move) -> bool {
        let Some(role) = self.board.role_at(mv.from) else {
            return false;
        };
        let own = self.colored(self.turn);
        if !own.contains(mv.from) {
            return false;
        }
        if own.contains(mv.to) {
            return role == Role::King
                && mv.promotion.is_none()
                && self.castling.contains(mv.to)
                && match self.turn {
                    Color::White => self.may_castle::<White>(mv.from, mv.to),
                    Color::Black => self.may_castle::<Black>(mv.from, mv.to),
                };
        }
        let promotes = role == Role::Pawn && mv.to.rank() == Rank::Eighth.relative_to(self.turn);
        let promotion_fits = match mv.promotion {
            None => !promotes,
            Some(role) => promotes && Role::PROMOTIONS.contains(&role),
        };
        promotion_fits && self.legal_origins(role, mv.to).contains(mv.from)
    }

    /// The squares from which a piece of `role` of the side to move can legally go to `to`; castling
    /// is not counted, a promotion counts once.
    #[inline]
    pub fn legal_origins(&self, role: Role, to: Square) -> Bitboard {
        self.legal_origins_among(Bitboard::FULL, role, to)
    }

    /// Those of `squares` from which a piece of `role` can legally go to `to`.
    ///
    /// This is what reading SAN asks. It looks only at pieces that reach the square, one by one:
    /// there are few.
    #[inline]
    pub(crate) fn legal_origins_among(
        &self,
        squares: Bitboard,
        role: Role,
        to: Square,
    ) -> Bitboard {
        match self.turn {
            Color::White => self.origins_as::<White>(squares, role, to),
            Color::Black => self.origins_as::<Black>(squares, role, to),
        }
    }

    #[inline(always)]
    fn origins_as<S: Side>(&self, squares: Bitboard, role: Role, to: Square) -> Bitboard {
        let occupied = self.occupied();
        let own = self.colored(S::COLOR);
        let target = Bitboard::from(to);
        let reaching = if role != Role::Pawn {
            attacks::rays(role, to)
        } else if self.ep_square() == Some(to) {
            return self.en_passant_origins::<S>(to) & squares;
        } else if occupied.contains(to) {
            attacks::pawn(S::Opponent::COLOR, to)
        } else {
            let single = S::Opponent::forward(target);
            let double = S::Opponent::forward(single - occupied)
                & Bitboard::from_rank(Rank::Second.relative_to(S::COLOR));
            single | double
        };
        let mut origins = (reaching & self.board.roles_at_random(role) & own & squares)
            .only_if(!own.contains(to));
        for from in origins {
            let king = if role == Role::King {
                to
            } else {
                self.king(S::COLOR)
            };
            let blocked = (attacks::between(from, to) & occupied).any();
            if blocked || self.is_exposed::<S>(king, from, target, target) {
                origins = origins.without(from);
            }
        }
        origins
    }

    /// Whether a king on `king` is attacked once `from` is empty, `to` is filled and the enemy's
    /// pieces on `captured` are gone.
    #[inline(always)]
    fn is_exposed<S: Side>(
        &self,
        king: Square,
        from: Square,
        to: Bitboard,
        captured: Bitboard,
    ) -> bool {
        let board = &self.board;
        let occupied = ((board.occupied() - captured) | to).without(from);
        let enemy = board.colored(S::Opponent::COLOR) - captured;
        let steppers = attacks::knight(king) & board.roles(Role::Knight)
            | attacks::pawn(S::COLOR, king) & board.roles(Role::Pawn)
            | attacks::king(king) & board.roles(Role::King);
        let snipers = attacks::bishop_rays(king) & board.diagonal_sliders()
            | attacks::rook_rays(king) & board.straight_sliders();
        let is_open = |sniper| (attacks::between(king, sniper) & occupied).is_empty();
        (steppers & enemy).any() || (snipers & enemy).into_iter().any(is_open)
    }

    /// The pawns of `S` that may legally capture en passant on `square`, over which an enemy pawn
    /// has just passed.
    #[inline]
    pub(crate) fn en_passant_origins<S: Side>(&self, square: Square) -> Bitboard {
        let captured = S::Opponent::forward(square.into());
        let king = self.king(S::COLOR);
        let pawns = attacks::pawn(S::Opponent::COLOR, square)
            & self.roles(Role::Pawn)
            & self.colored(S::COLOR);
        pawns
            .into_iter()
            .filter(|&from| !self.is_exposed::<S>(king, from, square.into(), captured))
            .collect()
    }
}
