//! What can be wrong with one game of a PGN file.

use std::fmt;

use crate::{FenPositionError, SanError};

use super::PLIES_MAX;

/// Why a game is broken, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// Which game of the file, from 1.
    pub game: u64,
    /// The line of the file, from 1.
    pub line: u64,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A word among the moves is not a legal move.
    Move {
        /// Which ply, from 1.
        ply: usize,
        /// Why not.
        error: SanError,
    },
    /// A `{` without its `}`.
    UnclosedComment,
    /// A `(` without its `)`.
    UnclosedVariation,
    /// A `[` that begins no tag pair, or a tag whose quote is not closed on its line.
    Tag,
    /// The tag `FEN` holds no legal position.
    Fen {
        /// What it holds.
        fen: String,
        /// What is wrong with it.
        error: FenPositionError,
    },
    /// The tag `SetUp` announces a `FEN` that is not there.
    MissingFen,
    /// The tag `Variant` names rules that are not played here.
    Variant(String),
    /// There are more than [`PLIES_MAX`] plies.
    TooLong,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}: {}", self.game, self.line, self.kind)
    }
}

impl PgnErrorKind {
    /// Whether not even the start position is known.
    pub const fn is_of_start(&self) -> bool {
        matches!(self, Self::Fen { .. } | Self::MissingFen | Self::Variant(_))
    }
}

impl fmt::Display for PgnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { ply, error } => write!(f, "ply {ply}: {error}"),
            Self::UnclosedComment => f.write_str("the comment that begins here is never closed"),
            Self::UnclosedVariation => {
                f.write_str("the variation that begins here is never closed")
            }
            Self::Tag => f.write_str("a tag is `[Name \"value\"]` on one line"),
            Self::Fen { fen, error } => write!(f, "the FEN `{fen}` cannot be played: {error}"),
            Self::MissingFen => f.write_str("the tag `SetUp` announces a FEN, but there is none"),
            Self::Variant(name) => write!(
                f,
                "the variant `{name}` is not known, only standard chess and Chess960 are"
            ),
            Self::TooLong => write!(f, "the game has more than {PLIES_MAX} plies"),
        }
    }
}

impl std::error::Error for PgnError {}
