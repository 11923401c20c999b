//! When the referee ends a game that the laws would let go on.
//!
//! Each adjudicator is a fold over the plies in a file of its own: it sees every ply that an engine
//! plays and may rule. They are asked after the laws have had their say, in the order tablebase,
//! resign, draw, length; that the others also see a ply on which one rules makes no difference.

use std::num::NonZeroU32;
use std::sync::Arc;

use engine_core::{Color, Outcome, Position};
use uci::Score;

use crate::verdict::{Adjudicator, Ruling};

mod draw;
mod length;
mod resign;
mod tablebase;

pub use draw::Draw;
pub use resign::Resign;
pub use tablebase::{Syzygy, Tablebase, TablebaseRulings, Wdl};

/// The adjudicators of a contest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// One side is lost.
    pub resign: Option<Resign>,
    /// Nobody makes progress.
    pub draw: Option<Draw>,
    /// A draw after so many full moves of the engines, two plies each; the opening is not counted.
    pub max_moves: Option<NonZeroU32>,
    /// The result is known.
    pub syzygy: Option<Syzygy>,
}

/// A ply that an engine has played, as the adjudicators see it.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// Its number from the start of the game, opening included; the first is 1.
    pub ply: u32,
    /// Who played it.
    pub mover: Color,
    /// The position after it.
    pub position: &'a Position,
    /// What the mover thinks of it, from its own side; exact scores only.
    pub score: Option<Score>,
}

/// The adjudicators of one game, with what they remember of it.
#[derive(Debug)]
pub struct Adjudicators {
    tablebase: Option<tablebase::Watch>,
    resign: Option<resign::Watch>,
    draw: Option<draw::Watch>,
    length: Option<length::Watch>,
}

impl Adjudicators {
    /// Those that `rules` asks for. Without a `tablebase`, nothing is ruled by one.
    pub fn new(rules: &Adjudication, tablebase: Option<Arc<dyn Tablebase>>) -> Self {
        let Adjudication {
            resign,
            draw,
            max_moves,
            syzygy,
        } = rules;
        Self {
            tablebase: syzygy
                .as_ref()
                .zip(tablebase)
                .map(|(syzygy, tables)| tablebase::Watch::new(syzygy, tables)),
            resign: resign.map(resign::Watch::new),
            draw: draw.map(draw::Watch::new),
            length: max_moves.map(length::Watch::new),
        }
    }

    /// Shows a ply to all of them and gives the first ruling. Every ply of the engines must be
    /// shown, once and in order.
    pub fn observe(&mut self, ply: &Observation<'_>) -> Option<Ruling> {
        let tablebase = self.tablebase.as_ref().and_then(|watch| watch.observe(ply));
        let resign = self.resign.as_mut().and_then(|watch| watch.observe(ply));
        let draw = self.draw.as_mut().and_then(|watch| watch.observe(ply));
        let length = self.length.as_mut().and_then(|watch| watch.observe(ply));
        tablebase.or(resign).or(draw).or(length)
    }
}

impl Ruling {
    fn new(by: Adjudicator, outcome: Outcome, since_ply: u32) -> Self {
        Self {
            outcome,
            by,
            since_ply,
        }
    }
}

/// The plies in a row on which some condition held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Streak {
    /// How many.
    len: u32,
    /// The first of them.
    since_ply: u32,
}

impl Streak {
    /// The streak after a ply on which the condition held or did not.
    fn after(self, ply: u32, holds: bool) -> Self {
        match (holds, self.len) {
            (false, _) => Self::default(),
            (true, 0) => Self {
                len: 1,
                since_ply: ply,
            },
            (true, len) => Self {
                len: len.saturating_add(1),
                ..self
            },
        }
    }
}
