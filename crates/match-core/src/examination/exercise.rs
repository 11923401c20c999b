//! What one exercise is.

use std::fmt;
use std::time::Duration;

use engine_core::{CastlingStyle, Move, Position};

use super::grading::Verdict;

/// A short conversation with something to expect.
#[derive(Clone, Debug)]
pub(super) struct Exercise {
    /// What it examines, for people.
    pub(super) item: &'static str,
    /// What in particular, where an item has several exercises.
    pub(super) about: String,
    /// What a failure is worth.
    pub(super) gravity: Verdict,
    pub(super) steps: Vec<Step>,
    /// Where moves are to be legal.
    pub(super) board: Option<Board>,
    pub(super) expect: Expect,
}

/// A position and how castling is written in it.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) position: Position,
    pub(super) style: CastlingStyle,
}

/// One step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Say these lines, each with its end; `go` stands alone.
    Say(String),
    /// Wait for an answer, so long or as long as patience lasts.
    Await(Await, Option<Duration>),
    /// Wait and see.
    Pause(Duration),
    /// End the engine's input.
    CloseInput,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Await {
    UciOk,
    ReadyOk,
    BestMove,
    /// The end of the process.
    End,
}

/// What an exercise expects.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expect {
    /// An introduction.
    Greeting,
    /// Only that all is answered.
    Answers,
    /// A legal move for every `go`; one of these, unless there are none.
    Moves(Vec<Move>),
    /// As before, and none before `stop`.
    Patience,
    /// As before, each within this time.
    Within(Duration),
    /// There is no legal move: whatever is said is fine.
    Nothing,
    /// The process ends.
    End,
}

impl Step {
    pub(super) fn is_end(&self) -> bool {
        matches!(self, Self::Await(Await::End, _))
    }
}

impl fmt::Display for Await {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UciOk => "uciok",
            Self::ReadyOk => "readyok",
            Self::BestMove => "bestmove",
            Self::End => "end",
        })
    }
}
