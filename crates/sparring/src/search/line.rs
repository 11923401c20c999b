//! The principal variation, kept for each ply in one allocation.

use engine_core::{Move, Square};

use super::PLIES_MAX;

/// The best moves found from one ply on.
#[derive(Clone, Debug)]
pub(super) struct Line {
    moves: [Move; PLIES_MAX],
    len: usize,
}

impl Line {
    /// An empty line for every ply.
    pub(super) fn stack() -> Vec<Self> {
        let empty = Self {
            moves: [Move::new(Square::A1, Square::A1); PLIES_MAX],
            len: 0,
        };
        vec![empty; PLIES_MAX + 1]
    }

    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn moves(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    /// Makes the line of `ply` be `mv` and then the line of the ply after.
    pub(super) fn extend(lines: &mut [Self], ply: usize, mv: Move) {
        let (before, after) = lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut before[ply], &after[0]);
        let len = rest.len.min(PLIES_MAX - 1);
        line.moves[0] = mv;
        line.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        line.len = len + 1;
    }
}
