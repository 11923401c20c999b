//! What an engine did wrong.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A fault ends a game against the engine that committed it. It is a value, never an `Err`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fault {
    /// The process ended or closed its output.
    Crash,
    /// No answer: to `uci`, `isready`, or to `go` without a clock until the watchdog barked.
    Stall {
        /// The word that was not answered.
        unanswered: String,
    },
    /// The flag fell.
    TimeLoss {
        /// How much later than the clock and its margin allowed the answer came. For an engine that
        /// was told to stop then, or never answered, as far as is known.
        over: Duration,
    },
    /// `bestmove` with something that is no legal move here.
    IllegalMove {
        /// The engine's own words, bounded, invalid UTF-8 replaced.
        text: String,
    },
}

impl Fault {
    /// The name in reports and in the PGN tag `Termination`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Stall { .. } => "stall",
            Self::TimeLoss { .. } => "time loss",
            Self::IllegalMove { .. } => "illegal move",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash => write!(f, "crash"),
            Self::Stall { unanswered } => write!(f, "stall, no answer to `{unanswered}`"),
            // Rounded up: it was late, if only by a nanosecond.
            Self::TimeLoss { over } => {
                write!(f, "time loss by {} ms", over.as_nanos().div_ceil(1_000_000))
            }
            Self::IllegalMove { text } => write!(f, "illegal move `{text}`"),
        }
    }
}
