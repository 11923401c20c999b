//! Perft against `cozy-chess`, both with bulk counting at the last ply, in one run.
//!
//! The two take turns, so that a busy machine troubles both alike, and the best round of each counts.
//! `cargo bench -p engine-core --bench perft [-- ROUNDS]`, five by default.
#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use std::hint::black_box;
use std::time::Instant;

use engine_core::{Position, perft};

struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u8,
    nodes: u64,
}

const CASES: [Case; 4] = [
    Case {
        name: "start position",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        nodes: 119_060_324,
    },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        nodes: 193_690_690,
    },
    Case {
        name: "rook ending",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        depth: 7,
        nodes: 178_633_661,
    },
    Case {
        name: "promotions",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        depth: 5,
        nodes: 15_833_292,
    },
];

fn main() {
    let rounds = std::env::args()
        .skip(1)
        .find_map(|word| word.parse().ok())
        .unwrap_or(5);
    println!(
        "{:<15} {:>5} {:>13} {:>16} {:>16} {:>7}",
        "position", "depth", "nodes", "ours, Mnodes/s", "cozy-chess", "ratio"
    );
    let logs: Vec<f64> = CASES
        .iter()
        .map(|case| measure(case, rounds).ln())
        .collect();
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    println!("geometric mean of the ratios: {mean:.3}");
}

/// Prints a line for one position and returns how many times faster ours is.
fn measure(case: &Case, rounds: usize) -> f64 {
    let ours: Position = case.fen.parse().expect("a legal position");
    let theirs: cozy_chess::Board = case.fen.parse().expect("a legal position");
    let (mut our_best, mut their_best) = (0.0, 0.0);
    for _ in 0..rounds.max(1) {
        let our_speed = speed(case.nodes, || {
            perft(black_box(&ours), u32::from(case.depth))
        });
        let their_speed = speed(case.nodes, || cozy_perft(black_box(&theirs), case.depth));
        our_best = f64::max(our_best, our_speed);
        their_best = f64::max(their_best, their_speed);
    }
    let ratio = our_best / their_best;
    println!(
        "{:<15} {:>5} {:>13} {:>16.1} {:>16.1} {ratio:>7.3}",
        case.name,
        case.depth,
        case.nodes,
        our_best / 1e6,
        their_best / 1e6,
    );
    ratio
}

/// Nodes per second of one count, which must be right.
fn speed(want: u64, count: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let nodes = count();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(nodes, want, "a fast wrong count is worth nothing");
    nodes as f64 / seconds
}

/// As in the `perft` example of `cozy-chess`.
fn cozy_perft(board: &cozy_chess::Board, depth: u8) -> u64 {
    let mut nodes = 0;
    match depth {
        0 => nodes += 1,
        1 => {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut board = board.clone();
                    board.play_unchecked(mv);
                    nodes += cozy_perft(&board, depth - 1);
                }
                false
            });
        }
    }
    nodes
}
