//! What everybody who listens is told: one enum, one producer, gapless numbers.
//!
//! Terminal, PGN, JSON lines, journal and upload are folds over this stream. To add an event: a
//! variant here, its JSON in `event/json.rs`, and an arm in every reporter (there are no wildcards).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine_core::Color;

use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::fixture::{EngineId, Fixture, GameNumber};
use crate::moment::Moment;
use crate::record::GameRecord;
use crate::spec::Spec;
use crate::summary::Summary;

pub mod json;

/// Something that happened in a contest.
#[derive(Clone, Debug)]
pub struct Event {
    /// From 0, without a gap: a listener knows when it missed one.
    pub seq: u64,
    /// When.
    pub at: Moment,
    /// What.
    pub kind: EventKind,
}

/// The kinds of event.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// The first of all.
    ContestStarted {
        /// What will be played.
        spec: Arc<Spec>,
        /// How many games that is.
        games: u64,
        /// In how many slots.
        slots: usize,
    },
    /// It goes on after an interruption; the first that the listeners of a new process hear.
    ContestResumed {
        /// What is played.
        spec: Arc<Spec>,
        /// How many games that is.
        games: u64,
        /// In how many slots from now on.
        slots: usize,
        /// What has been played of it.
        summary: Arc<Summary>,
    },
    /// A game was given to a slot; `GameFinished` or `EngineStartFailed` follows, unless the contest
    /// ends in a hurry.
    GameStarted {
        /// Which.
        fixture: Fixture,
        /// Where, from 0.
        slot: usize,
    },
    /// An engine did not get as far as playing; its game was not played and is given out again.
    EngineStartFailed {
        /// Where, from 0.
        slot: usize,
        /// For which game.
        game: GameNumber,
        /// Which.
        engine: EngineId,
        /// How many starts of it failed in a row, this one included.
        failures: u32,
        /// Why, and what it said last; may have several lines.
        text: String,
    },
    /// A game ended, by whatever verdict.
    GameFinished {
        /// Where, from 0.
        slot: usize,
        /// All of it.
        record: Arc<GameRecord>,
        /// Totals with this game in them; listeners keep none of their own.
        summary: Arc<Summary>,
    },
    /// Something odd that is no fault.
    Warned {
        /// In which game, if in one.
        game: Option<GameNumber>,
        /// About which engine, if about one.
        engine: Option<EngineId>,
        /// One line.
        text: String,
    },
    /// A process was replaced by a fresh one.
    EngineRestarted {
        /// Where, from 0.
        slot: usize,
        /// Which.
        engine: EngineId,
        /// Its colour in the game that was its last.
        color: Color,
        /// Why, when it was for a fault.
        fault: Option<Fault>,
    },
    /// A game ended by a fault, and what is known of it is to be kept. Comes before its
    /// `GameFinished`.
    FaultRecorded {
        /// Which game.
        game: GameNumber,
        /// Who was at fault.
        engine: EngineId,
        /// What it did.
        fault: Fault,
        /// Where to keep it.
        file: PathBuf,
        /// All of it.
        evidence: Arc<Evidence>,
    },
    /// No new games are started.
    Draining {
        /// Why.
        reason: StopReason,
    },
    /// The last.
    ContestFinished {
        /// The result.
        summary: Arc<Summary>,
        /// Why it ended before all games were played, if it did.
        stopped: Option<StopReason>,
        /// How long it took.
        wall: Duration,
    },
}

/// Why a contest ends early; in order of severity, a stronger reason replaces a weaker one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopReason {
    /// The sequential test came to its decision.
    Decided,
    /// An engine has as many faults as the spec allows; the text says which.
    TooManyFaults(String),
    /// An engine cannot be started; the text says why and shows its stderr.
    EngineUnusable(String),
    /// The host spoilt too many games; the text says how many and what may help.
    HostUnfit(String),
    /// A file could not be written.
    ReporterFailed(String),
    /// The first Ctrl-C: running games are abandoned as void.
    Interrupted,
    /// The second: processes are killed at once.
    Killed,
}

impl StopReason {
    /// The name in events: `decided`, `too_many_faults`, `engine_unusable`, `host_unfit`,
    /// `reporter_failed`, `interrupted`, `killed`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Decided => "decided",
            Self::TooManyFaults(_) => "too_many_faults",
            Self::EngineUnusable(_) => "engine_unusable",
            Self::HostUnfit(_) => "host_unfit",
            Self::ReporterFailed(_) => "reporter_failed",
            Self::Interrupted => "interrupted",
            Self::Killed => "killed",
        }
    }

    /// The particulars, where there are any.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::TooManyFaults(text)
            | Self::EngineUnusable(text)
            | Self::HostUnfit(text)
            | Self::ReporterFailed(text) => Some(text),
            Self::Decided | Self::Interrupted | Self::Killed => None,
        }
    }
}
