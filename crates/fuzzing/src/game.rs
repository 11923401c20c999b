//! The machine of a game between engines that say anything at any time: every game ends once, with a
//! verdict that its record bears out.

use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;
use std::time::Duration;

use engine_core::{ByColor, CastlingStyle, Color, FlagPolicy, Outcome, Position};
use match_core::adjudication::Adjudication;
use match_core::fault::Fault;
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
use uci::{Command, Phase, Session};

/// What happens, a byte a deed and more bytes for its particulars; see [`Deed`].
pub const SEEDS: &[&[u8]] = &[
    // Two engines that answer all that they are asked.
    &[0; 400],
    b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\x05info depth 3 score cp 12 pv e2e4\n\0\0\0\0\0\0\x42bestmove a1a1\n\0\0\0",
    b"\x06\0\0\x11\0\0\0\x15\x15\0\0\x31\0\0\x71\0\0",
    b"\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0\0\x33",
    b"\x05\0\0\0\0\x20readyok\n\x60uciok\n\0\0\x0aoption name Hash type spin default 1 min 1 max 9\n\0\0",
];

/// What the next byte makes happen; its lower bits are which, its upper ones how much.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// The outbox of whoever has something in it is read, and answered as it should be.
    Answer,
    /// Time passes, up to a minute.
    Pass(Duration),
    /// An engine says what follows, up to a line end.
    Say(Color),
    /// The outbox is read and not answered.
    Read(Color),
    /// An engine's output ends.
    End(Color),
    /// The contest is stopped, or the host at fault.
    Cancel { host: bool },
    /// An alarm, whether or not it is due.
    Alarm,
}

impl Deed {
    fn of(byte: u8) -> Self {
        let color = if byte & 0x40 == 0 {
            Color::White
        } else {
            Color::Black
        };
        match byte & 0x0f {
            0 | 7 | 8 | 9 => Self::Answer,
            1 => Self::Pass(Duration::from_micros(1 << (byte >> 4).min(12))),
            5 => Self::Pass(Duration::from_millis(1 << (byte >> 4))),
            2 | 10 => Self::Say(color),
            3 => Self::Read(color),
            4 if byte == 0x44 || byte == 0x04 => Self::End(color),
            6 if byte == 0xf6 || byte == 0xe6 => Self::Cancel { host: byte == 0xe6 },
            _ => Self::Alarm,
        }
    }
}

/// Plays a game in which the bytes decide all that happens.
///
/// # Panics
/// If it does not end, ends twice, or its record does not bear the verdict out.
pub fn body(bytes: &[u8]) {
    let (&first, mut rest) = bytes.split_first().unwrap_or((&0, &[]));
    let limits = limits(first);
    let seats = ByColor::new_with(|_| Seat {
        session: if first & 4 == 0 {
            greeted()
        } else {
            Session::new()
        },
        limits: limits.clone(),
        options: if first & 8 == 0 {
            Vec::new()
        } else {
            vec![("Hash".into(), "4".into())]
        },
    });
    let opening = Opening {
        start: Position::startpos(),
        moves: Vec::new(),
    };
    let mut world = World {
        now: Moment::from_nanos(1_000_000),
        game: Game::new(
            Moment::from_nanos(1_000_000),
            fixture(),
            opening,
            seats,
            Arc::new(rules()),
        ),
        positions: ByColor::default(),
        pending: ByColor::default(),
        over: false,
    };
    world.settle();
    while let (false, Some((&byte, more))) = (world.over, rest.split_first()) {
        rest = more;
        world.act(Deed::of(byte), &mut rest);
    }
    world.wait_for_the_end();
    let finished = world.game.finish();
    check(&finished, &limits, first & 4 != 0);
}

struct World {
    now: Moment,
    game: Game,
    /// As each engine has been told.
    positions: ByColor<Position>,
    /// Answers that engines owe.
    pending: ByColor<Vec<String>>,
    over: bool,
}

impl World {
    fn act(&mut self, deed: Deed, rest: &mut &[u8]) {
        match deed {
            Deed::Answer => {
                for color in Color::ALL {
                    self.read(color);
                    for answer in std::mem::take(&mut self.pending[color]) {
                        self.tell(Input::Line(color, answer.as_bytes()));
                    }
                }
            }
            Deed::Pass(time) => self.now = self.now + time,
            Deed::Say(color) => {
                let end = rest
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .unwrap_or(rest.len());
                let (line, more) = rest.split_at(end);
                *rest = more.get(1..).unwrap_or_default();
                self.tell(Input::Line(color, line));
            }
            Deed::Read(color) => self.read(color),
            Deed::End(color) => self.tell(Input::Closed(color)),
            Deed::Cancel { host: true } => {
                self.tell(Input::Cancel(VoidReason::Host("asleep".to_owned())));
            }
            Deed::Cancel { host: false } => self.tell(Input::Cancel(VoidReason::Cancelled)),
            Deed::Alarm => self.tell(Input::Alarm),
        }
    }

    fn tell(&mut self, input: Input<'_>) {
        self.game.handle(self.now, input);
        self.settle();
    }

    /// Does what the machine asks for. Outboxes are read when somebody feels like it.
    fn settle(&mut self) {
        while let Some(output) = self.game.poll() {
            match output {
                Output::Write(_) => assert!(!self.over, "nothing follows the end"),
                Output::Warned { text, .. } => {
                    assert!(!text.contains(char::is_control), "{text:?}")
                }
                Output::Over => assert!(!std::mem::replace(&mut self.over, true), "it ends once"),
            }
        }
    }

    /// An engine reads all that it was sent.
    fn read(&mut self, color: Color) {
        let outbox = self.game.outbox(color).to_vec();
        if outbox.is_empty() {
            return;
        }
        let text = String::from_utf8(outbox).expect("commands are text");
        for line in text.lines() {
            self.pending[color].extend(self.positions[color].answer(line));
        }
        self.tell(Input::Flushed(color));
    }

    /// Nobody does anything any more, and time passes.
    fn wait_for_the_end(&mut self) {
        let mut alarms = 0;
        while !self.over {
            let due = self
                .game
                .wake_at()
                .expect("until it is over, something is waited for");
            self.now = self.now.max(due);
            self.tell(Input::Alarm);
            alarms += 1;
            assert!(alarms < 20, "a game in which nothing happens ends");
        }
        assert_eq!(self.game.wake_at(), None);
        for input in [
            Input::Alarm,
            Input::Line(Color::White, b"bestmove e2e4"),
            Input::Closed(Color::Black),
        ] {
            self.tell(input);
        }
    }
}

/// An engine that plays the first legal move.
trait Answers {
    fn answer(&mut self, line: &str) -> Option<String>;
}

impl Answers for Position {
    fn answer(&mut self, line: &str) -> Option<String> {
        match Command::parse(line)? {
            Command::Uci => Some("uciok".to_owned()),
            Command::IsReady => Some("readyok".to_owned()),
            Command::Position { fen, moves } => {
                *self = fen.map_or(Self::startpos(), |fen| fen.parse().expect("a FEN of ours"));
                for word in moves.split_whitespace() {
                    let mv = self.parse_uci(word, CastlingStyle::Standard);
                    self.play_unchecked(mv.expect("a legal move of ours"));
                }
                None
            }
            Command::Go(go) => {
                let times = [go.wtime, go.btime, go.movetime];
                assert!(
                    times
                        .into_iter()
                        .flatten()
                        .all(|time| Duration::from_millis(1) <= time)
                );
                let moves = self.legal_moves();
                let mv = moves
                    .into_iter()
                    .next()
                    .expect("nobody is asked when it is over");
                Some(format!(
                    "bestmove {}",
                    self.uci(mv, CastlingStyle::Standard)
                ))
            }
            Command::Stop => Some("bestmove 0000".to_owned()),
            _ => None,
        }
    }
}

fn limits(choice: u8) -> Limits {
    let tc = ["1+0.01", "3/0.2", "inf", "0+0.001"][usize::from(choice & 3)];
    let clock = parse_tc(tc).expect("a time control");
    Limits {
        nodes: clock.is_none().then_some(NonZeroU64::MIN),
        clock,
        margin: Duration::from_millis(u64::from(choice >> 4)),
        ..Limits::default()
    }
}

fn rules() -> Rules {
    Rules {
        variant: Variant::Standard,
        adjudication: Adjudication {
            max_moves: NonZeroU32::new(60),
            ..Adjudication::default()
        },
        flag_policy: FlagPolicy::CannotMate,
        patience: Patience::default(),
        tablebase: None,
    }
}

fn greeted() -> Session {
    let mut session = Session::new();
    session
        .send(&Command::Uci, &mut Vec::new())
        .expect("it comes first");
    session.receive(b"uciok").expect("it is due");
    session
}

const fn fixture() -> Fixture {
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

fn check(finished: &Finished, limits: &Limits, fresh: bool) {
    match &finished.game {
        Ok(record) => verify(record, limits),
        Err(failure) => {
            assert!(fresh, "who has played before has been greeted: {failure}");
            let afterwards = &finished.engines[failure.color];
            assert!(
                matches!(afterwards, Afterwards::Discard { .. }),
                "{failure}"
            );
        }
    }
    for color in Color::ALL {
        if let Afterwards::Keep(session) = &finished.engines[color] {
            assert!(matches!(session.phase(), Phase::Idle | Phase::Fresh));
        }
    }
}

/// The moves are legal, nobody has thought longer than allowed, and the verdict fits the position.
fn verify(record: &GameRecord, limits: &Limits) {
    let mut game = engine_core::Game::new(record.opening.start);
    for ply in &record.plies {
        assert_eq!(game.ending(), None);
        game.play(ply.mv).expect("what was accepted is legal");
        assert_eq!(ply.left.is_some(), limits.clock.is_some());
    }
    match &record.verdict {
        Verdict::Rules(ending) => assert_eq!(game.ending(), Some(*ending)),
        Verdict::Adjudicated(_) => assert_eq!(record.plies.len(), 120, "at the move limit"),
        Verdict::Void(_) => {}
        Verdict::Forfeit {
            loser,
            fault,
            outcome,
        } => {
            assert_eq!(game.ending(), None, "the laws come first");
            match fault {
                Fault::TimeLoss { over } => assert!(!over.is_zero() && limits.clock.is_some()),
                Fault::Crash | Fault::Stall { .. } | Fault::IllegalMove { .. } => {
                    assert_eq!(*outcome, Outcome::loss(*loser));
                }
            }
            if !record.plies.is_empty() {
                assert_eq!(
                    game.position().turn(),
                    *loser,
                    "only the mover can be at fault"
                );
            }
        }
    }
}
