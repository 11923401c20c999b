//! Sees what the host does to the engine that is to move, in case it is late.
//!
//! Evidence is the difference of two readings. The second is taken when an engine was late, which is
//! rare; the first would be wanted before every move. It is taken only when it can be of use: before
//! `go`, off all clocks, when the engine has less than [`LEAD`] for its move, and otherwise when it has
//! thought until only that much is left. What withholds more from an engine than that is still seen in
//! part, and what came earlier it could allow for, because it looks at its clock. So nearly all moves
//! cost nothing, and in the shortest games one reading in [`STALE`] is made.

use std::num::NonZeroUsize;
use std::time::Duration;

use engine_core::{ByColor, Color};
use match_core::blame::{Evidence, ThreadTime, waited_behind, waited_for_others};
use match_core::fault::Fault;
use match_core::game::Thinking;
use match_core::moment::Moment;

use crate::pulse::Pulse;
use crate::schedstat::{self, Family};
use crate::wall::Wall;

/// How long before its limit a move is looked at.
const LEAD: Duration = Duration::from_secs(1);

/// A reading that is no older than this is as good as a new one. Reading two engines with two threads
/// each takes 60 us.
const STALE: Duration = Duration::from_millis(10);

/// Watches over a game.
#[derive(Debug)]
pub(super) struct Witness<'a> {
    pulse: &'a Pulse,
    engines: ByColor<Watched>,
    began: Moment,
    turn: Option<Thinking>,
    baseline: Option<Reading>,
    /// How things were when an engine was found to be late and had not moved yet.
    late: Option<Reading>,
    /// And when it had moved.
    moved: Option<Reading>,
}

/// An engine to watch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    pub(super) process: u32,
    /// As many as it has threads by its option.
    pub(super) cpus: NonZeroUsize,
}

#[derive(Debug)]
struct Reading {
    at: Moment,
    engines: ByColor<Family>,
    own: ThreadTime,
}

impl<'a> Witness<'a> {
    pub(super) fn new(began: Moment, pulse: &'a Pulse, engines: ByColor<Watched>) -> Self {
        Self {
            pulse,
            engines,
            began,
            turn: None,
            baseline: None,
            late: None,
            moved: None,
        }
    }

    /// `go` is about to be written, to an engine that has this much time.
    pub(super) fn before_go(&mut self, has: Duration, wall: Wall) {
        if LEAD < has {
            return;
        }
        let at = wall.now();
        let is_fresh = (self.baseline.as_ref()).is_some_and(|base| at < base.at + STALE);
        if !is_fresh {
            self.baseline = Some(self.read(at));
        }
    }

    /// When the engine that thinks is to be looked at, if that is still to be done.
    pub(super) fn look_at(&mut self, turn: Thinking) -> Option<Moment> {
        self.turn = Some(turn);
        let left = turn.until.since(turn.since);
        let look = turn.since + left.saturating_sub(LEAD);
        let is_done = (self.baseline.as_ref()).is_some_and(|base| look < base.at + STALE);
        (!is_done).then_some(look)
    }

    /// Looks at the engine that thinks: its time is running short.
    pub(super) fn look(&mut self, at: Moment) {
        self.baseline = Some(self.read(at));
    }

    /// The engine was late; it `has_moved` since, or not yet.
    ///
    /// It is looked at at once, because some engines think in a thread that ends with the move and
    /// takes its figures along, and again when the move is there: what it waits for after that is on no
    /// clock.
    pub(super) fn found_late(&mut self, at: Moment, has_moved: bool) {
        let is_new = match has_moved {
            true => self.moved.is_none(),
            false => self.late.is_none(),
        };
        if is_new {
            let reading = Some(self.read(at));
            match has_moved {
                true => self.moved = reading,
                false => self.late = reading,
            }
        }
    }

    /// If the host is to blame for the `fault` of `loser`, how.
    pub(super) fn excuse(mut self, at: Moment, loser: Color, fault: &Fault) -> Option<String> {
        let since = match self.turn {
            Some(turn) if turn.mover == loser => turn.since,
            Some(_) => return None,
            // It did not even get ready.
            None => self.began,
        };
        let found = self.late.as_ref().or(self.moved.as_ref())?.at;
        let mut evidence = Evidence {
            had: found.since(since),
            silent: match self.moved {
                Some(_) => Duration::ZERO,
                None => at.since(found),
            },
            stood_still: self.pulse.stood_still_since(since),
            ..Evidence::default()
        };
        if let Some(base) = self.baseline.take() {
            let last = self.moved.take().unwrap_or_else(|| self.read(at));
            self.compare(&base, &last, loser, &mut evidence);
        }
        evidence.excuse(fault)
    }

    fn compare(&self, base: &Reading, last: &Reading, loser: Color, evidence: &mut Evidence) {
        let during = |color: Color| {
            let mut end = base.engines[color].clone();
            if let Some(late) = &self.late {
                end.update(&late.engines[color]);
            }
            end.update(&last.engines[color]);
            end.since(&base.engines[color], last.at.since(base.at))
        };
        let ran = |threads: &[ThreadTime]| threads.iter().map(|time| time.ran).collect::<Vec<_>>();
        let (threads, cpus) = (during(loser), self.engines[loser].cpus);
        let own = last.own.waited.saturating_sub(base.own.waited);
        evidence.waited = waited_for_others(&threads, cpus);
        evidence.delayed = waited_behind(own, ran(&threads), cpus);
        evidence.opponent_ran = ran(&during(!loser)).iter().sum();
    }

    fn read(&self, at: Moment) -> Reading {
        Reading {
            at,
            engines: self.engines.map(|engine| Family::read(engine.process)),
            own: schedstat::of_this_thread().unwrap_or_default(),
        }
    }
}
