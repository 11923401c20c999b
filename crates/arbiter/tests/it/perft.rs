//! `arbiter perft`.

use std::fs;

use crate::bench::{Bench, shared};

#[test]
fn the_last_line_is_the_count() {
    let bench = Bench::new();
    assert_eq!(bench.run("perft 0").expect(0).last_line(), "nodes 1");
    assert_eq!(bench.run("perft 4").expect(0).last_line(), "nodes 197281");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let done = bench.run(&format!("perft 3 --fen '{kiwipete}'")).expect(0);
    assert_eq!(done.last_line(), "nodes 97862");
    assert_eq!(done.out, "nodes 97862\n", "time and speed are talk");
}

#[test]
fn divide_shows_the_share_of_each_move() {
    let done = Bench::new()
        .run("perft 2 --divide --fen '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'")
        .expect(0);
    assert!(done.out.lines().any(|line| line == "e1c1 3"), "{done:#?}");
    assert_eq!(done.last_line(), "nodes 71");
}

#[test]
fn divide_writes_castling_as_chess960_does_when_asked() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let done = Bench::new()
        .run(&format!("perft 2 --divide --chess960 --fen '{fen}'"))
        .expect(0);
    assert!(done.out.lines().any(|line| line == "e1a1 3"), "{done:#?}");
}

#[test]
fn a_suite_may_be_cut_at_a_depth() {
    let bench = Bench::new().with(
        "suite.epd",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25 ;D3 999\n",
    );
    bench.run("perft --suite suite.epd").expect(1);
    let done = bench.run("perft --suite suite.epd --max-depth 2").expect(0);
    assert_eq!(done.last_line(), "nodes 30");
}

#[test]
fn the_shared_suites_are_right() {
    let Some(folder) = shared("vectors/perft") else {
        return;
    };
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        Bench::new()
            .run(&format!("perft --suite {} --max-depth 3", path.display()))
            .expect(0);
    }
}
