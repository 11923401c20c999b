//! Contests in virtual time.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use match_core::contest::{Contest, Input, Output};
use match_core::event::{EventKind, StopReason};
use match_core::fixture::Fixture;
use match_core::journal::Past;
use match_core::ledger::Ledger;
use match_core::moment::Moment;
use match_core::spec::Spec;
use match_core::verdict::{Verdict, VoidReason};

use crate::sample::{openings, record, stalemate};

/// A contest with the slots that play it; a game takes as long and ends as a function says.
pub(crate) struct World {
    pub(crate) contest: Contest,
    pub(crate) now: Moment,
    /// When the game in a slot will be over.
    pub(crate) running: BTreeMap<(Moment, usize), Fixture>,
    pub(crate) seen: Seen,
}

/// What came out of the contest.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) started: Vec<u64>,
    pub(crate) finished: Vec<(u64, Verdict)>,
    pub(crate) events: Vec<String>,
    pub(crate) cancelled: Vec<VoidReason>,
    pub(crate) kills: usize,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) done: bool,
}

impl World {
    pub(crate) fn new(spec: &Spec, slots: usize) -> Self {
        Self::resume(spec, slots, Ledger::new())
    }

    pub(crate) fn resume(spec: &Spec, slots: usize, ledger: Ledger) -> Self {
        let count = NonZeroUsize::new(slots).expect("some slots");
        let spec = Arc::new(spec.clone());
        let past = Past {
            ledger,
            ..Past::default()
        };
        let contest = Contest::resume(Moment::ZERO, spec, openings(100), count, past);
        let mut world = Self {
            contest,
            now: Moment::ZERO,
            running: BTreeMap::new(),
            seen: Seen::default(),
        };
        world.drain(&mut |_| Duration::ZERO);
        world
    }

    pub(crate) fn handle(&mut self, input: Input, takes: &mut dyn FnMut(Fixture) -> Duration) {
        self.contest.handle(self.now, input);
        self.drain(takes);
    }

    pub(crate) fn drain(&mut self, takes: &mut dyn FnMut(Fixture) -> Duration) {
        while let Some(output) = self.contest.poll() {
            assert!(!self.seen.done, "nothing follows `Done`");
            match output {
                Output::Event(event) => {
                    assert_eq!(event.seq, self.seen.events.len() as u64, "a gap in `seq`");
                    self.note(&event.kind);
                }
                Output::Start { slot, fixture } => {
                    let busy = self.running.keys().any(|&(_, other)| other == slot);
                    assert!(!busy, "slot {slot} plays already");
                    let twice = self
                        .running
                        .values()
                        .any(|other| other.number == fixture.number);
                    assert!(!twice, "game {} runs already", fixture.number);
                    self.seen.started.push(fixture.number.0);
                    self.running
                        .insert((self.now + takes(fixture), slot), fixture);
                }
                Output::CancelAll(reason) => self.seen.cancelled.push(reason),
                Output::KillAll => self.seen.kills += 1,
                Output::Done => self.seen.done = true,
            }
        }
    }

    pub(crate) fn note(&mut self, kind: &EventKind) {
        let name = match kind {
            EventKind::ContestStarted { .. } => "started",
            EventKind::ContestResumed { .. } => "resumed",
            EventKind::GameStarted { .. } => "game started",
            EventKind::EngineStartFailed { .. } => "start failed",
            EventKind::GameFinished { record, .. } => {
                let number = record.fixture.number.0;
                self.seen.finished.push((number, record.verdict.clone()));
                "game finished"
            }
            EventKind::Warned { text, .. } => text,
            EventKind::EngineRestarted { .. } => "restarted",
            EventKind::FaultRecorded { .. } => "fault recorded",
            EventKind::Draining { reason } => reason.name(),
            EventKind::ContestFinished { stopped, .. } => {
                self.seen.stopped.clone_from(stopped);
                "finished"
            }
        };
        self.seen.events.push(name.to_owned());
    }

    pub(crate) fn open(&mut self, slots: usize, takes: &mut dyn FnMut(Fixture) -> Duration) {
        for slot in 0..slots {
            self.handle(Input::SlotFree(slot), takes);
        }
    }

    /// Lets the next game end by `verdict`; `None` when none runs.
    pub(crate) fn step(
        &mut self,
        takes: &mut dyn FnMut(Fixture) -> Duration,
        verdict: &mut dyn FnMut(Fixture) -> Verdict,
    ) -> Option<Fixture> {
        let ((at, slot), fixture) = self.running.pop_first()?;
        self.now = at;
        let record = Arc::new(record(fixture, verdict(fixture)));
        self.handle(Input::GameOver { slot, record }, takes);
        Some(fixture)
    }

    /// Ends all running games as void.
    pub(crate) fn cancel(&mut self) {
        let reason = self.seen.cancelled.last().cloned().expect("a cancellation");
        while self
            .step(&mut |_| Duration::ZERO, &mut |_| {
                Verdict::Void(reason.clone())
            })
            .is_some()
        {}
    }

    pub(crate) fn counted(&self) -> Vec<u64> {
        let counted = self.seen.finished.iter();
        let mut numbers: Vec<u64> = counted
            .filter(|(_, verdict)| verdict.outcome().is_some())
            .map(|&(number, _)| number)
            .collect();
        numbers.sort_unstable();
        numbers
    }
}

pub(crate) fn a_second(_: Fixture) -> Duration {
    Duration::from_secs(1)
}

pub(crate) fn draw(_: Fixture) -> Verdict {
    stalemate()
}
