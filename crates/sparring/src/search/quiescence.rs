//! The end of every line: captures are played out, so that nothing is judged in mid-exchange.

use engine_core::{Position, Role};

use super::ordering::Ordered;
use super::score::DRAW;
use super::{PLIES_MAX, Search};

/// What capturing a piece may change at most, pawn to king, with a margin for its square.
const PRIZES: [i32; 6] = [250, 500, 500, 700, 1_200, 0];

impl Search<'_> {
    /// The score of a position when both sides may only capture, or stand still.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if self.is_over() {
            return DRAW;
        }
        self.seldepth = self.seldepth.max(ply);
        let standing = self.judge(position);
        if standing >= beta || ply + 1 >= PLIES_MAX {
            return standing;
        }
        alpha = alpha.max(standing);
        let mut best = standing;
        let mut moves = Ordered::loud(position);
        while let Some(mv) = moves.next() {
            let prize = position
                .role_at(mv.to)
                .map_or(0, |role| PRIZES[role.index()]);
            let promotion = if mv.promotion.is_some() {
                PRIZES[Role::Queen.index()]
            } else {
                0
            };
            if standing + prize + promotion <= alpha {
                continue;
            }
            let mut child = *position;
            child.play_unchecked(mv);
            let score = -self.quiesce(&child, ply + 1, -beta, -alpha);
            if self.stopped {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
