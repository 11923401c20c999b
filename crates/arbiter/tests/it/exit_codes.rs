//! The codes that scripts branch on.

use std::fs::File;

use crate::bench::Bench;

const PLAY: &str = "match --engine sparring:3 --engine sparring:2 --each nodes=50 --pairs 1";

#[test]
fn zero_when_all_was_done() {
    let bench = Bench::new();
    bench.run(PLAY).expect(0);
    bench.run("perft 1").expect(0);
    bench.run("--version").expect(0);
}

#[test]
fn one_when_a_check_failed() {
    let bench = Bench::new()
        .with("wrong.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 6\n")
        .with("wrong.pgn", "1. e4 e5 2. Ke3 1-0\n");
    bench.run("perft --suite wrong.epd").expect(1);
    bench.run("pgn check wrong.pgn").expect(1);
}

#[test]
fn two_when_the_input_is_wrong() {
    let bench = Bench::new();
    bench.run("match").expect(2);
    bench.run("match --no-such-flag").expect(2);
    bench.run("pgn check absent.pgn").expect(2);
}

#[test]
fn three_when_an_engine_cannot_be_started() {
    let bench = Bench::new();
    let line = "match --engine sparring:3 --engine /bin/false --each nodes=10 --pairs 1";
    let done = bench.run(line).expect(3);
    let last = done.err.lines().find(|line| line.starts_with("error: "));
    assert!(
        last.is_some_and(|line| line.contains("`false`")),
        "{done:#?}"
    );
}

#[test]
fn four_when_a_result_could_not_be_written() {
    let bench = Bench::new();
    let done = bench.run(&format!("{PLAY} --events /dev/full")).expect(4);
    assert!(done.err.contains("error: "), "{done:#?}");
}

#[test]
fn four_when_standard_output_takes_no_more() {
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let bench = Bench::new();
    let mut command = bench.command();
    let status = command
        .args(["perft", "1"])
        .stdout(full)
        .status()
        .expect("it runs");
    assert_eq!(status.code(), Some(4));
}

#[test]
fn five_when_the_coordinator_cannot_be_reached() {
    let line = "tests --server http://127.0.0.1:1";
    let done = Bench::new().run(line).expect(5);
    assert!(done.err.contains("cannot be reached"), "{done:#?}");
    assert!(done.err.contains("refused"), "{done:#?}");
}

#[test]
fn help_shows_the_table_of_codes() {
    let help = Bench::new().run("--help").out;
    for code in [0, 1, 2, 3, 4, 5, 130] {
        let begins = |line: &str| line.trim_start().starts_with(&format!("{code} "));
        assert!(help.lines().any(begins), "no exit code {code} in {help}");
    }
}
