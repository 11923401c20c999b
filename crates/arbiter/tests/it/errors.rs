//! What is said to a person whose input is wrong: the thing, what was found, what is allowed.

use crate::bench::{Bench, assert_shown};

#[test]
fn match_says_which_flag_and_which_word_is_wrong() {
    let bench = Bench::new();
    assert_shown("errors-match-flags", &bench.transcript(&[
        "match",
        "match --engine sparring:3",
        "match --engine sparring:3 --engine sparring:4",
        "match --engine sparring:3 --engine sparring:11 --each nodes=10",
        "match --engine sparring:3 --engine sparring:4 --each 'tc=8+0.08 hash=16'",
        "match --engine sparring:3 --engine sparring:4 --each tc=fast",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --pairs 0",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --concurency 2",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --concurrency many",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --variant chess690",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --tournament swiss",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --flag-policy draw",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --sprt elo0=0",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --resign 'count=0 score=1'",
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --draw 'count=8 score=20 moves=34'",
    ]));
    assert_eq!(bench.files(), [""; 0], "nothing was written");
}

#[test]
fn match_says_which_line_of_its_file_is_wrong() {
    let bench = Bench::new()
        .with(
            "unknown.toml",
            "pairs = 2\n\n[[engine]]\ncmd = \"sparring:1\"\nnmae = \"x\"\n",
        )
        .with("value.toml", "pairs = \"many\"\n")
        .with("twice.toml", "pairs = 2\npairs = 3\n")
        .with("broken.toml", "[each\n");
    assert_shown(
        "errors-match-file",
        &bench.transcript(&[
            "match unknown.toml",
            "match value.toml",
            "match twice.toml",
            "match broken.toml",
            "match absent.toml",
        ]),
    );
}

#[test]
fn match_finds_what_is_wrong_with_files_and_engines_before_it_writes_any() {
    let bench = Bench::new().with("bad.epd", "8/8/8/8/8/8/8/8 w - - 0 1\n");
    let start =
        "match --engine sparring:3 --engine sparring:4 --each nodes=10 --pairs 1 --pgn games.pgn";
    let lines = [
        "--engine ./absent",
        "--engine sparing:4",
        "--openings absent.epd",
        "--openings bad.epd",
        "--openings book.bin",
        "--syzygy absent",
        "--events games.pgn",
        "--summary absent/summary.json",
        "--summary .",
        "--each option.Level=11",
    ];
    let lines = lines.map(|flags| format!("{start} {flags}"));
    assert_shown(
        "errors-match-before-writing",
        &bench.transcript(&lines.each_ref().map(String::as_str)),
    );
    assert_eq!(bench.files(), ["bad.epd"], "nothing was written");
}

#[test]
fn perft_says_what_is_wrong_with_a_position_or_a_suite() {
    let bench = Bench::new()
        .with("count.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 five\n")
        .with("orphan.perft", "# no position\nperft 1 20\n")
        .with("empty.epd", "# nothing\n")
        .with(
            "wrong.perft",
            "id bare kings\nepd 4k3/8/8/8/8/8/8/4K3 w - -\nperft 1 5\nperft 2 26\n",
        );
    assert_shown(
        "errors-perft-input",
        &bench.transcript(&[
            "perft",
            "perft deep",
            "perft 2 --fen '4k3/8/8/8/8/8/8/8 w - - 0 1'",
            "perft --suite absent.epd",
            "perft --suite count.epd",
            "perft --suite orphan.perft",
            "perft --suite empty.epd",
            "perft --suite wrong.perft",
            "perft --suite wrong.perft --max-depth 0",
        ]),
    );
}

#[test]
fn pgn_check_says_what_it_cannot_read() {
    let bench = Bench::new();
    assert_shown(
        "errors-pgn-check-input",
        &bench.transcript(&["pgn check", "pgn check absent.pgn", "pgn check ."]),
    );
}

#[test]
fn arbiter_helps_with_a_word_that_it_does_not_know() {
    let bench = Bench::new();
    assert_shown(
        "errors-commands",
        &bench.transcript(&["", "mach", "pgn chek games.pgn"]),
    );
}
