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
    ///
    /// This is what reading SAN asks. It looks only at pieces that reach the square.
    #[inline]
    pub fn legal_origins(&self, role: Role, to: Square) -> Bitboard {
        match self.turn {
            Color::White => self.origins_as::<White>(role, to),
            Color::Black => self.origins_as::<Black>(role, to),
        }
    }

    #[inline(always)]
    fn origins_as<S: Side>(&self, role: Role, to: Square) -> Bitboard {
        let occupied = self.occupied();
        let own = self.colored(S::COLOR);
        if own.contains(to) {
            return Bitboard::EMPTY;
        }
        let target = Bitboard::from(to);
        let reaching = match role {
            Role::Pawn if self.ep_square() == Some(to) => return self.en_passant_origins::<S>(to),
            Role::Pawn if occupied.contains(to) => attacks::pawn(S::Opponent::COLOR, to),
            Role::Pawn => {
                let single = S::Opponent::forward(target);
                let double = S::Opponent::forward(single - occupied)
                    & Bitboard::from_rank(Rank::Second.relative_to(S::COLOR));
                single | double
            }
            Role::King => {
                let king = self.king(S::COLOR);
                let safe = attacks::king(king).contains(to)
                    && self
                        .attackers_to(to, occupied.without(king), S::Opponent::COLOR)
                        .is_empty();
                return Bitboard::from(king).only_if(safe);
            }
            Role::Knight => attacks::knight(to),
            // What stands between is looked at below, piece by piece: there are few.
            Role::Bishop => attacks::bishop_rays(to),
            Role::Rook => attacks::rook_rays(to),
            Role::Queen => attacks::bishop_rays(to) | attacks::rook_rays(to),
        };
        let mut origins = reaching & self.roles(role) & own;
        for from in origins {
            let blocked = (attacks::between(from, to) & occupied).any();
            if blocked || self.exposes_king::<S>(from, target, target) {
                origins = origins.without(from);
            }
        }
        origins
    }

    /// Whether the king is attacked once `from` is empty, `to` is filled and the enemy's pieces on
    /// `captured` are gone.
    #[inline(always)]
    fn exposes_king<S: Side>(&self, from: Square, to: Bitboard, captured: Bitboard) -> bool {
        let board = &self.board;
        let king = self.king(S::COLOR);
        let occupied = ((board.occupied() - captured) | to).without(from);
        let enemy = board.colored(S::Opponent::COLOR) - captured;
        let steppers = attacks::knight(king) & board.roles(Role::Knight)
            | attacks::pawn(S::COLOR, king) & board.roles(Role::Pawn);
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
        let pawns = attacks::pawn(S::Opponent::COLOR, square)
            & self.roles(Role::Pawn)
            & self.colored(S::COLOR);
        pawns
            .into_iter()
            .filter(|&from| !self.exposes_king::<S>(from, square.into(), captured))
            .collect()
    }
}
