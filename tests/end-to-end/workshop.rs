//! What arbiter does besides contests, and the first thing anybody does with it.

use std::time::Duration;

use end_to_end::{Running, Stage, repository};

#[track_caller]
fn last_line(words: &[&str]) -> String {
    let run = Stage::default().arbiter(words).expect(0);
    run.out.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn perft_ends_with_the_number_of_nodes() {
    assert_eq!(last_line(&["perft", "5"]), "nodes 4865609");
    assert_eq!(last_line(&["perft", "0"]), "nodes 1");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(
        last_line(&["perft", "4", "--fen", kiwipete]),
        "nodes 4085603"
    );
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let words = ["perft", "3", "--chess960", "--divide", "--fen", chess960];
    assert_eq!(last_line(&words), "nodes 12189");
}

#[test]
fn the_start_position_has_119060324_nodes_at_depth_6() {
    assert_eq!(last_line(&["perft", "6"]), "nodes 119060324");
}

#[test]
fn the_built_in_engine_talks_uci() {
    let stage = Stage::default();
    let script = "printf 'uci\\nisready\\nposition startpos\\ngo depth 1\\nquit\\n' | arbiter sparring --level 3";
    let mut shell = stage.command("sh");
    shell.args(["-c", script]);
    let run = Running::start(&stage, shell).finish().expect(0);
    let run = run
        .expect_out("uciok\n")
        .expect_out("readyok\n")
        .expect_out("option name Level");
    run.expect_out("bestmove ");
}

#[test]
fn quickstart_ends_by_itself_with_a_clear_winner_and_writes_nothing() {
    let stage = Stage::default();
    let config = repository().join("configs/quickstart.toml");
    let run = stage
        .arbiter(&["match", &config.display().to_string()])
        .expect(0);
    assert!(run.took < Duration::from_secs(30), "{run:#?}");
    run.expect_out("H1 accepted");
    assert_eq!(stage.files(), Vec::<String>::new());
}
