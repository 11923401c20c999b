//! How a game ended.

use engine_core::{Color, Ending, Outcome};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// A score with its reason, or void.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The laws of chess ended it.
    Rules(Ending),
    /// The referee ended it.
    Adjudicated(Ruling),
    /// An engine's fault ended it.
    Forfeit {
        /// Who was at fault.
        loser: Color,
        /// What it did.
        fault: Fault,
        /// A loss, but for a flag fall against an opponent who cannot win (see `FlagPolicy`).
        outcome: Outcome,
    },
    /// Nobody's fault; the game is played again.
    Void(VoidReason),
}

/// Which adjudicator ended a game, how, and since when its condition held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The score.
    pub outcome: Outcome,
    /// Which one.
    pub by: Adjudicator,
    /// The ply, counted from the start of the game (opening included, the first is 1), at which
    /// the streak began that led to the ruling.
    pub since_ply: u32,
}

/// The adjudicators, in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjudicator {
    /// The tablebases know the result.
    Tablebase,
    /// The scores say that one side is lost.
    Resign,
    /// The scores say that nobody makes progress.
    Draw,
    /// The game is too long.
    MaxMoves,
}

/// Why a game does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidReason {
    /// The contest was stopped while the game was under way.
    Cancelled,
    /// The sequential test was decided while the game was under way: nobody needs it any more.
    Unneeded,
    /// The host was at fault: starved of CPU, suspended, disk full, process killed from outside.
    Host(String),
}

impl Verdict {
    /// The score, or nothing for a void game.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Rules(ending) => Some(ending.outcome()),
            Self::Adjudicated(ruling) => Some(ruling.outcome),
            Self::Forfeit { outcome, .. } => Some(*outcome),
            Self::Void(_) => None,
        }
    }

    /// The name under which reports count this ending: `checkmate`, `time loss`, `resign adjudication` ...
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Rules(ending) => ending.name(),
            Self::Adjudicated(ruling) => ruling.by.name(),
            Self::Forfeit { fault, .. } => fault.name(),
            Self::Void(_) => "void",
        }
    }
}

impl Adjudicator {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tablebase => "tablebase adjudication",
            Self::Resign => "resign adjudication",
            Self::Draw => "draw adjudication",
            Self::MaxMoves => "move limit",
        }
    }
}
