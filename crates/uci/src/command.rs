//! What an engine is told.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use crate::words::Words;

/// A line to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`.
    IsReady,
    /// `setoption`.
    SetOption {
        /// What.
        name: &'a str,
        /// To what; nothing for a button.
        value: Option<&'a str>,
    },
    /// `ucinewgame`.
    UciNewGame,
    /// `position`.
    Position {
        /// Where the game began; `None` is `startpos`.
        fen: Option<&'a str>,
        /// All moves since, separated by blanks.
        moves: &'a str,
    },
    /// `go`.
    Go(Go<'a>),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
}

/// What bounds a search; a default one has no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// White's clock.
    pub wtime: Option<Duration>,
    /// Black's clock.
    pub btime: Option<Duration>,
    /// White's increment; zero is not said.
    pub winc: Duration,
    /// Black's increment; zero is not said.
    pub binc: Duration,
    /// Moves until the mover's clock is wound up again.
    pub movestogo: Option<NonZeroU32>,
    /// Plies.
    pub depth: Option<NonZeroU32>,
    /// Nodes.
    pub nodes: Option<NonZeroU64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Look for a mate in so many moves.
    pub mate: Option<NonZeroU32>,
    /// Until `stop`.
    pub infinite: bool,
    /// On the opponent's time.
    pub ponder: bool,
    /// Only these moves, separated by blanks; empty for all.
    pub searchmoves: &'a str,
}

impl<'a> Command<'a> {
    /// Reads a line as an engine does; nothing when it is none of these.
    ///
    /// Blanks do not matter. Numbers that are none are as good as not said; negative times are zero.
    /// A name ends at the first word `value`.
    pub fn parse(line: &'a str) -> Option<Self> {
        let line = line.trim_ascii();
        let (word, rest) = line.split_at(
            line.find(|c: char| c.is_ascii_whitespace())
                .unwrap_or(line.len()),
        );
        let rest = rest.trim_ascii();
        Some(match word {
            "uci" => Self::Uci,
            "debug" => Self::Debug(rest != "off"),
            "isready" => Self::IsReady,
            "setoption" => {
                let (_, named) = split_at_word(rest, "name")?;
                match split_at_word(named, "value") {
                    Some((name, value)) => Self::SetOption {
                        name,
                        value: Some(value),
                    },
                    None => Self::SetOption {
                        name: named,
                        value: None,
                    },
                }
            }
            "ucinewgame" => Self::UciNewGame,
            "position" => {
                let (start, moves) = split_at_word(rest, "moves").unwrap_or((rest, ""));
                match split_at_word(start, "fen") {
                    Some((_, fen)) => Self::Position {
                        fen: Some(fen),
                        moves,
                    },
                    None if start == "startpos" => Self::Position { fen: None, moves },
                    None => return None,
                }
            }
            "go" => Self::Go(Go::parse(rest)),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            _ => return None,
        })
    }

    /// Its first word.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Debug(_) => "debug",
            Self::IsReady => "isready",
            Self::SetOption { .. } => "setoption",
            Self::UciNewGame => "ucinewgame",
            Self::Position { .. } => "position",
            Self::Go(_) => "go",
            Self::Stop => "stop",
            Self::PonderHit => "ponderhit",
            Self::Quit => "quit",
        }
    }

    /// Appends the line with its end.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        let mut say = |text: &str| out.extend_from_slice(text.as_bytes());
        say(self.word());
        match *self {
            Self::Uci
            | Self::IsReady
            | Self::UciNewGame
            | Self::Stop
            | Self::PonderHit
            | Self::Quit => {}
            Self::Debug(on) => say(if on { " on" } else { " off" }),
            Self::SetOption { name, value } => {
                say(" name ");
                say(name);
                if let Some(value) = value {
                    say(" value ");
                    say(value);
                }
            }
            Self::Position { fen, moves } => {
                match fen {
                    Some(fen) => {
                        say(" fen ");
                        say(fen);
                    }
                    None => say(" startpos"),
                }
                if !moves.is_empty() {
                    say(" moves ");
                    say(moves);
                }
            }
            Self::Go(go) => go.write_to(out),
        }
        out.push(b'\n');
    }
}

impl<'a> Go<'a> {
    fn parse(text: &'a str) -> Self {
        /// Negative clocks have been sent to engines by other programs.
        fn time(words: &mut Words<'_>) -> Option<Duration> {
            let milliseconds: i64 = words.number()?;
            Some(Duration::from_millis(
                u64::try_from(milliseconds).unwrap_or(0),
            ))
        }
        let mut go = Self::default();
        let mut words = Words::new(text.as_bytes());
        while let Some(key) = words.next() {
            match key {
                b"wtime" => go.wtime = time(&mut words),
                b"btime" => go.btime = time(&mut words),
                b"winc" => go.winc = time(&mut words).unwrap_or_default(),
                b"binc" => go.binc = time(&mut words).unwrap_or_default(),
                b"movestogo" => go.movestogo = words.number(),
                b"depth" => go.depth = words.number(),
                b"nodes" => go.nodes = words.number(),
                b"movetime" => go.movetime = time(&mut words),
                b"mate" => go.mate = words.number(),
                b"infinite" => go.infinite = true,
                b"ponder" => go.ponder = true,
                b"searchmoves" => {
                    go.searchmoves = str::from_utf8(words.moves()).expect("moves are ASCII")
                }
                _ => {}
            }
        }
        go
    }

    /// Appends the bounds, in the order in which other runners say them: some engines read only the
    /// beginning of a line, and those have been tried with that order.
    fn write_to(&self, out: &mut Vec<u8>) {
        /// Whole milliseconds, never zero: zero means "without end" to some engines.
        fn time(time: Duration) -> u64 {
            millis(time).max(1)
        }
        let mut say = |key: &str, value: Option<u64>| {
            if let Some(value) = value {
                out.push(b' ');
                out.extend_from_slice(key.as_bytes());
                out.push(b' ');
                push_digits(out, value);
            }
        };
        say("nodes", self.nodes.map(NonZeroU64::get));
        say("depth", self.depth.map(|depth| depth.get().into()));
        say("mate", self.mate.map(|mate| mate.get().into()));
        say("movetime", self.movetime.map(time));
        say("wtime", self.wtime.map(time));
        say("btime", self.btime.map(time));
        say("winc", (!self.winc.is_zero()).then_some(millis(self.winc)));
        say("binc", (!self.binc.is_zero()).then_some(millis(self.binc)));
        say("movestogo", self.movestogo.map(|moves| moves.get().into()));
        if self.infinite {
            out.extend_from_slice(b" infinite");
        }
        if self.ponder {
            out.extend_from_slice(b" ponder");
        }
        if !self.searchmoves.is_empty() {
            out.extend_from_slice(b" searchmoves ");
            out.extend_from_slice(self.searchmoves.as_bytes());
        }
    }
}

/// Whole milliseconds.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Appends a number. A `go` has four or more, and `write!` takes a fifth of all that a ply costs.
fn push_digits(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; u64::MAX.ilog10() as usize + 1];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

/// The texts before and after the first `word` that stands alone.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let is_blank_or_end = |c: Option<&u8>| c.is_none_or(u8::is_ascii_whitespace);
    let bytes = text.as_bytes();
    let at = text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        is_blank_or_end(before) && is_blank_or_end(bytes.get(at + word.len()))
    })?;
    Some((
        text[..at].trim_ascii(),
        text[at + word.len()..].trim_ascii(),
    ))
}
