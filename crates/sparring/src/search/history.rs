//! Which quiet moves were good elsewhere in the tree.

use engine_core::{Move, Position};

use super::PLIES_MAX;

/// No move's credit goes beyond this, up or down; captures are ordered above it.
pub(super) const CREDIT_MAX: i32 = 1 << 14;

/// Killers of each ply, and the credit of each move whatever the position.
#[derive(Debug)]
pub(super) struct History {
    killers: [[Option<Move>; 2]; PLIES_MAX],
    /// By side, from and to.
    credit: Box<[[[i32; 64]; 64]; 2]>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            killers: [[None; 2]; PLIES_MAX],
            credit: Box::new([[[0; 64]; 64]; 2]),
        }
    }
}

impl History {
    /// Before a new search: killers are of another position now, and credit fades.
    pub(super) fn age(&mut self) {
        self.killers = [[None; 2]; PLIES_MAX];
        for credit in self.credit.as_flattened_mut().as_flattened_mut() {
            *credit /= 2;
        }
    }

    /// A quiet move refuted the opponent's last one.
    pub(super) fn reward(&mut self, position: &Position, mv: Move, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.shift(position, mv, depth * depth);
    }

    /// A quiet move was tried before one that was better.
    pub(super) fn blame(&mut self, position: &Position, mv: Move, depth: i32) {
        self.shift(position, mv, -depth);
    }

    pub(super) fn is_killer(&self, mv: Move, ply: usize) -> bool {
        self.killers[ply].contains(&Some(mv))
    }

    pub(super) fn credit(&self, position: &Position, mv: Move) -> i32 {
        self.credit[position.turn().index()][mv.from.index()][mv.to.index()]
    }

    /// Moves credit towards its limit, the slower the nearer it is.
    fn shift(&mut self, position: &Position, mv: Move, by: i32) {
        let credit = &mut self.credit[position.turn().index()][mv.from.index()][mv.to.index()];
        let by = by.clamp(-CREDIT_MAX / 8, CREDIT_MAX / 8);
        *credit += by * 8 - *credit * by.abs() * 8 / CREDIT_MAX;
    }
}
