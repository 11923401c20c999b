//! The game is too long.

use std::num::NonZeroU32;

use engine_core::Outcome;

use super::Observation;
use crate::verdict::{Adjudicator, Ruling};

/// How many plies were played.
#[derive(Debug)]
pub(super) struct Watch {
    max: NonZeroU32,
    played: u32,
}

impl Watch {
    pub(super) fn new(max: NonZeroU32) -> Self {
        Self { max, played: 0 }
    }

    pub(super) fn observe(&mut self, ply: &Observation<'_>) -> Option<Ruling> {
        self.played = self.played.saturating_add(1);
        (self.max.get() <= self.played)
            .then(|| Ruling::new(Adjudicator::MaxMoves, Outcome::Draw, ply.ply))
    }
}
