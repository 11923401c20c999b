//! What happened in a game.

use std::time::Duration;

use engine_core::Move;

use crate::fixture::Fixture;
use crate::opening::Opening;
use crate::verdict::Verdict;

/// One game, finished or void. The ledger is the set of these.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Which game it was.
    pub fixture: Fixture,
    /// Where it started; cut at the ply on which the laws ended it, if they did.
    pub opening: Opening,
    /// What the engines played after the opening; an illegal move is not among them.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub verdict: Verdict,
    /// From the first `go` to the verdict.
    pub duration: Duration,
}

/// One move of an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyRecord {
    /// The move.
    pub mv: Move,
    /// What the mover was charged.
    pub spent: Duration,
    /// What the mover had left afterwards, increment included; `None` without a clock.
    pub left: Option<Duration>,
    /// What the engine said of its search.
    pub search: uci::SearchReport,
}
