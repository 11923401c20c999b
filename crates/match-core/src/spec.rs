//! The resolved description of a contest: nothing optional is left that a default could fill.
//!
//! Raw input (flags, TOML; see [`raw`]) becomes this in one place, `resolve`; everything after it
//! reads this.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use engine_core::FlagPolicy;
use stats::{ErrorRates, Hypotheses, Rule};

use crate::adjudication::Adjudication;
use crate::cpu_list::CpuList;
use crate::fixture::Share;
use crate::limits::Limits;

mod error;
mod host;
mod notice;
mod options;
pub mod raw;
mod resolve;
mod sandbox;

pub use error::SpecError;
pub use host::{HostSpec, VoidLimit, VoidLimitError};
pub use notice::Notice;
pub use sandbox::Sandbox;

/// A contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// PGN's `Event`.
    pub event: String,
    /// PGN's `Site`.
    pub site: String,
    /// At least two, with distinct names; results are told from the first one's side.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub tournament: Tournament,
    /// Pairs of games for each two engines that meet.
    pub pairs: NonZeroU64,
    /// What is played of it here; all if nothing is said.
    pub share: Option<Share>,
    /// Decides the order of openings and nothing else.
    pub seed: u64,
    /// The laws about castling and the start position.
    pub variant: Variant,
    /// Where games start.
    pub openings: OpeningsSpec,
    /// When the referee ends games.
    pub adjudication: Adjudication,
    /// Who wins when a flag falls.
    pub flag_policy: FlagPolicy,
    /// When to stop early because the question is answered.
    pub sprt: Option<SprtSpec>,
    /// Faults of one engine that end the contest: it is broken, and what it loses says nothing more.
    pub max_faults: Option<NonZeroU64>,
    /// How many games run at a time.
    pub concurrency: Concurrency,
    /// On which CPUs.
    pub placement: PlacementSpec,
    /// What becomes of games that the host spoils.
    pub host: HostSpec,
    /// How long to wait for engines outside their clocks.
    pub patience: Patience,
    /// What is written where.
    pub output: OutputSpec,
}

/// The most pairs that a contest may have, and what stands for "until the sequential test decides".
pub const PAIRS_MAX: NonZeroU64 = NonZeroU64::new(1_000_000_000_000).expect("not 0");

impl Spec {
    /// Whether only a decision ends this contest: how much of it is over cannot be said.
    pub fn is_open_ended(&self) -> bool {
        self.pairs == PAIRS_MAX && self.share.is_none()
    }
}

/// One engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// Unique in the contest.
    pub name: String,
    /// What to run.
    pub command: EngineCommand,
    /// UCI options in the order in which they are set, `Threads` first.
    pub options: Vec<(String, String)>,
    /// Bounds on its thinking.
    pub limits: Limits,
    /// A fresh process for every game.
    pub restart: bool,
    /// What it may use beside the processor; everything without it.
    pub sandbox: Option<Sandbox>,
}

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineCommand {
    /// A program.
    Program {
        /// A path, or a name that is looked up in `PATH`.
        program: PathBuf,
        /// Its arguments, already split into words.
        args: Vec<String>,
        /// Its working folder; a relative `program` with a slash is looked up from here first, then from ours.
        dir: Option<PathBuf>,
        /// Added to its environment.
        env: Vec<(String, String)>,
    },
    /// The built-in engine, started as `arbiter sparring` with these arguments.
    Sparring {
        /// Such as `--level 5`.
        args: Vec<String>,
    },
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

/// The laws about castling and the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Standard chess.
    Standard,
    /// Chess960, double Chess960 included.
    Chess960,
}

/// Where games start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsSpec {
    /// The book.
    pub source: BookSource,
    /// The order of its entries.
    pub order: BookOrder,
    /// The first entry of that order to be played, from 1; beyond the end it wraps round.
    pub start: NonZeroU64,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// Its format.
        format: BookFormat,
        /// Of a PGN, how many plies are played; without it all.
        plies: Option<u32>,
    },
    /// The set that comes with arbiter; for Chess960 the 960 start positions.
    Embedded,
}

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// A position a line, EPD or FEN.
    Epd,
    /// Games.
    Pgn,
}

/// The order of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookOrder {
    /// As in the book.
    Sequential,
    /// A permutation that the seed decides.
    Random,
}

/// How many games run at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// Physical cores that we may use, divided by the most threads an engine uses.
    Auto,
    /// So many.
    Slots(NonZeroUsize),
}

/// On which CPUs engines run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementSpec {
    /// Those that may be used; all that we may use if nothing is said.
    pub cpus: Option<CpuList>,
    /// Whether each slot has CPUs of its own, as long as there are enough.
    pub pin: bool,
}

/// How long to wait for engines outside their clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the start of the process to `uciok`, and for the `readyok` after setting options. Default 10 s.
    pub startup: Duration,
    /// For the `readyok` after `ucinewgame`. Default 60 s.
    pub ping: Duration,
    /// For `bestmove` after a `go` without a clock, since the last sign of life. Default 60 s.
    pub watchdog: Duration,
    /// For `bestmove` after `stop` when a game is over, before the process is given up. Default 1 s.
    pub settle: Duration,
    /// For the process to end after `quit` and the end of its input. Then its group gets SIGTERM, and
    /// a quarter of a second later SIGKILL. Default 2 s.
    pub quit: Duration,
    /// Starts of one engine that may fail in a row before the contest stops. Default 3.
    pub start_failures: NonZeroU32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            startup: Duration::from_secs(10),
            ping: Duration::from_secs(60),
            watchdog: Duration::from_secs(60),
            settle: Duration::from_secs(1),
            quit: Duration::from_secs(2),
            start_failures: NonZeroU32::new(3).expect("not 0"),
        }
    }
}

/// A sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtSpec {
    /// Between what it decides, and what Elo means.
    pub hypotheses: Hypotheses,
    /// How often it may be wrong.
    pub rates: ErrorRates,
    /// When it stops.
    pub rule: Rule,
}

/// What is written where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputSpec {
    /// Every game.
    pub pgn: Option<PgnOutput>,
    /// Events as JSON lines.
    pub events: Option<PathBuf>,
    /// The result as JSON.
    pub summary: Option<PathBuf>,
    /// The folder for what is known of each fault; it is made when there is one.
    pub faults: Option<PathBuf>,
    /// The journal, from which the contest can be gone on with.
    pub journal: Option<PathBuf>,
}

/// The PGN file and what its comments hold beside score, depth and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnOutput {
    /// The file; games are appended.
    pub path: PathBuf,
    /// `n=`.
    pub nodes: bool,
    /// `nps=`.
    pub nps: bool,
    /// `sd=`.
    pub seldepth: bool,
    /// `hashfull=`, per mille.
    pub hashfull: bool,
    /// `tl=`, seconds.
    pub time_left: bool,
    /// `pv="..."`, the whole line.
    pub pv: bool,
}
