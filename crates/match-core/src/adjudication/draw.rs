//! The scores say that nobody makes progress.

use std::num::NonZeroU32;

use engine_core::Outcome;
use uci::Score;

use super::{Observation, Streak};
use crate::verdict::{Adjudicator, Ruling};

/// The last `count` scores of both sides are near zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The full move that must be complete before it may be ruled, by the position's own count: the
    /// same ply for an opening of moves and for its end position as a FEN with counters.
    pub after_move: u32,
    /// Moves of each side in a row; a capture or pawn move starts again and may be the first.
    pub count: NonZeroU32,
    /// Centipawns; a score within plus and minus this counts, a mate never does.
    pub score: u32,
}

/// What the scores of a game have said so far.
#[derive(Debug)]
pub(super) struct Watch {
    rule: Draw,
    quiet: Streak,
}

impl Watch {
    pub(super) fn new(rule: Draw) -> Self {
        Self {
            rule,
            quiet: Streak::default(),
        }
    }

    pub(super) fn observe(&mut self, ply: &Observation<'_>) -> Option<Ruling> {
        if ply.position.halfmove_clock() == 0 {
            self.quiet = Streak::default();
        }
        let near_zero = match ply.score {
            Some(Score::Centipawns(score)) => score.unsigned_abs() <= self.rule.score,
            Some(Score::Mate(_)) | None => false,
        };
        self.quiet = self.quiet.after(ply.ply, near_zero);
        let long_enough = self.rule.count.get().saturating_mul(2) <= self.quiet.len;
        // The position after a move of Black has the number of the move to come.
        let late_enough = self.rule.after_move < ply.position.fullmove_number();
        (long_enough && late_enough)
            .then(|| Ruling::new(Adjudicator::Draw, Outcome::Draw, self.quiet.since_ply))
    }
}
