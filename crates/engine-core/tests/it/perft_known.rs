//! Perft of the well-known positions.

use engine_core::{Move, Position, Square, perft, perft_divide};

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

#[test]
fn en_passant_is_counted_right_with_pins_and_checks() {
    check(
        "4r2k/8/8/3PpP2/8/8/8/5K2 w - e6 0 1",
        &[9, 105, 826, 11_569, 92_308],
    );
    check(
        "8/8/8/r1pP2K1/8/8/8/4k3 w - c6 0 1",
        &[9, 126, 951, 16_356, 117_500],
    );
    check(
        "4k3/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 1",
        &[9, 96, 778, 9077, 65_607],
    );
    check(
        "2b5/8/2q5/2q3pP/7K/1k6/6r1/8 w - g6 0 1",
        &[1, 65, 80, 5255],
    );
    check(
        "2K5/8/1q6/pP1q4/1k6/8/7b/6b1 w - a6 0 1",
        &[1, 63, 62, 3576],
    );
    check(
        "8/8/8/5k2/3p4/8/4P3/4K3 w - - 0 1",
        &[6, 54, 343, 2810, 19_228],
    );
}

#[test]
fn castling_and_captured_rooks_are_counted_right() {
    check(
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
        &[39, 1007, 28_659, 764_007],
    );
    check(
        "r3k2r/8/8/1r6/1R6/8/8/R3K2R w KQkq - 0 1",
        &[37, 1207, 40_413, 1_296_852],
    );
    check(
        "3rkr2/4P3/8/8/8/8/4R3/4K3 b - - 0 1",
        &[21, 314, 5452, 89_859],
    );
}

#[test]
fn chess960_castling_is_counted_right() {
    check(
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        &[21, 528, 12_189, 326_672],
    );
    check(
        "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
        &[23, 522, 12_333, 285_754],
    );
    check(
        "8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1",
        &[34, 318, 9002, 118_388],
    );
    check(
        "4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1",
        &[19, 628, 12_858, 405_636],
    );
    check(
        "2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1",
        &[17, 242, 3931, 57_700],
    );
}

#[test]
fn positions_no_game_reaches_are_counted_right() {
    // Checks along one line from both sides, three checkers, and a check that only en passant blocks.
    check("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1", &[4, 125, 2854]);
    check("1rrrrrk1/1PPPPPPP/8/8/8/8/8/6K1 b - - 0 1", &[3, 131, 1919]);
    check("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", &[6, 121, 711]);
    check(
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        &[270, 0],
    );
}

#[test]
fn depth_zero_is_the_position_itself_and_a_forced_line_may_be_deep() {
    let position = Position::startpos();
    assert_eq!(perft(&position, 0), 1);
    assert!(perft_divide(&position, 0).is_empty());
    let prison: Position = "2b5/kpPp4/1p1P4/1P6/6p1/4p1P1/4PpPK/5B2 w - - 0 1"
        .parse()
        .expect("a legal FEN");
    assert_eq!(perft(&prison, 32), 1);
}

#[test]
fn the_division_adds_up_and_is_sorted_by_squares() {
    let division = perft_divide(&Position::startpos(), 3);
    assert_eq!(division.len(), 20);
    assert!(division.is_sorted());
    assert_eq!(division.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 8902);
    assert_eq!(division[0], (Move::new(Square::B1, Square::A3), 400));
}
