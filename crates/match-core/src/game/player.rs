//! One engine in a game.

use std::time::Duration;

use engine_core::{ByColor, Color};
use uci::{Command, Go, Heard, Phase};

use crate::clock::{Clock, FlagFall, flag_fall};
use crate::fault::Fault;
use crate::game::Afterwards;
use crate::greeting::{Introduction, Unstarted};
use crate::limits::Limits;
use crate::moment::Moment;
use crate::rules::Rules;
use crate::seat::Seat;
use crate::talk::Talk;

/// An engine with its conversation and its clock.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) talk: Talk,
    limits: Limits,
    clock: Option<Clock>,
    pub(super) stage: Stage,
    /// Whether its output has ended.
    pub(super) closed: bool,
    /// Whether it will not be kept, whatever it does now.
    pub(super) expelled: bool,
    /// Whether it must still show that it has caught up.
    pub(super) owes_ping: bool,
}

/// How far an engine is from being able to move.
#[derive(Debug)]
pub(super) enum Stage {
    /// A new process.
    New(Vec<(String, String)>),
    /// It is being greeted.
    Greeting(Introduction),
    /// It has been told of the game and must say that it is ready, until then.
    Seating(Moment),
    /// It is ready.
    Ready,
}

impl Player {
    /// # Panics
    /// If the session is in the middle of something.
    pub(super) fn new(seat: Seat) -> Self {
        let Seat {
            session,
            limits,
            options,
        } = seat;
        let stage = match session.phase() {
            Phase::Fresh => Stage::New(options),
            Phase::Idle => Stage::Ready,
            phase => panic!("an engine sits down fresh or idle, not {phase}"),
        };
        Self {
            talk: Talk::new(session),
            clock: limits.clock.map(Clock::new),
            limits,
            stage,
            closed: false,
            expelled: false,
            owes_ping: false,
        }
    }

    /// Begins to make it ready for this game.
    pub(super) fn start(&mut self, at: Moment, rules: &Rules) {
        match &mut self.stage {
            Stage::New(options) => {
                let options = std::mem::take(options);
                let introduction = Introduction::begin(
                    at,
                    &mut self.talk,
                    options,
                    rules.variant,
                    &rules.patience,
                );
                self.stage = Stage::Greeting(introduction);
            }
            Stage::Greeting(_) | Stage::Seating(_) | Stage::Ready => self.seat(at, rules),
        }
    }

    /// Tells it that a game begins.
    pub(super) fn seat(&mut self, at: Moment, rules: &Rules) {
        self.talk.say(&Command::UciNewGame);
        self.talk.say(&Command::IsReady);
        self.stage = Stage::Seating(at + rules.patience.ping);
    }

    /// Takes in a line while it is made ready. `Some` when that came to an end.
    pub(super) fn hear_while_starting(
        &mut self,
        at: Moment,
        line: &[u8],
    ) -> Option<Result<(), Unstarted>> {
        let heard = self.talk.hear(line);
        match &mut self.stage {
            Stage::Greeting(introduction) => introduction.hear(at, &mut self.talk, &heard),
            Stage::Seating(_) if heard == Heard::ReadyOk => {
                self.stage = Stage::Ready;
                None
            }
            Stage::New(_) | Stage::Seating(_) | Stage::Ready => None,
        }
    }

    /// When patience with its getting ready ends.
    pub(super) fn ready_by(&self) -> Option<Moment> {
        match &self.stage {
            Stage::Greeting(introduction) => Some(introduction.until),
            Stage::Seating(until) => Some(*until),
            Stage::New(_) | Stage::Ready => None,
        }
    }

    /// The game is over: what it is doing is no longer wanted.
    pub(super) fn begin_to_settle(&mut self) {
        if self.closed || self.expelled {
            return;
        }
        if self.talk.phase() == Phase::Searching {
            self.talk.say(&Command::Stop);
            self.owes_ping = true;
        }
        self.ping();
    }

    /// Takes in a line after the game and says whether it is the late `bestmove`. A new process is
    /// greeted to the end, game or no game.
    pub(super) fn hear_while_settling(&mut self, at: Moment, line: &[u8]) -> bool {
        let heard = self.talk.hear(line);
        if let Stage::Greeting(introduction) = &mut self.stage
            && let Some(Ok(())) = introduction.hear(at, &mut self.talk, &heard)
        {
            self.stage = Stage::Ready;
        }
        self.ping();
        matches!(heard, Heard::BestMove { .. })
    }

    fn ping(&mut self) {
        if self.owes_ping && self.talk.phase() == Phase::Idle {
            self.talk.say(&Command::IsReady);
            self.owes_ping = false;
        }
    }

    /// Whether there is nothing to wait for: it is at rest, or will not be kept whatever comes.
    pub(super) fn is_settled(&self) -> bool {
        self.closed || self.expelled || self.is_at_rest()
    }

    fn is_at_rest(&self) -> bool {
        let is_greeted = !matches!(self.stage, Stage::Greeting(_));
        is_greeted
            && matches!(self.talk.phase(), Phase::Idle | Phase::Fresh)
            && self.talk.is_flushed()
    }

    /// What is to become of it, when the game ended for its `fault` or for none.
    pub(super) fn afterwards(self, fault: Option<Fault>) -> Afterwards {
        if !self.closed && !self.expelled && self.is_at_rest() {
            return Afterwards::Keep(self.talk.into_session());
        }
        let crash = self.closed.then_some(Fault::Crash);
        Afterwards::Discard {
            fault: fault.or(crash),
        }
    }

    /// What is left on its clock.
    pub(super) fn left(&self) -> Option<Duration> {
        self.clock.as_ref().map(Clock::left)
    }

    /// How long it may think about a move, margin not included; nothing without a clock or a fixed
    /// time.
    fn allowed(&self) -> Option<Duration> {
        match (self.left(), self.limits.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }

    /// How long it may think about a move before its flag falls; nothing without a clock or a fixed time.
    pub(super) fn patience(&self) -> Option<Duration> {
        Some(self.allowed()?.saturating_add(self.limits.margin))
    }

    /// The first moment at which its flag has fallen, if it thinks `since` then.
    pub(super) fn flag_falls_at(&self, since: Moment) -> Option<Moment> {
        const TICK: Duration = Duration::from_nanos(1);
        self.patience()
            .map(|patience| since + patience.saturating_add(TICK))
    }

    /// Whether its flag has fallen after thinking for `spent`.
    pub(super) fn flag_fall(&self, spent: Duration) -> Option<FlagFall> {
        self.allowed()
            .and_then(|allowed| flag_fall(spent, allowed, self.limits.margin))
    }

    /// Charges a move.
    pub(super) fn charge(&mut self, spent: Duration) -> Result<(), FlagFall> {
        if let Some(fall) = self.flag_fall(spent) {
            return Err(fall);
        }
        self.clock
            .as_mut()
            .map_or(Ok(()), |clock| clock.charge(spent, self.limits.margin))
    }
}

/// The `go` of `mover`.
///
/// An engine with a clock sees both: there are engines that read the line by position, and time
/// management that looks at the opponent's. An opponent without a clock is shown with the mover's.
/// An engine without a clock sees none, for it would keep to what it sees.
pub(super) fn go(players: &ByColor<Player>, mover: Color) -> Go<'static> {
    let limits = &players[mover].limits;
    let mut go = Go {
        nodes: limits.nodes,
        depth: limits.depth,
        movetime: limits.move_time,
        ..Go::default()
    };
    if let Some(own) = &players[mover].clock {
        let clock = |color: Color| players[color].clock.as_ref().unwrap_or(own);
        go.wtime = Some(clock(Color::White).left());
        go.btime = Some(clock(Color::Black).left());
        go.winc = clock(Color::White).increment();
        go.binc = clock(Color::Black).increment();
        go.movestogo = own.moves_to_go();
    }
    go
}
