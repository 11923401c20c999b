//! The scores say that one side is lost.

use std::num::NonZeroU32;

use engine_core::{ByColor, Color, Outcome};
use uci::Score;

use super::{Observation, Streak};
use crate::verdict::{Adjudicator, Ruling};

/// The last `count` scores of a side say that it is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// Moves in a row.
    pub count: NonZeroU32,
    /// Centipawns; a score of minus this or worse, or being mated, counts.
    pub score: u32,
    /// The winner's scores must say the same, move for move.
    pub two_sided: bool,
}

/// What the scores of a game have said so far.
#[derive(Debug)]
pub(super) struct Watch {
    rule: Resign,
    /// Per side, its own moves on which it said that it is lost.
    confessed: ByColor<Streak>,
    /// Per side, the plies of both on which the mover said that this side is lost.
    agreed: ByColor<Streak>,
}

impl Watch {
    pub(super) fn new(rule: Resign) -> Self {
        Self {
            rule,
            confessed: ByColor::default(),
            agreed: ByColor::default(),
        }
    }

    pub(super) fn observe(&mut self, ply: &Observation<'_>) -> Option<Ruling> {
        let loser = ply.score.and_then(|score| self.loser(ply.mover, score));
        let confessed = &mut self.confessed[ply.mover];
        *confessed = confessed.after(ply.ply, loser == Some(ply.mover));
        for side in Color::ALL {
            self.agreed[side] = self.agreed[side].after(ply.ply, loser == Some(side));
        }

        let count = self.rule.count.get();
        Color::ALL.into_iter().find_map(|side| {
            let (streak, needed) = match self.rule.two_sided {
                true => (self.agreed[side], count.saturating_mul(2)),
                false => (self.confessed[side], count),
            };
            (needed <= streak.len)
                .then(|| Ruling::new(Adjudicator::Resign, Outcome::loss(side), streak.since_ply))
        })
    }

    /// Who is lost, by a score of `mover`.
    fn loser(&self, mover: Color, score: Score) -> Option<Color> {
        let bound = i64::from(self.rule.score);
        match score {
            Score::Mate(0) => None,
            Score::Mate(moves) => Some(if moves < 0 { mover } else { !mover }),
            Score::Centipawns(score) if i64::from(score) <= -bound => Some(mover),
            Score::Centipawns(score) if bound <= i64::from(score) => Some(!mover),
            Score::Centipawns(_) => None,
        }
    }
}
