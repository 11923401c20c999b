//! Perft: the number of move sequences of a given length, the standard test of move generators.

use crate::{Move, Position};

pub mod suite;

/// How many sequences of `depth` legal moves there are from `position`; 1 for depth 0.
///
/// The last ply is counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => {
            let mut nodes = 0;
            position.for_each_legal(|mv| {
                let mut child = *position;
                child.play_unchecked(mv);
                nodes += perft(&child, depth - 1);
            });
            nodes
        }
    }
}

/// The share of each first move in [`perft`], in the order of the moves' squares.
///
/// Empty for depth 0.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(left) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable();
    let share = |mv| {
        let mut child = *position;
        child.play_unchecked(mv);
        (mv, perft(&child, left))
    };
    moves.into_iter().map(share).collect()
}
