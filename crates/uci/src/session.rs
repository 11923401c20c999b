//! One conversation with one engine process.

use std::fmt;

use thiserror::Error;

use crate::command::Command;
use crate::option::OptionError;
use crate::options::Options;
use crate::reply::Reply;
use crate::report::SearchReport;

/// Longest `id` text that is kept.
const ID_BYTES_MAX: usize = 256;

/// Longest principal variation that is kept: 800 plies.
const PV_BYTES_MAX: usize = 4000;

/// The state of the conversation with one engine process, from its start to its end.
#[derive(Clone, Debug, Default)]
pub struct Session {
    phase: Phase,
    name: Box<str>,
    author: Box<str>,
    options: Options,
    /// Whether the first `readyok` has come. Options are taken until then: an `uciok` that an engine
    /// prints before it has read our `uci` cannot be told from the true one, but the options that
    /// follow are not lost.
    greeted: bool,
    report: SearchReport,
    captures_pv: bool,
    /// Kept between searches so that a line of moves costs a copy and no allocation.
    pv: String,
    captures_remark: bool,
}

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Nothing was said.
    #[default]
    Fresh,
    /// After `uci`, until `uciok`.
    Greeting,
    /// Nobody owes anything.
    Idle,
    /// After `isready`, until `readyok`.
    Syncing,
    /// After `go`, until `bestmove`.
    Searching,
    /// After `stop`, until `bestmove`.
    Stopping,
    /// After `quit`.
    Quit,
}

/// What a line meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
    /// Nothing to act on: `info` (kept in the report), `id`, a good `option`, or noise.
    Nothing,
    /// An `option` that cannot be used.
    BadOption(OptionError),
    /// The greeting is done.
    UciOk,
    /// The engine has caught up.
    ReadyOk,
    /// The search is done.
    BestMove {
        /// The engine's word for its move; empty when there was none.
        mv: &'a [u8],
        /// What it expects in return.
        ponder: Option<&'a [u8]>,
    },
}

/// A command that may not be sent now. Ours is the fault, and nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("`{command}` may not be sent while {phase}")]
pub struct Misuse {
    /// Its first word.
    pub command: &'static str,
    /// Where the conversation stood.
    pub phase: Phase,
}

/// A reply that nobody asked for. It is the engine's oddity, and changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("engine said `{reply}` while {phase}")]
pub struct Surprise {
    /// Its first word.
    pub reply: &'static str,
    /// Where the conversation stands.
    pub phase: Phase,
}

impl Session {
    /// A conversation with a process that was just started.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether reports keep the line of moves, which costs an allocation a search.
    #[must_use]
    pub fn capturing_pv(mut self, on: bool) -> Self {
        self.captures_pv = on;
        self
    }

    /// Whether reports keep the last `info string`, which costs an allocation for each.
    #[must_use]
    pub fn capturing_remark(mut self, on: bool) -> Self {
        self.captures_remark = on;
        self
    }

    /// Where the conversation stands.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// What the engine calls itself; empty when it does not say.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who wrote the engine; empty when it does not say.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// What can be set.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// What the engine has said of the search under way, or of the last one. Its line of moves is
    /// only there once it is taken.
    pub const fn report(&self) -> &SearchReport {
        &self.report
    }

    /// Takes the report and leaves an empty one.
    pub fn take_report(&mut self) -> SearchReport {
        let pv = (!self.pv.is_empty()).then(|| self.pv.as_str().into());
        self.pv.clear();
        SearchReport {
            pv,
            ..std::mem::take(&mut self.report)
        }
    }

    /// Appends the line of `command` to `out`, if its time is now.
    ///
    /// # Errors
    /// [`Misuse`], and then nothing has changed.
    pub fn send(&mut self, command: &Command<'_>, out: &mut Vec<u8>) -> Result<(), Misuse> {
        let next = match (self.phase, command) {
            (Phase::Fresh, Command::Uci) => Phase::Greeting,
            (Phase::Idle, Command::IsReady) => Phase::Syncing,
            (
                Phase::Idle,
                Command::Debug(_)
                | Command::SetOption { .. }
                | Command::UciNewGame
                | Command::Position { .. },
            ) => Phase::Idle,
            (Phase::Idle, Command::Go(_)) => Phase::Searching,
            (Phase::Searching, Command::PonderHit) => Phase::Searching,
            (Phase::Searching, Command::Stop) => Phase::Stopping,
            (
                Phase::Fresh
                | Phase::Greeting
                | Phase::Idle
                | Phase::Syncing
                | Phase::Searching
                | Phase::Stopping,
                Command::Quit,
            ) => Phase::Quit,
            (
                phase,
                Command::Uci
                | Command::Debug(_)
                | Command::IsReady
                | Command::SetOption { .. }
                | Command::UciNewGame
                | Command::Position { .. }
                | Command::Go(_)
                | Command::Stop
                | Command::PonderHit
                | Command::Quit,
            ) => {
                return Err(Misuse {
                    command: command.word(),
                    phase,
                });
            }
        };
        if next == Phase::Searching && self.phase == Phase::Idle {
            self.report = SearchReport::default();
            self.pv.clear();
        }
        self.phase = next;
        command.write_to(out);
        Ok(())
    }

    /// Takes in a line, with or without its end. Allocates nothing for an `info`.
    ///
    /// # Errors
    /// [`Surprise`], and then nothing has changed.
    pub fn receive<'a>(&mut self, line: &'a [u8]) -> Result<Heard<'a>, Surprise> {
        let phase = self.phase;
        let surprise = |reply| Err(Surprise { reply, phase });
        match (Reply::parse(line), phase) {
            (Reply::Info(info), Phase::Searching | Phase::Stopping) => {
                if self.report.observe(&info) && self.captures_pv {
                    keep_pv(&mut self.pv, info.pv);
                }
                if self.captures_remark && !info.string.is_empty() {
                    self.report.remark = Some(text(info.string).into());
                }
                Ok(Heard::Nothing)
            }
            (Reply::Info(_) | Reply::Noise, _) => Ok(Heard::Nothing),
            (Reply::BestMove { mv, ponder }, Phase::Searching | Phase::Stopping) => {
                self.phase = Phase::Idle;
                Ok(Heard::BestMove { mv, ponder })
            }
            (Reply::BestMove { .. }, _) => surprise("bestmove"),
            (Reply::ReadyOk, Phase::Syncing) => {
                self.phase = Phase::Idle;
                self.greeted = true;
                Ok(Heard::ReadyOk)
            }
            (Reply::ReadyOk, _) => surprise("readyok"),
            (Reply::UciOk, Phase::Greeting) => {
                self.phase = Phase::Idle;
                Ok(Heard::UciOk)
            }
            (Reply::UciOk, _) => surprise("uciok"),
            // What comes before our `uci` is part of a banner.
            (Reply::IdName(_) | Reply::IdAuthor(_) | Reply::Option(_), Phase::Fresh) => {
                Ok(Heard::Nothing)
            }
            (Reply::IdName(name), _) if !self.greeted => {
                self.name = text(name).into();
                Ok(Heard::Nothing)
            }
            (Reply::IdAuthor(author), _) if !self.greeted => {
                self.author = text(author).into();
                Ok(Heard::Nothing)
            }
            (Reply::Option(declaration), _) if !self.greeted => Ok(self
                .options
                .declare(declaration)
                .err()
                .map_or(Heard::Nothing, Heard::BadOption)),
            (Reply::IdName(_) | Reply::IdAuthor(_), _) => surprise("id"),
            (Reply::Option(_), _) => surprise("option"),
        }
    }
}

/// Keeps whole moves, single spaces between them, up to the bound.
fn keep_pv(pv: &mut String, moves: &[u8]) {
    pv.clear();
    for mv in moves
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
    {
        if pv.len() + 1 + mv.len() > PV_BYTES_MAX {
            return;
        }
        if !pv.is_empty() {
            pv.push(' ');
        }
        pv.push_str(str::from_utf8(mv).expect("a move is ASCII"));
    }
}

/// The text of an `id` or a remark, bounded and without control characters, which terminals would act on.
fn text(bytes: &[u8]) -> String {
    let kept = &bytes[..bytes.len().min(ID_BYTES_MAX)];
    String::from_utf8_lossy(kept).replace(char::is_control, "\u{fffd}")
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fresh => "fresh",
            Self::Greeting => "greeting",
            Self::Idle => "idle",
            Self::Syncing => "syncing",
            Self::Searching => "searching",
            Self::Stopping => "stopping",
            Self::Quit => "quit",
        })
    }
}
