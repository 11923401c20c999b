//! Scores as the search counts them: centipawns, and mates by the plies to them.

use uci::Score;

use super::PLIES_MAX;

pub(super) const DRAW: i32 = 0;
/// Being mated now, with opposite sign.
pub(super) const MATE: i32 = 30_000;
/// Beyond every score.
pub(super) const INFINITY: i32 = 32_000;
/// Scores beyond this, up or down, are mates.
pub(super) const MATE_MIN: i32 = MATE - PLIES_MAX as i32;

/// A mate counted from the root as counted from where it was found, for the table.
pub(super) const fn to_table(score: i32, ply: usize) -> i32 {
    if score >= MATE_MIN {
        score + ply as i32
    } else if score <= -MATE_MIN {
        score - ply as i32
    } else {
        score
    }
}

/// The inverse of [`to_table`].
pub(super) const fn from_table(score: i32, ply: usize) -> i32 {
    if score >= MATE_MIN {
        score - ply as i32
    } else if score <= -MATE_MIN {
        score + ply as i32
    } else {
        score
    }
}

/// The score as UCI says it: mates in moves.
pub(super) const fn spoken(score: i32) -> Score {
    if score >= MATE_MIN {
        Score::Mate((MATE - score + 1) / 2)
    } else if score <= -MATE_MIN {
        Score::Mate(-(MATE + score + 1) / 2)
    } else {
        Score::Centipawns(score)
    }
}
