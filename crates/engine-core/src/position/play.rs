//! Making moves.

use std::fmt;

use crate::movegen::{Black, Side, White};
use crate::{Bitboard, Color, Move, Rank, Role, Square, attacks};

use super::Position;
use super::castling::castling_targets;

/// A move that is not legal in the position it was to be played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{:?}` is not a legal move", self.0)
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Plays a move if it is legal; otherwise changes nothing.
    #[inline]
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    ///
    /// With any other move the position is wrong afterwards, and later calls may answer nonsense or
    /// panic.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        match self.turn {
            Color::White => self.play_as::<White>(mv),
            Color::Black => self.play_as::<Black>(mv),
        }
    }

    /// The position with the move passed to the other side ("null move"), which no law allows but
    /// searches ask for; nothing when the side to move is in check.
    #[inline]
    pub fn passed(&self) -> Option<Self> {
        if self.is_check() {
            return None;
        }
        let mut passed = *self;
        match self.turn {
            Color::White => passed.pass_turn::<White>(),
            Color::Black => passed.pass_turn::<Black>(),
        }
        Some(passed)
    }

    #[inline(always)]
    fn play_as<S: Side>(&mut self, mv: Move) {
        let Some(role) = self.board.role_at(mv.from) else {
            return;
        };
        let (from, to) = (Bitboard::from(mv.from), Bitboard::from(mv.to));
        match role {
            Role::Pawn => match mv.promotion {
                Some(promotion) => self.play_pawn::<S>(promotion, from, to),
                None if self.ep_square() == Some(mv.to) => self.play_en_passant::<S>(from, to),
                None if to == S::forward(S::forward(from)) => {
                    self.play_double_step::<S>(from, to);
                }
                None => self.play_pawn::<S>(Role::Pawn, from, to),
            },
            Role::King if (self.castling & to).any() && self.colored(S::COLOR).contains(mv.to) => {
                self.play_castling::<S>(mv.from, mv.to);
            }
            _ => self.play_piece::<S>(role, from, to),
        }
    }

    /// A step or capture of any piece but a pawn.
    #[inline(always)]
    pub(crate) fn play_piece<S: Side>(&mut self, role: Role, from: Bitboard, to: Bitboard) {
        let capture = (self.board.occupied() & to).any();
        self.relocate::<S>(role, from, to);
        if role == Role::King {
            self.castling -= Bitboard::from_rank(Rank::First.relative_to(S::COLOR));
        }
        self.halfmove_clock = if capture {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        self.pass_turn::<S>();
    }

    /// A single step, capture or promotion of a pawn that becomes `role`.
    #[inline(always)]
    pub(crate) fn play_pawn<S: Side>(&mut self, role: Role, from: Bitboard, to: Bitboard) {
        self.relocate::<S>(role, from, to);
        self.halfmove_clock = 0;
        self.pass_turn::<S>();
    }

    /// A pawn's step of two squares.
    #[inline(always)]
    pub(crate) fn play_double_step<S: Side>(&mut self, from: Bitboard, to: Bitboard) {
        self.play_pawn::<S>(Role::Pawn, from, to);
        let passed = S::forward(from).first_unchecked();
        let neighbours = attacks::pawn(S::COLOR, passed)
            & self.board.roles(Role::Pawn)
            & self.board.colored(S::Opponent::COLOR);
        if neighbours.any() && self.en_passant_origins::<S::Opponent>(passed).any() {
            self.en_passant = passed.index() as u8;
        }
    }

    /// A pawn's capture of a pawn that has just passed it.
    #[inline(always)]
    pub(crate) fn play_en_passant<S: Side>(&mut self, from: Bitboard, to: Bitboard) {
        self.board.clear(S::Opponent::forward(to));
        self.play_pawn::<S>(Role::Pawn, from, to);
    }

    /// Castling of a king with a rook.
    #[inline(always)]
    pub(crate) fn play_castling<S: Side>(&mut self, king: Square, rook: Square) {
        let (king_to, rook_to) = castling_targets(king, rook);
        self.board
            .clear(Bitboard::from(king) | Bitboard::from(rook));
        self.board.put(S::COLOR, Role::King, king_to.into());
        self.board.put(S::COLOR, Role::Rook, rook_to.into());
        self.castling -= Bitboard::from_rank(Rank::First.relative_to(S::COLOR));
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.pass_turn::<S>();
    }

    /// Takes what is on `from` and `to` off the board and puts `role` on `to`.
    #[inline(always)]
    fn relocate<S: Side>(&mut self, role: Role, from: Bitboard, to: Bitboard) {
        self.board.clear(from | to);
        self.board.put(S::COLOR, role, to);
        // A rook that has moved or been captured castles no more.
        self.castling -= from | to;
    }

    #[inline(always)]
    fn pass_turn<S: Side>(&mut self) {
        self.en_passant = 0;
        self.turn = S::Opponent::COLOR;
        if S::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
    }
}
