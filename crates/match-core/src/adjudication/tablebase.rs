//! The result is known.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use engine_core::{Color, Outcome, Position};

use super::Observation;
use crate::verdict::{Adjudicator, Ruling};

/// Syzygy tablebases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syzygy {
    /// Folders.
    pub paths: Vec<PathBuf>,
    /// Positions with more men than this are not looked up.
    pub pieces: u32,
    /// Cursed wins and blessed losses are draws; off, they are won and lost.
    pub fifty_move_rule: bool,
    /// Which results are ruled.
    pub rulings: TablebaseRulings,
}

impl Syzygy {
    /// Whether positions such as this one are looked up. Tables hold the worth of a position after a
    /// capture or pawn move, without castling rights. Of any other position they cannot tell whether the
    /// fifty-move rule comes before the win.
    pub fn is_for(&self, position: &Position) -> bool {
        let castles = Color::ALL
            .into_iter()
            .any(|color| !position.castling_rights(color).is_none());
        position.halfmove_clock() == 0 && !castles && position.occupied().count() <= self.pieces
    }

    /// Whether such results are ruled.
    pub fn rules(&self, decisive: bool) -> bool {
        match self.rulings {
            TablebaseRulings::All => true,
            TablebaseRulings::WinLoss => decisive,
            TablebaseRulings::Draw => !decisive,
        }
    }
}

/// Which results of tablebases are ruled; positions with others are played on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TablebaseRulings {
    /// All.
    #[default]
    All,
    /// Wins and losses.
    WinLoss,
    /// Draws.
    Draw,
}

/// Tables that know what positions are worth.
pub trait Tablebase: Debug + Send + Sync {
    /// What `position` is worth with best play and a halfmove clock of 0; nothing when the tables do
    /// not have it.
    fn probe(&self, position: &Position) -> Option<Wdl>;
}

/// The worth of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// Looks positions up.
#[derive(Debug)]
pub(super) struct Watch {
    rule: Syzygy,
    tables: Arc<dyn Tablebase>,
}

impl Watch {
    pub(super) fn new(rule: &Syzygy, tables: Arc<dyn Tablebase>) -> Self {
        Self {
            rule: rule.clone(),
            tables,
        }
    }

    pub(super) fn observe(&self, ply: &Observation<'_>) -> Option<Ruling> {
        let position = ply.position;
        if !self.rule.is_for(position) {
            return None;
        }
        let outcome = self.outcome(self.tables.probe(position)?, position.turn());
        let wanted = self.rule.rules(outcome != Outcome::Draw);
        wanted.then(|| Ruling::new(Adjudicator::Tablebase, outcome, ply.ply))
    }

    fn outcome(&self, wdl: Wdl, turn: Color) -> Outcome {
        match wdl {
            Wdl::Win => Outcome::win(turn),
            Wdl::Loss => Outcome::loss(turn),
            Wdl::CursedWin if !self.rule.fifty_move_rule => Outcome::win(turn),
            Wdl::BlessedLoss if !self.rule.fifty_move_rule => Outcome::loss(turn),
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => Outcome::Draw,
        }
    }
}
