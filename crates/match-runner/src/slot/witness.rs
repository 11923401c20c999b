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
    turn: Option<Thinking>,
    baseline: Option<Reading>,
    /// When an engine was found to be late, and how things were then.
    late: Option<Reading>,
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
    pub(super) fn new(pulse: &'a Pulse, engines: ByColor<Watched>) -> Self {
        Self {
            pulse,
            engines,
            turn: None,
            baseline: None,
            late: None,
        }
    }

    /// `go` is about to be written, to an engine that has this much time.
    pub(super) fn before_go(&mut self, at: Moment, has: Duration) {
        let is_fresh = (self.baseline.as_ref()).is_some_and(|base| at < base.at + STALE);
        if has <= LEAD && !is_fresh {
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

    /// The engine is late and still thinks. Some engines think in a thread that ends with the move and
    /// takes its figures along.
    pub(super) fn found_late(&mut self, at: Moment) {
        if self.late.is_none() {
            self.late = Some(self.read(at));
        }
    }

    /// If the host is to blame for the `fault` of `loser`, how. `answered` says whether its move came at
    /// last.
    pub(super) fn excuse(
        mut self,
        at: Moment,
        loser: Color,
        fault: &Fault,
        answered: bool,
    ) -> Option<String> {
        let is_about_time = match fault {
            Fault::TimeLoss { .. } | Fault::Stall { .. } => true,
            Fault::Crash | Fault::IllegalMove { .. } => false,
        };
        let turn = self
            .turn
            .filter(|turn| is_about_time && turn.mover == loser)?;
        let found = self.late.as_ref().map_or(at, |late| late.at);
        let mut evidence = Evidence {
            had: found.since(turn.since),
            silent: if answered {
                Duration::ZERO
            } else {
                at.since(found)
            },
            stood_still: self.pulse.stood_still_since(turn.since),
            ..Evidence::default()
        };
        if let Some(base) = self.baseline.take() {
            let now = self.read(at);
            let span = at.since(base.at);
            let during = |color: Color| {
                let mut last = base.engines[color].clone();
                if let Some(late) = &self.late {
                    last.update(late.engines[color].clone());
                }
                last.update(now.engines[color].clone());
                last.since(&base.engines[color], span)
            };
            let (threads, cpus) = (during(loser), self.engines[loser].cpus);
            let ran =
                |threads: &[ThreadTime]| threads.iter().map(|time| time.ran).collect::<Vec<_>>();
            let own = now.own.waited.saturating_sub(base.own.waited);
            evidence.waited = waited_for_others(&threads, cpus);
            evidence.delayed = waited_behind(own, ran(&threads), cpus);
            evidence.opponent_ran = ran(&during(!loser)).iter().sum();
        }
        evidence.excuse(fault)
    }

    fn read(&self, at: Moment) -> Reading {
        Reading {
            at,
            engines: self.engines.map(|engine| Family::read(engine.process)),
            own: schedstat::of_this_thread().unwrap_or_default(),
        }
    }
}
