//! A table where scripted engines play in virtual time: games as transcripts.
//!
//! ```text
//! w< bestmove e2e4      White says it
//! b> go wtime 1000 ...  Black is told it; `position` may be left out
//! +150                  so many milliseconds pass, and alarms ring (`+0.001` is a microsecond)
//! b closed              Black's output ends
//! b blocked             from now on Black reads nothing; `b unblocked` ends it
//! cancel                the contest is stopped; `cancel host` when the host is at fault
//! ! white: text         a warning
//! = 1-0 checkmate; kept white, black
//! ```

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

use std::collections::VecDeque;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;
use std::time::Duration;

use engine_core::{ByColor, CastlingStyle, Color, FlagPolicy, Position};
use match_core::adjudication::{Adjudication, Tablebase};
use match_core::fixture::{EngineId, Fixture, GameNumber, OpeningIndex};
use match_core::game::{Afterwards, Finished, Game, Input, Output};
use match_core::limits::{Limits, parse_tc};
use match_core::moment::Moment;
use match_core::opening::Opening;
use match_core::record::GameRecord;
use match_core::rules::Rules;
use match_core::seat::Seat;
use match_core::spec::{Patience, Variant};
use match_core::verdict::{Verdict, VoidReason};
use uci::{Command, Session};

/// How a game is set up.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) limits: ByColor<Limits>,
    pub(crate) options: ByColor<Vec<(String, String)>>,
    pub(crate) opening: Opening,
    pub(crate) rules: Rules,
    /// Whether the processes are new; otherwise both engines have played before.
    fresh: bool,
}

impl Table {
    /// Engines that know each other, from the start position, each with this `tc`.
    pub(crate) fn new(tc: &str) -> Self {
        let limits = Limits {
            clock: parse_tc(tc).unwrap(),
            ..Limits::default()
        };
        Self {
            limits: ByColor {
                white: limits.clone(),
                black: limits,
            },
            options: ByColor::default(),
            opening: Opening {
                start: Position::startpos(),
                moves: Vec::new(),
            },
            rules: Rules {
                variant: Variant::Standard,
                adjudication: Adjudication::default(),
                flag_policy: FlagPolicy::default(),
                patience: Patience {
                    startup: Duration::from_secs(10),
                    ping: Duration::from_secs(60),
                    watchdog: Duration::from_secs(60),
                    settle: Duration::from_secs(1),
                    quit: Duration::from_secs(2),
                    start_failures: NonZeroU32::MIN,
                },
                tablebase: None,
            },
            fresh: false,
        }
    }

    pub(crate) fn fresh(self) -> Self {
        Self {
            fresh: true,
            ..self
        }
    }

    pub(crate) fn margin(mut self, millis: u64) -> Self {
        for color in Color::ALL {
            self.limits[color].margin = Duration::from_millis(millis);
        }
        self
    }

    pub(crate) fn nodes(mut self, nodes: u64) -> Self {
        for color in Color::ALL {
            self.limits[color].nodes = NonZeroU64::new(nodes);
        }
        self
    }

    pub(crate) fn option(mut self, color: Color, name: &str, value: &str) -> Self {
        self.options[color].push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn chess960(mut self) -> Self {
        self.rules.variant = Variant::Chess960;
        self
    }

    pub(crate) fn adjudication(mut self, change: impl FnOnce(&mut Adjudication)) -> Self {
        change(&mut self.rules.adjudication);
        self
    }

    pub(crate) fn tablebase(mut self, tables: impl Tablebase + 'static) -> Self {
        self.rules.tablebase = Some(Arc::new(tables));
        self
    }

    pub(crate) fn fen(mut self, fen: &str) -> Self {
        self.opening.start = fen.parse().unwrap();
        self
    }

    /// Moves of the book, as UCI writes them.
    pub(crate) fn moves(mut self, moves: &str) -> Self {
        let style = match self.rules.variant {
            Variant::Standard => CastlingStyle::Standard,
            Variant::Chess960 => CastlingStyle::Chess960,
        };
        let mut position = self.opening.start;
        for word in moves.split_whitespace() {
            let mv = position.parse_uci(word, style).unwrap();
            position.play(mv).unwrap();
            self.opening.moves.push(mv);
        }
        self
    }

    /// Plays a transcript to its end and gives the record.
    #[track_caller]
    pub(crate) fn check(self, transcript: &str) -> Option<GameRecord> {
        let mut play = Play::new(self);
        for line in transcript
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            play.line(line);
        }
        assert!(play.told.is_none(), "not expected: {:?}", play.told);
        play.record
    }
}

impl Table {
    /// What the first move of the side to move leads to; `none` when the game goes on.
    pub(crate) fn play_out(self, mv: &str) -> String {
        let mover = self.opening.start.turn();
        let mut play = Play::new(self);
        play.told = None;
        play.handle(Input::Line(mover, format!("bestmove {mv}").as_bytes()));
        play.record
            .map_or("none".to_owned(), |record| told(&record.verdict))
    }
}

/// A session that has come through its greeting.
pub(crate) fn greeted() -> Session {
    let mut session = Session::new().capturing_pv(true);
    let mut out = Vec::new();
    session.send(&Command::Uci, &mut out).unwrap();
    session.receive(b"uciok").unwrap();
    session.send(&Command::IsReady, &mut out).unwrap();
    session.receive(b"readyok").unwrap();
    session
}

/// The seats of a table.
pub(crate) fn seats(table: &Table) -> ByColor<Seat> {
    ByColor::new_with(|color| Seat {
        session: if table.fresh {
            Session::new()
        } else {
            greeted()
        },
        limits: table.limits[color].clone(),
        options: table.options[color].clone(),
    })
}

pub(crate) fn fixture() -> Fixture {
    Fixture {
        number: GameNumber(0),
        round: 0,
        players: ByColor {
            white: EngineId(0),
            black: EngineId(1),
        },
        opening: OpeningIndex(0),
    }
}

/// A game under way.
struct Play {
    now: Moment,
    game: Option<Game>,
    /// What of an outbox has been written already.
    written: ByColor<usize>,
    blocked: ByColor<bool>,
    /// What was done and is not yet expected by the transcript.
    told: Option<VecDeque<String>>,
    record: Option<GameRecord>,
}

impl Play {
    fn new(table: Table) -> Self {
        let now = Moment::from_nanos(1_000_000_000);
        let seats = seats(&table);
        let game = Game::new(now, fixture(), table.opening, seats, Arc::new(table.rules));
        let mut play = Self {
            now,
            game: Some(game),
            written: ByColor::default(),
            blocked: ByColor::default(),
            told: None,
            record: None,
        };
        play.drain();
        if !table.fresh && play.game.is_some() {
            for color in ["w", "b"] {
                play.line(&format!("{color}> ucinewgame"));
                play.line(&format!("{color}> isready"));
            }
            play.line("w< readyok");
            play.line("b< readyok");
        }
        play
    }

    #[track_caller]
    fn line(&mut self, line: &str) {
        if let Some(expected) = line.strip_prefix("! ").or(line.strip_prefix("= ")) {
            return self.expect(line, expected);
        }
        if line.contains("> ") && line.find("> ") == Some(1) {
            return self.expect(line, line);
        }
        assert_eq!(self.told, None, "before `{line}`");
        if let Some(millis) = line.strip_prefix('+') {
            return self.pass(millis);
        }
        if let Some(reason) = line.strip_prefix("cancel") {
            let reason = match reason.trim() {
                "host" => VoidReason::Host("asleep".to_owned()),
                _ => VoidReason::Cancelled,
            };
            return self.handle(Input::Cancel(reason));
        }
        let (color, what) = line.split_at(1);
        let color = match color {
            "w" => Color::White,
            "b" => Color::Black,
            _ => panic!("`{line}` is no line of a transcript"),
        };
        match what.strip_prefix('<') {
            Some(said) => {
                let said = said.strip_prefix(' ').unwrap_or(said);
                self.handle(Input::Line(color, said.as_bytes()));
            }
            None => match what.trim() {
                "closed" => self.handle(Input::Closed(color)),
                "blocked" => self.blocked[color] = true,
                "unblocked" => {
                    self.blocked[color] = false;
                    self.write(color);
                    self.drain();
                }
                other => panic!("`{other}` is nothing an engine does"),
            },
        }
    }

    #[track_caller]
    fn expect(&mut self, line: &str, expected: &str) {
        let told = self.told.get_or_insert_default();
        while told.len() > 1 && told[0].contains("> position") && !expected.contains("> position") {
            told.pop_front();
        }
        let got = told.pop_front();
        assert_eq!(got.as_deref(), Some(expected), "at `{line}`");
        if told.is_empty() {
            self.told = None;
        }
    }

    /// Lets time pass, ringing on the way.
    fn pass(&mut self, millis: &str) {
        let (whole, decimals) = millis.split_once('.').unwrap_or((millis, ""));
        let nanos: u64 = format!("{whole}{decimals:0<6}").parse().unwrap();
        let then = self.now + Duration::from_nanos(nanos);
        while let Some(due) = self.game.as_ref().and_then(Game::wake_at)
            && due <= then
        {
            self.now = self.now.max(due);
            self.handle(Input::Alarm);
        }
        self.now = then;
    }

    fn handle(&mut self, input: Input<'_>) {
        if let Some(game) = &mut self.game {
            game.handle(self.now, input);
            self.drain();
        }
    }

    fn drain(&mut self) {
        while let Some(output) = self.game.as_mut().and_then(Game::poll) {
            match output {
                Output::Write(color) if self.blocked[color] => {}
                Output::Write(color) => self.write(color),
                Output::Warned { about, text } => {
                    let about = about.map_or("both".to_owned(), |color| color.to_string());
                    self.tell(format!("{about}: {text}"));
                }
                Output::Over => self.finish(),
            }
        }
    }

    fn write(&mut self, color: Color) {
        let game = self.game.as_mut().expect("a game under way writes");
        let letter = color.char();
        let text = String::from_utf8(game.outbox(color)[self.written[color]..].to_vec()).unwrap();
        game.handle(self.now, Input::Flushed(color));
        assert!(game.outbox(color).is_empty());
        self.written[color] = 0;
        for line in text.lines() {
            self.tell(format!("{letter}> {line}"));
        }
    }

    fn finish(&mut self) {
        let game = self.game.take().expect("a game ends once");
        let Finished { game, engines } = game.finish();
        let mut kept = Vec::new();
        for color in Color::ALL {
            kept.push(match engines.get(color) {
                Afterwards::Keep(session) => {
                    assert_eq!(session.phase().to_string().replace("fresh", "idle"), "idle");
                    format!("kept {color}")
                }
                Afterwards::Discard { fault: None } => format!("gave up {color}"),
                Afterwards::Discard { fault: Some(fault) } => format!("gave up {color} ({fault})"),
            });
        }
        let result = match &game {
            Ok(record) => told(&record.verdict),
            Err(failure) => format!("{} {failure}", failure.color),
        };
        let kept = kept
            .join(", ")
            .replace("kept white, kept black", "kept both");
        self.tell(format!("{result}; {kept}"));
        self.record = game.ok();
    }

    fn tell(&mut self, text: String) {
        self.told.get_or_insert_default().push_back(text);
    }
}

/// A verdict in a line.
pub(crate) fn told(verdict: &Verdict) -> String {
    let score = verdict.outcome().map_or("*", |outcome| outcome.as_pgn());
    match verdict {
        Verdict::Rules(_) => format!("{score} {}", verdict.name()),
        Verdict::Adjudicated(ruling) => {
            format!("{score} {} since ply {}", verdict.name(), ruling.since_ply)
        }
        Verdict::Forfeit { loser, fault, .. } => format!("{score} {loser}: {fault}"),
        Verdict::Void(reason) => format!("{score} void: {reason:?}"),
    }
}
