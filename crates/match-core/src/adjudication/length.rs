//! The game is too long.

use std::num::NonZeroU32;

use engine_core::Outcome;

use super::Observation;
use crate::verdict::{Adjudicator, Ruling};

/// How many plies are left.
#[derive(Debug)]
pub(super) struct Watch {
    plies_left: u64,
}

impl Watch {
    pub(super) fn new(max_moves: NonZeroU32) -> Self {
        Self {
            plies_left: 2 * u64::from(max_moves.get()),
        }
    }

    pub(super) fn observe(&mut self, ply: &Observation<'_>) -> Option<Ruling> {
        self.plies_left = self.plies_left.saturating_sub(1);
        (self.plies_left == 0).then(|| Ruling::new(Adjudicator::MaxMoves, Outcome::Draw, ply.ply))
    }
}
