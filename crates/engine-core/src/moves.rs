//! A move, and a list of moves that needs no heap.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::{Role, Square};

/// One ply, meaningful together with the position it is played in.
///
/// Castling is always "king takes own rook": `from` is the king's square and `to` the rook's, in
/// standard chess as well (white's short castling is e1 to h1). An en passant capture goes to the
/// square the enemy pawn passed over. How a move is written is another matter: see the UCI and SAN
/// modules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes; for castling, where the rook stands.
    pub to: Square,
    /// What a pawn that reaches the last rank becomes.
    pub promotion: Option<Role>,
}

impl Move {
    /// A move that promotes nothing.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        Self {
            from,
            to,
            promotion: None,
        }
    }

    /// A pawn's move to the last rank.
    #[inline(always)]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Self {
        Self {
            from,
            to,
            promotion: Some(role),
        }
    }
}

impl fmt::Debug for Move {
    /// The two squares and the promotion's letter: `e2e4`, `e1h1`, `a7a8q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

/// The legal moves of a position, held in place.
///
/// Derefs to a slice, so it can be sorted, searched and iterated like one.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; Self::CAPACITY],
    len: usize,
}

impl MoveList {
    /// How many moves fit.
    ///
    /// The most in a game is 218. A board filled with pieces can have more: 270 is the record, and a
    /// search by annealing found nothing above it.
    pub const CAPACITY: usize = 320;

    /// A list of no moves.
    #[inline]
    pub const fn new() -> Self {
        Self {
            moves: [Move::new(Square::A1, Square::A1); Self::CAPACITY],
            len: 0,
        }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list is full.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, { Self::CAPACITY }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
