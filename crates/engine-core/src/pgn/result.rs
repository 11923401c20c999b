//! The result of a game as PGN gives it.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Outcome};

/// What a game's `Result` tag or the last word of its moves says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`, `0-1` or `1/2-1/2`.
    Finished(Outcome),
    /// `*`: not known, abandoned, or still played.
    Unfinished,
}

impl GameResult {
    /// Finished with this outcome, unfinished without one.
    pub const fn new(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(outcome) => Self::Finished(outcome),
            None => Self::Unfinished,
        }
    }

    /// The score, if the game was finished.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Finished(outcome) => Some(outcome),
            Self::Unfinished => None,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Finished(outcome) => outcome.as_pgn(),
            Self::Unfinished => "*",
        }
    }

    /// The result at the front of `text` and how many bytes it takes. A draw may be short: `1/2`.
    #[inline(always)]
    pub(super) fn scan(text: &[u8]) -> Option<(Self, usize)> {
        let (result, len) = match text {
            [b'1', b'-', b'0', ..] => (Self::Finished(Outcome::win(Color::White)), 3),
            [b'0', b'-', b'1', ..] => (Self::Finished(Outcome::win(Color::Black)), 3),
            [b'1', b'/', b'2', b'-', b'1', b'/', b'2', ..] => (Self::Finished(Outcome::Draw), 7),
            [b'1', b'/', b'2', ..] => (Self::Finished(Outcome::Draw), 3),
            [b'*', ..] => (Self::Unfinished, 1),
            _ => return None,
        };
        Some((result, len))
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResultError;

impl fmt::Display for GameResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result is `1-0`, `0-1`, `1/2-1/2` or `*`")
    }
}

impl std::error::Error for GameResultError {}

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        match Self::scan(text.as_bytes()) {
            Some((result, len)) if len == text.len() => Ok(result),
            _ => Err(GameResultError),
        }
    }
}
