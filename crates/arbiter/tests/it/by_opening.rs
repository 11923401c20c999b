//! `arbiter stats --by-opening`.

use std::fmt::Write;

use serde_json::Value;

use crate::bench::{Bench, assert_shown};

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
const FRENCH: &str = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

/// Pairs of an opening, each as the results of its two games: `w`hite, `b`lack or a `d`raw.
fn pairs(text: &mut String, tags: &str, results: &str) {
    for pair in results.split_whitespace() {
        let number = text.matches("[Event").count() / 2 + 1;
        for (half, result) in pair.chars().enumerate() {
            let (white, black) = if half == 0 { ("A", "B") } else { ("B", "A") };
            let result = match result {
                'w' => "1-0",
                'b' => "0-1",
                _ => "1/2-1/2",
            };
            write!(
                text,
                "[Event \"e\"]\n[Round \"{number}.{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Result \"{result}\"]\n{tags}\n1. e4 {{book}} c5 {{+0.2/9}} {result}\n\n",
                half + 1
            )
            .expect("a string takes all");
        }
    }
}

fn bench() -> Bench {
    let mut text = String::new();
    let fen = |position| format!("[SetUp \"1\"]\n[FEN \"{position} 0 2\"]\n");
    pairs(&mut text, &fen(FRENCH), "wd ww dd");
    pairs(&mut text, &fen(SICILIAN), "wd dd dd dd dd dd wb dd dd dd");
    pairs(&mut text, "", "bw dw d");
    Bench::new().with("games.pgn", &text)
}

#[test]
fn openings_are_counted_and_a_drawish_book_is_told() {
    let transcript = bench().transcript(&["stats --pgn games.pgn --by-opening"]);
    assert_shown("by-opening", &transcript);
}

#[test]
fn json_has_everything() {
    let done = bench()
        .run("stats --pgn games.pgn --by-opening --json")
        .expect(0);
    let answer: Value = serde_json::from_str(&done.out).unwrap();
    assert_shown(
        "by-opening-json",
        &serde_json::to_string_pretty(&answer).unwrap(),
    );
}

#[test]
fn an_opening_is_told_for_each_time_control() {
    let tags = |control: &str| {
        format!("[SetUp \"1\"]\n[FEN \"{SICILIAN} 0 2\"]\n[TimeControl \"{control}\"]\n")
    };
    let mut text = String::new();
    // The pairs of both are mixed: their time controls tell them apart.
    for _ in 0..10 {
        pairs(&mut text, &tags("8+0.08"), "wd ww");
        pairs(&mut text, &tags("60+0.6"), "dd dd wd");
    }
    let bench = Bench::new().with("games.pgn", &text);
    let done = bench
        .run("stats --pgn games.pgn --by-opening --json")
        .expect(0);
    let answer: Value = serde_json::from_str(&done.out).unwrap();
    let rows = |of: &str| {
        let rows = answer[of].as_array().unwrap().iter();
        rows.map(|row| {
            let count = |name: &str| row[name].as_u64().unwrap();
            let control = row["time_control"].as_str().unwrap();
            (control, count("pairs"), count("decisive"))
        })
        .collect::<Vec<_>>()
    };
    let each = [("60+0.6", 30, 10), ("8+0.08", 20, 10)];
    for of in ["time_controls", "openings"] {
        let mut rows = rows(of);
        rows.sort_unstable();
        assert_eq!(rows, each, "{of}");
    }
    let shown = bench
        .run("stats --pgn games.pgn --by-opening")
        .expect(0)
        .out;
    for (control, ..) in each {
        assert!(shown.contains(control), "{shown}");
    }
}

#[test]
fn without_a_finished_game_there_is_nothing_to_tell() {
    let bench = Bench::new().with("games.pgn", "[White \"A\"]\n[Black \"B\"]\n\n*\n");
    let done = bench
        .run("stats --pgn games.pgn --by-opening --json")
        .expect(2);
    assert!(
        done.err
            .contains("no finished game of two players in `games.pgn`"),
        "{}",
        done.err
    );
}

#[test]
fn a_decisive_book_gets_no_warning() {
    let mut text = String::new();
    let fen = format!("[SetUp \"1\"]\n[FEN \"{SICILIAN} 0 2\"]\n");
    pairs(&mut text, &fen, &"wd dw wd dw ww dd ".repeat(20));
    let done = Bench::new()
        .with("games.pgn", &text)
        .run("stats --pgn games.pgn --by-opening");
    assert_eq!(done.expect(0).err, "");
}
