//! A start position with the plies that lead to it.

use engine_core::{Move, Position};

/// A book entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the game starts: the FEN of the entry, or the start position.
    pub start: Position,
    /// Plies of the book from there; they count for repetition.
    pub moves: Vec<Move>,
}
