//! Generation of legal moves.
//!
//! [`generate`] finds the legal moves of a position once, in sets as large as possible, and hands
//! them to a [`Sink`]: one that lists, one that counts bits, one that plays on. Everything is
//! compiled separately for each side and each sink.

use crate::{Bitboard, Color, Move, MoveList, Position, Role, Square};

mod scene;
mod sinks;

pub(crate) use scene::generate;
pub(crate) use sinks::Count;
use sinks::{Any, Each};

/// A side known at compile time.
pub(crate) trait Side {
    const COLOR: Color;
    type Opponent: Side<Opponent = Self>;

    /// The squares one step ahead.
    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        match Self::COLOR {
            Color::White => Bitboard(squares.0 << 8),
            Color::Black => Bitboard(squares.0 >> 8),
        }
    }
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Opponent = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Opponent = White;
}

/// What takes the moves that [`generate`] finds.
///
/// Pawns move in sets: each comes from the square `offset` below its target's number.
pub(crate) trait Sink {
    /// Moves of one piece other than a pawn.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Single steps and captures of pawns that do not promote.
    fn pawns(&mut self, targets: Bitboard, offset: i32);
    /// Double steps.
    fn double_steps(&mut self, targets: Bitboard, offset: i32);
    /// Steps and captures to the last rank, each in four ways.
    fn promotions(&mut self, targets: Bitboard, offset: i32);
    /// Captures en passant.
    fn en_passant(&mut self, origins: Bitboard, to: Square);
    /// Castling.
    fn castling(&mut self, king: Square, rook: Square);
    /// Whether no more moves are wanted.
    #[inline(always)]
    fn is_full(&self) -> bool {
        false
    }
}

/// The square a pawn came from.
#[inline(always)]
pub(crate) fn origin(to: Square, offset: i32) -> Square {
    Square::wrapping((to.index() as i32 - offset) as u32)
}

impl Position {
    /// All legal moves, in no order to rely on.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.for_each_legal(|mv| moves.push(mv));
        moves
    }

    /// Calls `act` with every legal move, in no order to rely on.
    #[inline]
    pub fn for_each_legal(&self, act: impl FnMut(Move)) {
        self.generate(&mut Each(act));
    }

    /// How many legal moves there are. Faster than listing them.
    #[inline]
    pub fn count_legal(&self) -> u64 {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0
    }

    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_moves(&self) -> bool {
        let mut any = Any(false);
        self.generate(&mut any);
        any.0
    }

    #[inline]
    fn generate(&self, sink: &mut impl Sink) {
        match self.turn() {
            Color::White => generate::<White>(self, sink),
            Color::Black => generate::<Black>(self, sink),
        }
    }
}
