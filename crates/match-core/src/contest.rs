//! A contest as a machine: which game is played next, and when it is over.
//!
//! ```text
//! Running --all games played--------------------------> Done
//!    |                                                   ^
//!    +--decided, too many faults, engine unusable,       |
//!       reporter failed, first interrupt                 |
//!         --> Draining --no game runs--------------------+
//!                             |                          |
//!                             +--grace is over, second --+
//!                                interrupt (kills)
//! ```
//!
//! It never plays: it says which fixture starts in which slot and is told what came of it. It is the
//! one producer of events, so their numbers have no gap. Numbers are given out from the lowest on,
//! those of void games again, and no number twice at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use engine_core::Color;

use crate::event::{Event, EventKind, StopReason};
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::fixture::{EngineId, Fixture, GameNumber};
use crate::journal::Past;
use crate::ledger::Ledger;
use crate::moment::Moment;
use crate::record::GameRecord;
use crate::schedule::Schedule;
use crate::spec::Spec;
use crate::summary::Summary;
use crate::verdict::{Verdict, VoidReason};

mod sequential;

pub use sequential::Sequential;

/// How long cancelled games may take to come back before they are given up.
///
/// A cancelled game is over at once, so this bounds what a slot may need to hear of it; an
/// interrupted contest is reported within a second with room for writing the results.
pub const CANCEL_GRACE: Duration = Duration::from_millis(500);

/// Faults of which all that is known is kept. Who has looked at so many of them has seen them all,
/// and a contest of a million games must not fill a disk with more.
pub const FAULTS_RECORDED_MAX: u64 = 100;

/// A contest under way.
#[derive(Debug)]
pub struct Contest {
    spec: Arc<Spec>,
    schedule: Schedule,
    ledger: Ledger,
    sequential: Option<Sequential>,
    /// All numbers below are in the ledger, running or `returned`.
    fresh: GameNumber,
    /// Numbers below `fresh` that must be played again.
    returned: BTreeSet<GameNumber>,
    idle: BTreeSet<usize>,
    running: BTreeMap<usize, Fixture>,
    start_failures: BTreeMap<EngineId, u32>,
    faults_recorded: u64,
    /// Games that the host spoilt.
    spoilt: u64,
    slots: NonZeroUsize,
    state: State,
    stopped: Option<StopReason>,
    started: Moment,
    now: Moment,
    outputs: VecDeque<Output>,
    next_seq: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Draining { until: Moment },
    Done,
}

/// What a contest is told.
#[derive(Clone, Debug)]
pub enum Input {
    /// A slot is ready for its first game; from then on, the end of each game frees it.
    SlotFree(usize),
    /// A game is finished or void, and its slot is free.
    GameOver {
        /// Where.
        slot: usize,
        /// All of it.
        record: Arc<GameRecord>,
    },
    /// An engine did not get as far as playing, and its slot is free.
    StartFailed {
        /// Where.
        slot: usize,
        /// Which.
        engine: EngineId,
        /// Why, and what it said last.
        text: String,
        /// Whether trying again may help.
        retry: Retry,
    },
    /// Something odd that is no fault.
    Warned {
        /// In which game, if in one.
        game: Option<GameNumber>,
        /// About which engine, if about one.
        engine: Option<EngineId>,
        /// What.
        text: String,
    },
    /// A process was replaced by a fresh one.
    EngineRestarted {
        /// Where.
        slot: usize,
        /// Which.
        engine: EngineId,
        /// Its colour in the game that was its last.
        color: Color,
        /// Why, when it was for a fault.
        fault: Option<Fault>,
    },
    /// A game is about to be over by a fault, and this is what is known of it.
    Faulted(Arc<Evidence>),
    /// A file could not be written.
    ReporterFailed(String),
    /// Ctrl-C: the first cancels, the second kills.
    Interrupt,
    /// The time of [`Contest::wake_at`] has come.
    Alarm,
}

/// Whether an engine that did not start is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Yes, until `patience.start_failures` in a row.
    MayHelp,
    /// A setting is refused or a program is missing: it would fail for ever.
    IsUseless,
}

/// What a contest asks for.
#[derive(Clone, Debug)]
pub enum Output {
    /// Tell every reporter.
    Event(Event),
    /// Play this game in this slot.
    Start {
        /// Where.
        slot: usize,
        /// Which.
        fixture: Fixture,
    },
    /// End every running game as void for this reason; each comes back as [`Input::GameOver`].
    CancelAll(VoidReason),
    /// Kill every engine now; nothing is waited for.
    KillAll,
    /// It is over; nothing follows.
    Done,
}

impl Contest {
    /// A contest that begins, with a book of `book_len` openings and `slots` places to play.
    pub fn new(at: Moment, spec: Arc<Spec>, book_len: NonZeroU64, slots: NonZeroUsize) -> Self {
        let past = Past {
            began: at,
            ..Past::default()
        };
        Self::resume(at, spec, book_len, slots, past)
    }

    /// A contest that goes on where its `past` has ended.
    pub fn resume(
        at: Moment,
        spec: Arc<Spec>,
        book_len: NonZeroU64,
        slots: NonZeroUsize,
        past: Past,
    ) -> Self {
        let schedule = Schedule::new(&spec, book_len);
        let share = schedule.share();
        let games = share.end.0 - share.start.0;
        let mut contest = Self {
            spec: Arc::clone(&spec),
            schedule,
            ledger: past.ledger,
            sequential: spec.sprt.map(Sequential::new),
            fresh: share.start,
            returned: BTreeSet::new(),
            idle: BTreeSet::new(),
            running: BTreeMap::new(),
            start_failures: BTreeMap::new(),
            faults_recorded: 0,
            spoilt: 0,
            slots,
            state: State::Running,
            stopped: None,
            started: past.began,
            now: at,
            outputs: VecDeque::new(),
            next_seq: past.next_seq,
        };
        let decided = contest.look();
        let slots = slots.get();
        if past.next_seq == 0 {
            contest.tell(EventKind::ContestStarted { spec, games, slots });
        } else {
            let summary = Arc::new(contest.summary());
            contest.tell(EventKind::ContestResumed {
                spec,
                games,
                slots,
                summary,
            });
        }
        contest.tell_of_bounds();
        contest.tell_of_book(book_len);
        if decided {
            contest.drain(StopReason::Decided);
        }
        for engine in 0..contest.spec.engines.len() {
            contest.look_at_faults(EngineId(engine));
        }
        contest.advance();
        contest
    }

    /// Tells it what happened, at `at`. After [`Output::Done`] nothing makes a difference any more.
    ///
    /// # Panics
    ///
    /// On a report of a game that does not run: the shell has lost count.
    pub fn handle(&mut self, at: Moment, input: Input) {
        if self.state == State::Done {
            return;
        }
        self.now = self.now.max(at);
        match input {
            Input::SlotFree(slot) => {
                self.idle.insert(slot);
            }
            Input::GameOver { slot, record } => self.game_over(slot, record),
            Input::StartFailed {
                slot,
                engine,
                text,
                retry,
            } => self.start_failed(slot, engine, text, retry),
            Input::Warned { game, engine, text } => {
                self.tell(EventKind::Warned { game, engine, text });
            }
            Input::EngineRestarted {
                slot,
                engine,
                color,
                fault,
            } => self.tell(EventKind::EngineRestarted {
                slot,
                engine,
                color,
                fault,
            }),
            Input::Faulted(evidence) => self.record_fault(evidence),
            Input::ReporterFailed(why) => self.drain(StopReason::ReporterFailed(why)),
            Input::Interrupt => match self.stopped {
                Some(StopReason::Interrupted) => self.kill(StopReason::Killed),
                _ => self.drain(StopReason::Interrupted),
            },
            Input::Alarm => {}
        }
        self.advance();
    }

    /// What it asks for, in order; to be drained after `new` and after every `handle`.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to come back with [`Input::Alarm`] if nothing else happens.
    pub fn wake_at(&self) -> Option<Moment> {
        match self.state {
            State::Draining { until } => Some(until),
            State::Running | State::Done => None,
        }
    }

    /// Why it ends before all games were played, if it does.
    pub fn stopped(&self) -> Option<&StopReason> {
        self.stopped.as_ref()
    }

    /// The games with a result.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The result so far.
    pub fn summary(&self) -> Summary {
        let wall = self.now.since(self.started);
        Summary::new(&self.spec, &self.ledger, self.sequential.as_ref(), wall)
    }

    /// Takes back games, with the plies that engines played in them, whose records were lost before
    /// anybody kept them; to be asked when the contest is over.
    pub fn forget(&mut self, lost: &[(Fixture, u64)]) {
        for (fixture, plies) in lost {
            self.ledger.forget(fixture, *plies);
        }
        // It may have looked at them.
        self.sequential = self.spec.sprt.map(Sequential::new);
        self.look();
    }

    fn game_over(&mut self, slot: usize, record: Arc<GameRecord>) {
        let fixture = self.free(slot);
        assert_eq!(fixture, record.fixture, "slot {slot} plays another game");
        self.ledger
            .record(&record)
            .expect("a game that runs has no result yet");
        let mut is_spoilt = false;
        match &record.verdict {
            Verdict::Void(reason) => {
                self.returned.insert(fixture.number);
                is_spoilt = matches!(reason, VoidReason::Host(_));
            }
            Verdict::Rules(_) | Verdict::Adjudicated(_) | Verdict::Forfeit { .. } => {
                for color in Color::ALL {
                    self.start_failures.remove(&fixture.players[color]);
                }
            }
        }
        let decided = self.look();
        let culprit = match &record.verdict {
            Verdict::Forfeit { loser, .. } => Some(fixture.players[*loser]),
            Verdict::Rules(_) | Verdict::Adjudicated(_) | Verdict::Void(_) => None,
        };
        let summary = Arc::new(self.summary());
        self.tell(EventKind::GameFinished {
            slot,
            record,
            summary,
        });
        if decided {
            self.drain(StopReason::Decided);
        }
        if let Some(culprit) = culprit {
            self.look_at_faults(culprit);
        }
        if is_spoilt {
            self.game_spoilt();
        }
    }

    /// Stops when an engine has as many faults as are allowed.
    fn look_at_faults(&mut self, engine: EngineId) {
        let Some(max) = self.spec.max_faults else {
            return;
        };
        let faults = self.ledger.standing(engine).faults();
        if max.get() <= faults {
            self.drain(StopReason::TooManyFaults(format!(
                "`{}` has {faults} faults, and `max-faults` is {max}",
                self.spec.engines[engine.0].name
            )));
        }
    }

    /// A game is void through the host's fault. When it happens too often, what is played says more of
    /// the host than of the engines.
    fn game_spoilt(&mut self) {
        self.spoilt += 1;
        let (spoilt, games) = (self.spoilt, self.ledger.games() + self.spoilt);
        let limit = self.spec.host.max_voids;
        if limit.is_exceeded(spoilt, games) {
            let fewer = match self.slots.get() {
                1 => String::new(),
                slots => format!(" fewer games at a time than {slots} (`--concurrency`) or"),
            };
            self.drain(StopReason::HostUnfit(format!(
                "the host spoilt {spoilt} of {games} games, and {limit} are allowed: stop what else runs \
                 here, or play{fewer} at a longer time control (`arbiter doctor` looks \
                 for causes, `--max-voids` allows more)"
            )));
        }
    }

    fn start_failed(&mut self, slot: usize, engine: EngineId, text: String, retry: Retry) {
        let game = self.free(slot).number;
        self.returned.insert(game);
        let failures = self.start_failures.entry(engine).or_default();
        *failures += 1;
        let failures = *failures;
        let hopeless =
            retry == Retry::IsUseless || failures >= self.spec.patience.start_failures.get();
        self.tell(EventKind::EngineStartFailed {
            slot,
            game,
            engine,
            failures,
            text: text.clone(),
        });
        if hopeless {
            let name = &self.spec.engines[engine.0].name;
            let reason = StopReason::EngineUnusable(format!("`{name}` cannot be started: {text}"));
            self.drain(reason);
        }
    }

    /// Has a fault written down, if somebody wants that and there were not too many.
    fn record_fault(&mut self, evidence: Arc<Evidence>) {
        let (Some(folder), Verdict::Forfeit { loser, fault, .. }) =
            (&self.spec.output.faults, &evidence.record.verdict)
        else {
            return;
        };
        self.faults_recorded += 1;
        if FAULTS_RECORDED_MAX < self.faults_recorded {
            if self.faults_recorded == FAULTS_RECORDED_MAX + 1 {
                self.warn(format!(
                    "{FAULTS_RECORDED_MAX} faults are in `{}`: further ones are counted and not \
                     written down",
                    folder.display()
                ));
            }
            return;
        }
        let Fixture {
            number, players, ..
        } = evidence.record.fixture;
        self.tell(EventKind::FaultRecorded {
            game: number,
            engine: players[*loser],
            fault: fault.clone(),
            file: folder.join(format!("game-{number}.txt")),
            evidence,
        });
    }

    fn free(&mut self, slot: usize) -> Fixture {
        self.idle.insert(slot);
        self.running
            .remove(&slot)
            .unwrap_or_else(|| panic!("slot {slot} plays no game"))
    }

    /// Lets the sequential test look at what is new, and says whether it has just decided.
    fn look(&mut self) -> bool {
        let Some(sequential) = &mut self.sequential else {
            return false;
        };
        let before = sequential.is_decided();
        sequential.follow(&self.ledger);
        !before && sequential.is_decided()
    }

    /// Stops for `reason`, unless there is a stronger one already.
    fn drain(&mut self, reason: StopReason) {
        if self
            .stopped
            .as_ref()
            .is_some_and(|stopped| *stopped >= reason)
        {
            return;
        }
        let void = match reason {
            StopReason::Decided => VoidReason::Unneeded,
            StopReason::TooManyFaults(_)
            | StopReason::EngineUnusable(_)
            | StopReason::HostUnfit(_)
            | StopReason::ReporterFailed(_)
            | StopReason::Interrupted
            | StopReason::Killed => VoidReason::Cancelled,
        };
        self.stopped = Some(reason.clone());
        self.tell(EventKind::Draining { reason });
        if self.state == State::Running {
            let until = self.now + CANCEL_GRACE;
            self.state = State::Draining { until };
            if !self.running.is_empty() {
                self.outputs.push_back(Output::CancelAll(void));
            }
        }
    }

    fn kill(&mut self, reason: StopReason) {
        self.drain(reason);
        self.give_up();
    }

    /// Waits no longer for games that were cancelled: their engines are killed.
    fn give_up(&mut self) {
        self.running.clear();
        self.outputs.push_back(Output::KillAll);
    }

    /// Goes on from where the last input has left it.
    fn advance(&mut self) {
        match self.state {
            State::Running => {
                self.start_games();
                if self.running.is_empty() && self.next_game().is_none() {
                    self.finish();
                }
            }
            State::Draining { until } => {
                if !self.running.is_empty() && self.now >= until {
                    self.give_up();
                }
                if self.running.is_empty() {
                    self.finish();
                }
            }
            State::Done => {}
        }
    }

    fn start_games(&mut self) {
        while let Some(&slot) = self.idle.first()
            && let Some(number) = self.next_game()
        {
            let fixture = self.schedule.fixture(number);
            self.idle.remove(&slot);
            self.running.insert(slot, fixture);
            if !self.returned.remove(&number) {
                self.fresh = GameNumber(number.0 + 1);
                self.tell_of_repetition(number);
            }
            self.tell(EventKind::GameStarted { fixture, slot });
            self.outputs.push_back(Output::Start { slot, fixture });
        }
    }

    /// The lowest number that has no result and does not run.
    fn next_game(&self) -> Option<GameNumber> {
        self.returned.first().copied().or_else(|| {
            self.ledger
                .missing_from(self.fresh)
                .next()
                .filter(|&number| number < self.schedule.share().end)
        })
    }

    fn finish(&mut self) {
        self.state = State::Done;
        let summary = self.summary();
        let stopped = self.stopped.clone();
        self.tell(EventKind::ContestFinished {
            summary: Arc::new(summary),
            stopped,
            wall: self.now.since(self.started),
        });
        self.outputs.push_back(Output::Done);
    }

    /// Bounds other than those that were asked for.
    fn tell_of_bounds(&mut self) {
        let fallback = self
            .sequential
            .as_ref()
            .and_then(|test| test.sprt().fallback());
        if let Some(fallback) = fallback {
            self.warn(fallback.to_string());
        }
    }

    fn tell_of_book(&mut self, book_len: NonZeroU64) {
        let start = self.spec.openings.start;
        if start > book_len {
            self.warn(format!(
                "the book has {book_len} openings: `start={start}` is opening {} of its order",
                (start.get() - 1) % book_len + 1
            ));
        }
        if let Some(game) = self.schedule.exhausted_at()
            && !self.spec.is_open_ended()
        {
            self.warn(format!(
                "the book has {book_len} openings for {} rounds: from game {game} on they are \
                 played again, in the same order",
                self.spec.pairs
            ));
        }
    }

    /// Nobody can say beforehand how many openings a contest needs that only a decision ends.
    fn tell_of_repetition(&mut self, number: GameNumber) {
        if self.spec.is_open_ended() && self.schedule.exhausted_at() == Some(number) {
            self.warn(format!(
                "all openings of the book have been played: from game {number} on they are played \
                 again, in the same order"
            ));
        }
    }

    fn warn(&mut self, text: String) {
        self.tell(EventKind::Warned {
            game: None,
            engine: None,
            text,
        });
    }

    fn tell(&mut self, kind: EventKind) {
        let seq = self.next_seq;
        self.next_seq += 1;
        self.outputs.push_back(Output::Event(Event {
            seq,
            at: self.now,
            kind,
        }));
    }
}
