//! When the referee ends a game that the laws would let go on.

use std::num::NonZeroU32;
use std::path::PathBuf;

/// The adjudicators that are asked, after the rules, in the order tablebase, resign, draw, length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// One side is lost.
    pub resign: Option<Resign>,
    /// Nobody makes progress.
    pub draw: Option<Draw>,
    /// A draw after so many plies of play (opening not counted, both sides together).
    pub max_moves: Option<NonZeroU32>,
    /// The result is known.
    pub syzygy: Option<Syzygy>,
}

/// The last `count` scores of a side say that it is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// Moves in a row.
    pub count: NonZeroU32,
    /// Centipawns; a score of minus this or worse, or being mated, counts.
    pub score: u32,
    /// The winner's scores must say the same.
    pub two_sided: bool,
}

/// The last `count` scores of both sides are near zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The full-move number of the position from which it may be ruled.
    pub after_move: u32,
    /// Moves of each side in a row; a capture or pawn move starts again.
    pub count: NonZeroU32,
    /// Centipawns; a score within plus and minus this counts, a mate never does.
    pub score: u32,
}

/// Syzygy tablebases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syzygy {
    /// Folders.
    pub paths: Vec<PathBuf>,
    /// Positions with more men than this are not looked up.
    pub pieces: u32,
    /// Cursed wins and blessed losses are draws; off, they are won and lost.
    pub fifty_move_rule: bool,
}
