//! Perft of the well-known positions.

use engine_core::{Position, perft};

#[track_caller]
fn check(fen: &str, want: &[u64]) {
    let position = Position::from_fen(fen).expect("a legal FEN");
    for (depth, &nodes) in (1..).zip(want) {
        assert_eq!(perft(&position, depth), nodes, "{fen} at depth {depth}");
    }
}

#[test]
fn the_start_position_has_its_known_counts() {
    check(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8902, 197_281, 4_865_609],
    );
}

#[test]
fn kiwipete_has_its_known_counts() {
    check(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97_862, 4_085_603],
    );
}

#[test]
fn the_rook_ending_has_its_known_counts() {
    check(
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2812, 43_238, 674_624],
    );
}

#[test]
fn the_promotion_position_has_its_known_counts_for_both_sides() {
    let want = [6, 264, 9467, 422_333];
    check(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &want,
    );
    check(
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        &want,
    );
}
