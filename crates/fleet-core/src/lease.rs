//! A range of pairs lent to a worker for a time.
//!
//! ```text
//! Held --all pairs reported--> Settled
//!   |  --given back----------> Settled     (what is unreported goes back)
//!   +---no progress, too slow-> Expired    (likewise, and its pairs no longer hold up a decision)
//! ```
//!
//! A heartbeat alone extends nothing: only plies do. A worker whose engines hang is thereby like a
//! dead one, and one that crawls has a last day too.

use std::time::Duration;

use match_core::limits::Limits;
use match_core::spec::Spec;

use crate::timestamp::Timestamp;

/// A lease is for about so much play, so that little is lost with a worker, and little said.
const PLAY: Duration = Duration::from_secs(120);

/// For a machine's hiccups and a network's.
const GRACE: Duration = Duration::from_secs(60);

/// The most pairs of a lease, whatever speed and slots are said to be: their results must fit into a few requests.
const PAIRS_MAX: u64 = 4096;

/// How many plies a game has until the games of a test say otherwise.
const PLIES: u32 = 120;

/// How long a lease lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Without a ply played.
    pub idle: Duration,
    /// In all.
    pub total: Duration,
}

/// A lease that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Since when.
    pub granted: Timestamp,
    /// Plies played under it, as far as is known.
    pub plies: u64,
    /// When the last of them were heard of.
    pub progress: Timestamp,
    /// How long it lasts.
    pub term: Term,
}

impl Held {
    /// Just granted.
    pub const fn new(at: Timestamp, term: Term) -> Self {
        Self {
            granted: at,
            plies: 0,
            progress: at,
            term,
        }
    }

    /// Takes note of a worker's saying that `plies` were played. Saying less than before, as a
    /// delayed message does, changes nothing.
    pub fn heard(&mut self, at: Timestamp, plies: u64) {
        if plies > self.plies {
            self.plies = plies;
            self.progress = self.progress.max(at);
        }
    }

    /// When it ends if nothing more is heard.
    pub fn until(&self) -> Timestamp {
        (self.progress + self.term.idle).min(self.granted + self.term.total)
    }
}

/// How long a pair of `spec` takes until it was measured: both games one after the other.
pub fn expected_pair(spec: &Spec) -> Duration {
    let game: Duration = spec
        .engines
        .iter()
        .map(|engine| thinking(&engine.limits))
        .sum();
    // Each engine plays two games of the pair, and with more than two engines not all play.
    2 * game * 2 / u32::try_from(spec.engines.len()).unwrap_or(u32::MAX)
}

/// What one engine thinks in a game of the usual length.
fn thinking(limits: &Limits) -> Duration {
    let moves = PLIES / 2;
    match (limits.clock, limits.move_time) {
        (Some(clock), _) => {
            let periods = clock.moves.map_or(1, |period| moves.div_ceil(period.get()));
            clock.base * periods + clock.increment * moves
        }
        (None, Some(time)) => time * moves,
        // Nodes and depth: a guess that one lease corrects.
        (None, None) => Duration::from_secs(10),
    }
}

/// How many pairs are lent.
///
/// `pair` is how long one takes in one slot, `slots` how many the worker plays at a time, `open` how
/// many pairs could be lent at all and `workers` how many share them. Near the end of a fixed test
/// leases get smaller, so that no one is waited for.
pub fn size(pair: Duration, slots: u64, open: u64, workers: u64) -> u64 {
    let slots = slots.max(1);
    let pair = pair.max(Duration::from_millis(1));
    let played = PLAY.as_millis() * u128::from(slots) / pair.as_millis();
    let by_time = u64::try_from(played).unwrap_or(u64::MAX).max(slots);
    let by_share = open.div_ceil(2 * workers.max(1)).max(slots);
    by_time.min(by_share).min(open).min(PAIRS_MAX)
}

/// How long a lease of `pairs` pairs lasts; the rest as for [`size`].
pub fn term(spec: &Spec, pair: Duration, slots: u64, pairs: u64) -> Term {
    let longest = spec
        .engines
        .iter()
        .map(|engine| longest_move(&engine.limits, spec.patience.watchdog))
        .max()
        .unwrap_or_default();
    let in_a_row = u32::try_from(pairs.div_ceil(slots.max(1))).unwrap_or(u32::MAX);
    Term {
        idle: GRACE + longest,
        total: 4 * (GRACE + longest) + pair.saturating_mul(4).saturating_mul(in_a_row),
    }
}

/// How long an engine may be silent without doing anything wrong.
fn longest_move(limits: &Limits, watchdog: Duration) -> Duration {
    match (limits.clock, limits.move_time) {
        (Some(clock), _) => clock.base + clock.increment,
        (None, Some(time)) => time,
        (None, None) => watchdog,
    }
}
