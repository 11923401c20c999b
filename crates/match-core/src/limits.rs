//! What bounds the thinking of an engine.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

/// All bounds on one engine's thinking; any combination goes out in one `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// A clock, `tc`.
    pub clock: Option<TimeControl>,
    /// A fixed time a move, `st`; never zero.
    pub move_time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<NonZeroU64>,
    /// Depth a move, in plies.
    pub depth: Option<NonZeroU32>,
    /// How far a clock or a fixed time may be overrun before the flag falls, `timemargin`.
    pub margin: Duration,
}

/// `[moves/]base+inc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves of one side in a period; without it the base is for the whole game.
    pub moves: Option<NonZeroU32>,
    /// Time for a period.
    pub base: Duration,
    /// Added after each move, and once before the first.
    pub increment: Duration,
}
