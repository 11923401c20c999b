//! Time losses and crashes of a worker.

use crate::tail;

/// How many games had a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faulty {
    /// Games with a fault.
    pub faults: u64,
    /// All games.
    pub games: u64,
}

/// P(the worker has so many faults or more), if it has the rate of the rest: given all faults, its
/// part of them is binomial with its share of the games (the exact conditional test of two rates,
/// Przyborowski and Wilenski 1940). Between 0 and 1; 1 without faults of the worker.
///
/// A fault belongs to a game, and faults are rare: more of them than games are taken as they come.
#[must_use]
pub fn fault_excess(worker: Faulty, rest: Faulty) -> f64 {
    let share = worker.games as f64 / (worker.games + rest.games).max(1) as f64;
    tail::binomial(worker.faults, worker.faults + rest.faults, share)
}
