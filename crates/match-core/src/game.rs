//! The machine that referees one game.
//!
//! ```text
//! Starting -> Thinking(mover, since) -> ... -> Settling -> Over
//! ```
//!
//! It is told what the engines said and when, and asks for what is to be written to them. It never
//! waits, writes or looks at a clock. Whoever drives it keeps to this:
//!
//! - After [`Game::new`] and after every [`Game::handle`], [`Game::poll`] is called until it gives
//!   nothing.
//! - A `Line` bears the moment at which the read that brought it returned; `Flushed` the moment after
//!   the write that took the last byte of the outbox. A write that fails because the engine reads no
//!   more counts as one: the bytes are gone, and the engine's end or its clock will tell.
//! - Text before the end of the output is a `Line` even without a line end: an engine that exits
//!   right after its `bestmove` has moved.
//! - At or after [`Game::wake_at`], what is there to be read is handed over first and `Alarm` then.
//!   Alarms bound waiting; stamps decide time.
//!
//! A move is charged from `Flushed` of its `go` to the stamp of its `bestmove`. The flag is judged
//! before the move: what comes late is late, be it mate. Both engines are made ready at the same
//! time, and none of that is on a clock.

use std::sync::Arc;
use std::time::Duration;

use engine_core::{ByColor, Color, Outcome, flag_fall};
use uci::{Command, Heard, Session};

use crate::adjudication::{Adjudicators, Observation};
use crate::fault::Fault;
use crate::fixture::Fixture;
use crate::greeting::Unstarted;
use crate::moment::Moment;
use crate::opening::Opening;
use crate::record::{GameRecord, PlyRecord};
use crate::rules::Rules;
use crate::seat::Seat;
use crate::talk::fit;
use crate::verdict::{Verdict, VoidReason};

use board::Board;
use claims::Claims;
use player::{Player, Stage, go};

mod board;
mod claims;
mod player;

/// A game from the greeting of new processes to engines that can play the next one.
#[derive(Debug)]
pub struct Game {
    fixture: Fixture,
    opening: Opening,
    rules: Arc<Rules>,
    board: Board,
    players: ByColor<Player>,
    adjudicators: Adjudicators,
    claims: Claims,
    plies: Vec<PlyRecord>,
    phase: Phase,
    /// When the first `go` was said.
    began: Option<Moment>,
    duration: Duration,
    /// When there was a conclusion.
    decided: Moment,
    conclusion: Option<Result<Verdict, StartFailure>>,
}

/// What the machine is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// An engine printed a line, with or without its end.
    Line(Color, &'a [u8]),
    /// An engine's output has ended.
    Closed(Color),
    /// An engine's outbox has been written, to the last byte.
    Flushed(Color),
    /// It is [`Game::wake_at`] or later.
    Alarm,
    /// The game is not to count.
    Cancel(VoidReason),
}

/// What the machine asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Write what is new in this engine's outbox.
    Write(Color),
    /// Tell somebody of something odd that is no fault.
    Warned {
        /// The engine that it is about, if it is about one.
        about: Option<Color>,
        /// One line.
        text: String,
    },
    /// All is done; call [`Game::finish`].
    Over,
}

/// A move that is being thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// By whom.
    pub mover: Color,
    /// When its clock was started.
    pub since: Moment,
    /// When it will be late if it gives no sign of life.
    pub until: Moment,
}

/// A game that is over.
#[derive(Debug)]
pub struct Finished {
    /// What happened in it, unless an engine could not even be greeted.
    pub game: Result<GameRecord, StartFailure>,
    /// What is to become of the processes.
    pub engines: ByColor<Afterwards>,
}

/// What is to become of an engine's process after a game.
#[derive(Debug)]
pub enum Afterwards {
    /// It can play the next game.
    Keep(Session),
    /// It cannot, and is to be ended.
    Discard {
        /// What it did, if that is why.
        fault: Option<Fault>,
    },
}

/// An engine that could not be made ready; nobody played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct StartFailure {
    /// Who.
    pub color: Color,
    /// Why.
    pub why: Unstarted,
}

impl StartFailure {
    /// Whether it is no use to try again.
    pub const fn is_final(&self) -> bool {
        matches!(self.why, Unstarted::Unfit(_))
    }
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// New processes are greeted, and all are told of the game.
    Starting,
    /// It is somebody's turn.
    Thinking(Turn),
    /// The result is known, and engines are brought to rest until then.
    Settling(Moment),
    /// Engines are at rest or given up; `told` when that was said.
    Over { told: bool },
}

/// A turn of an engine.
#[derive(Clone, Copy, Debug)]
struct Turn {
    mover: Color,
    /// When `go` was put in the outbox.
    said: Moment,
    /// When it had left our hands.
    since: Option<Moment>,
    /// The last sign of life.
    alive: Moment,
}

/// Most bytes of an illegal move that are kept. The longest sensible word, `a7a8q`, has five.
const MOVE_BYTES_MAX: usize = 64;

/// Time to read `go` that everybody has, however little is left to think. A pipe that was empty takes a
/// `go` at once, so only an engine that reads nothing any more needs it.
const READING_MIN: Duration = Duration::from_secs(1);

/// Room for the plies of an ordinary game, so that its record grows once or never.
const PLIES_USUAL: usize = 160;

impl Game {
    /// A game that begins `at`. An opening that is over by the laws ends it at once: no engine is
    /// told of it, and both colours of its pair come to the same result.
    ///
    /// # Panics
    /// If an opening holds an illegal move, or a session is in the middle of something.
    pub fn new(
        at: Moment,
        fixture: Fixture,
        mut opening: Opening,
        seats: ByColor<Seat>,
        rules: Arc<Rules>,
    ) -> Self {
        let board = Board::new(&mut opening, rules.castling_style());
        let mut game = Self {
            fixture,
            opening,
            board,
            players: seats.map(Player::new),
            adjudicators: Adjudicators::new(&rules.adjudication, rules.tablebase.clone()),
            rules,
            claims: Claims::default(),
            plies: Vec::with_capacity(PLIES_USUAL),
            phase: Phase::Starting,
            began: None,
            duration: Duration::ZERO,
            decided: at,
            conclusion: None,
        };
        match game.board.ending() {
            Some(ending) => game.conclude(at, Ok(Verdict::Rules(ending))),
            None => {
                for color in Color::ALL {
                    game.players[color].start(at, &game.rules);
                }
            }
        }
        game
    }

    /// Takes in what happened.
    pub fn handle(&mut self, at: Moment, input: Input<'_>) {
        match input {
            Input::Line(color, line) => self.hear(at, color, line),
            Input::Closed(color) => self.close(at, color),
            Input::Flushed(color) => self.flushed(at, color),
            Input::Alarm => {}
            Input::Cancel(reason) => self.cancel(at, reason),
        }
        // Looked at whatever the input is, so that a flood of lines cannot put a deadline off.
        if self.wake_at().is_some_and(|due| due <= at) {
            self.expire(at);
        }
    }

    /// What is to be done; nothing when all is said.
    pub fn poll(&mut self) -> Option<Output> {
        for color in Color::ALL {
            if self.players[color].talk.take_write() {
                return Some(Output::Write(color));
            }
        }
        for color in Color::ALL {
            if let Some(text) = self.players[color].talk.take_oddity() {
                return Some(Output::Warned {
                    about: Some(color),
                    text,
                });
            }
        }
        if let Some(text) = self.claims.take_contradiction() {
            return Some(Output::Warned { about: None, text });
        }
        match &mut self.phase {
            Phase::Over { told: told @ false } => {
                *told = true;
                Some(Output::Over)
            }
            Phase::Over { told: true }
            | Phase::Starting
            | Phase::Thinking(_)
            | Phase::Settling(_) => None,
        }
    }

    /// How many plies the engines have played.
    pub fn plies(&self) -> u64 {
        self.plies.len() as u64
    }

    /// When to come back if nothing happens.
    pub fn wake_at(&self) -> Option<Moment> {
        match self.phase {
            Phase::Starting => Color::ALL
                .into_iter()
                .filter_map(|color| self.players[color].ready_by())
                .min(),
            Phase::Thinking(turn) => Some(self.turn_ends_at(&turn)),
            Phase::Settling(until) => Some(until),
            Phase::Over { .. } => None,
        }
    }

    /// Whose clock runs, if one does.
    pub fn thinking(&self) -> Option<Thinking> {
        match self.phase {
            Phase::Thinking(turn) => Some(Thinking {
                mover: turn.mover,
                since: turn.since?,
                until: self.turn_ends_at(&turn),
            }),
            Phase::Starting | Phase::Settling(_) | Phase::Over { .. } => None,
        }
    }

    /// How long an engine may think, margin included, whose `go` waits to be written; nothing if none
    /// does, or it has no clock.
    pub fn about_to_think(&self) -> Option<Duration> {
        match self.phase {
            Phase::Thinking(Turn {
                mover, since: None, ..
            }) => self.players[mover].patience(),
            Phase::Thinking(_) | Phase::Starting | Phase::Settling(_) | Phase::Over { .. } => None,
        }
    }

    /// If an engine was late, whether it has moved since.
    pub fn late_move(&self) -> Option<bool> {
        match self.conclusion.as_ref()? {
            Ok(Verdict::Forfeit {
                loser,
                fault: Fault::TimeLoss { .. } | Fault::Stall { .. },
                ..
            }) => {
                let phase = self.players[*loser].talk.phase();
                Some(!matches!(
                    phase,
                    uci::Phase::Searching | uci::Phase::Stopping
                ))
            }
            Ok(_) | Err(_) => None,
        }
    }

    /// All bytes for an engine that are not known to be written. It only grows, until it is
    /// [`Flushed`](Input::Flushed).
    pub fn outbox(&self, color: Color) -> &[u8] {
        self.players[color].talk.outbox()
    }

    /// What happened, and the engines.
    ///
    /// # Panics
    /// If the game is not over.
    pub fn finish(self) -> Finished {
        let conclusion = self.conclusion.expect("a game is finished when it is over");
        let fault_of = |color: Color| match &conclusion {
            Ok(Verdict::Forfeit { loser, fault, .. }) if *loser == color => Some(fault.clone()),
            Err(StartFailure {
                color: culprit,
                why: Unstarted::Faulty(fault),
            }) if *culprit == color => Some(fault.clone()),
            Ok(_) | Err(_) => None,
        };
        let engines = ByColor {
            white: self.players.white.afterwards(fault_of(Color::White)),
            black: self.players.black.afterwards(fault_of(Color::Black)),
        };
        Finished {
            game: conclusion.map(|verdict| GameRecord {
                fixture: self.fixture,
                opening: self.opening,
                plies: self.plies,
                verdict,
                duration: self.duration,
            }),
            engines,
        }
    }

    fn hear(&mut self, at: Moment, color: Color, line: &[u8]) {
        let player = &mut self.players[color];
        match &mut self.phase {
            Phase::Starting => match player.hear_while_starting(at, line) {
                Some(Ok(())) => player.seat(at, &self.rules),
                Some(Err(why)) => self.conclude(at, Err(StartFailure { color, why })),
                None if self.is_ready() => self.begin_turn(at),
                None => {}
            },
            Phase::Thinking(turn) if turn.mover == color => {
                turn.alive = at;
                if let Heard::BestMove { mv, .. } = player.talk.hear(line) {
                    let since = turn
                        .since
                        .expect("an answer before `go` was written is not heard");
                    self.bestmove(at, color, at.since(since), mv);
                }
            }
            Phase::Thinking(_) => {
                player.talk.hear(line);
            }
            Phase::Settling(_) => {
                if player.hear_while_settling(at, line) {
                    self.answered_late(at, color);
                }
                self.rest();
            }
            Phase::Over { .. } => {}
        }
    }

    fn bestmove(&mut self, at: Moment, mover: Color, spent: Duration, word: &[u8]) {
        if let Err(fall) = self.players[mover].charge(spent) {
            return self.forfeit(at, mover, Fault::TimeLoss { over: fall.over });
        }
        let Ok(mv) = self.board.read(word) else {
            return self.forfeit(
                at,
                mover,
                Fault::IllegalMove {
                    text: fit(word, MOVE_BYTES_MAX),
                },
            );
        };
        self.board.play(mv);
        let player = &mut self.players[mover];
        let search = player.talk.session_mut().take_report();
        let score = search.score;
        self.plies.push(PlyRecord {
            mv,
            spent,
            left: player.left(),
            search,
        });

        let ruling = self.adjudicators.observe(&Observation {
            ply: self.board.plies(),
            mover,
            position: self.board.position(),
            score,
        });
        match (self.board.ending(), ruling) {
            (Some(ending), _) => self.conclude(at, Ok(Verdict::Rules(ending))),
            (None, Some(ruling)) => self.conclude(at, Ok(Verdict::Adjudicated(ruling))),
            (None, None) => {
                self.claims
                    .observe(mover, score, self.board.position(), &self.players);
                self.begin_turn(at);
            }
        }
    }

    fn close(&mut self, at: Moment, color: Color) {
        let player = &mut self.players[color];
        if std::mem::replace(&mut player.closed, true) {
            return;
        }
        match (&self.phase, &player.stage) {
            (Phase::Starting, Stage::Greeting(_)) => {
                let why = Unstarted::Faulty(Fault::Crash);
                self.conclude(at, Err(StartFailure { color, why }));
            }
            (Phase::Starting, Stage::Seating(_)) => self.forfeit(at, color, Fault::Crash),
            (Phase::Thinking(turn), _) if turn.mover == color => {
                self.forfeit(at, color, Fault::Crash)
            }
            (Phase::Settling(_), _) => self.rest(),
            // Its turn may never come. When it does, there is nobody to take it.
            (Phase::Starting | Phase::Thinking(_) | Phase::Over { .. }, _) => {}
        }
    }

    fn flushed(&mut self, at: Moment, color: Color) {
        self.players[color].talk.flushed();
        if let Phase::Thinking(turn) = &mut self.phase
            && turn.mover == color
            && turn.since.is_none()
        {
            turn.since = Some(at);
            turn.alive = at;
        }
    }

    /// The game is not to count. When the whole contest ends, nobody waits for engines.
    fn cancel(&mut self, at: Moment, reason: VoidReason) {
        let is_last = match reason {
            VoidReason::Cancelled | VoidReason::Unneeded => true,
            VoidReason::Host(_) => false,
        };
        if is_last {
            self.decide(at, Ok(Verdict::Void(reason)));
            self.phase = Phase::Over {
                told: matches!(self.phase, Phase::Over { told: true }),
            };
        } else {
            self.conclude(at, Ok(Verdict::Void(reason)));
        }
    }

    /// Something was due and has not come.
    fn expire(&mut self, at: Moment) {
        match self.phase {
            Phase::Starting => {
                let late =
                    |&color: &Color| self.players[color].ready_by().is_some_and(|due| due <= at);
                let Some(color) = Color::ALL.into_iter().find(late) else {
                    return;
                };
                match &self.players[color].stage {
                    Stage::Greeting(introduction) => {
                        let why = Unstarted::Faulty(introduction.stall());
                        self.conclude(at, Err(StartFailure { color, why }));
                    }
                    Stage::Seating(_) => self.forfeit(at, color, stall("isready")),
                    Stage::New(_) | Stage::Ready => unreachable!("nothing is due"),
                }
            }
            Phase::Thinking(turn) => {
                let fall = turn
                    .since
                    .and_then(|since| self.players[turn.mover].flag_fall(at.since(since)));
                let fault =
                    fall.map_or_else(|| stall("go"), |fall| Fault::TimeLoss { over: fall.over });
                self.forfeit(at, turn.mover, fault);
            }
            Phase::Settling(_) => self.phase = Phase::Over { told: false },
            Phase::Over { .. } => {}
        }
    }

    fn is_ready(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|color| matches!(self.players[color].stage, Stage::Ready))
    }

    /// Says whose turn it is, and from when on the clock will run.
    fn begin_turn(&mut self, at: Moment) {
        let mover = self.board.position().turn();
        if self.players[mover].closed {
            return self.forfeit(at, mover, Fault::Crash);
        }
        self.began.get_or_insert(at);
        let go = Command::Go(go(&self.players, mover));
        let talk = &mut self.players[mover].talk;
        talk.say(&self.board.command());
        talk.say(&go);
        self.phase = Phase::Thinking(Turn {
            mover,
            said: at,
            since: None,
            alive: at,
        });
    }

    /// When the mover is late: at its flag fall, or for want of any word when it has no clock. An
    /// engine that does not even read `go` is given as long for that as it could have thought, but
    /// no longer than for any other answer.
    fn turn_ends_at(&self, turn: &Turn) -> Moment {
        let patience = &self.rules.patience;
        let flag_falls_at = |since| self.players[turn.mover].flag_falls_at(since);
        match turn.since {
            Some(since) => flag_falls_at(since).unwrap_or(turn.alive + patience.watchdog),
            None => {
                let at_most = turn.said + patience.ping;
                flag_falls_at(turn.said).map_or(at_most, |flag| {
                    flag.max(turn.said + READING_MIN).min(at_most)
                })
            }
        }
    }

    fn forfeit(&mut self, at: Moment, loser: Color, fault: Fault) {
        let outcome = match fault {
            Fault::TimeLoss { .. } => {
                flag_fall(self.board.position(), loser, self.rules.flag_policy)
            }
            Fault::Crash | Fault::Stall { .. } | Fault::IllegalMove { .. } => Outcome::loss(loser),
        };
        let player = &mut self.players[loser];
        match fault {
            // An engine that is wrong about the position may stay so.
            Fault::IllegalMove { .. } => player.expelled = true,
            Fault::TimeLoss { .. } => player.owes_ping = true,
            Fault::Crash | Fault::Stall { .. } => {}
        }
        self.conclude(
            at,
            Ok(Verdict::Forfeit {
                loser,
                fault,
                outcome,
            }),
        );
    }

    /// The result is known, and engines that owe an answer are brought to rest.
    fn conclude(&mut self, at: Moment, conclusion: Result<Verdict, StartFailure>) {
        if self.conclusion.is_some() {
            return;
        }
        self.decide(at, conclusion);
        for color in Color::ALL {
            self.players[color].begin_to_settle();
        }
        self.phase = Phase::Settling(at + self.rules.patience.settle);
        self.rest();
    }

    /// Keeps the first result, for good.
    fn decide(&mut self, at: Moment, conclusion: Result<Verdict, StartFailure>) {
        if self.conclusion.is_some() {
            return;
        }
        if let Err(StartFailure { color, .. }) = conclusion {
            self.players[color].expelled = true;
        }
        self.duration = self.began.map_or(Duration::ZERO, |began| at.since(began));
        self.decided = at;
        self.conclusion = Some(conclusion);
    }

    /// Ends the settling when there is nobody left to wait for.
    fn rest(&mut self) {
        if Color::ALL
            .into_iter()
            .all(|color| self.players[color].is_settled())
        {
            self.phase = Phase::Over { told: false };
        }
    }

    /// The answer of an engine that lost on time shows how late it really was.
    fn answered_late(&mut self, at: Moment, color: Color) {
        if let Some(Ok(Verdict::Forfeit {
            loser,
            fault: Fault::TimeLoss { over },
            ..
        })) = &mut self.conclusion
            && *loser == color
        {
            *over += at.since(self.decided);
        }
    }
}

fn stall(unanswered: &str) -> Fault {
    Fault::Stall {
        unanswered: unanswered.to_owned(),
    }
}
