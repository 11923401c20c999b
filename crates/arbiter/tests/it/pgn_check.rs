//! `arbiter pgn check`.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::bench::{Bench, assert_shown, shared};

const GAMES: &str = "\
[Event \"right\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[Event \"wrong result\"]
[Result \"1-0\"]

1. f3 e5 2. g4 Qh4# 1-0

[Event \"illegal move\"]
[Result \"*\"]

1. e4 e5
2. Ke3 *

[Event \"no such end\"]
[Result \"1/2-1/2\"]
[Termination \"threefold repetition\"]

1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2
";

#[test]
fn complaints_name_file_line_and_game() {
    let bench = Bench::new().with("games.pgn", GAMES);
    let done = bench.run("pgn check games.pgn").expect(1);
    assert_shown("pgn-check-lines", &done.out);
    assert_eq!(done.err, "");
}

#[test]
fn json_has_a_line_for_every_game() {
    let bench = Bench::new().with("games.pgn", GAMES);
    let done = bench.run("pgn check --json games.pgn").expect(1);
    assert_shown("pgn-check-json", &done.out);
    assert_eq!(done.err, "4 games, 3 with errors\n");
}

#[test]
fn standard_input_is_a_file_too() {
    let done = Bench::new()
        .run_with_input("pgn check -", GAMES.as_bytes())
        .expect(1);
    assert!(done.out.starts_with("-:6: game 2: "), "{done:#?}");
    assert_eq!(done.last_line(), "4 games, 3 with errors");
}

#[test]
fn several_files_are_told_apart() {
    let bench = Bench::new()
        .with("a.pgn", "1. e4 *")
        .with("b.pgn", "1. d4 *");
    let done = bench.run("pgn check a.pgn b.pgn --json").expect(0);
    let lines: Vec<Value> = done
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let places: Vec<_> = lines
        .iter()
        .map(|line| (line["file"].as_str(), line["game"].as_u64()))
        .collect();
    assert_eq!(places, [(Some("a.pgn"), Some(1)), (Some("b.pgn"), Some(1))]);
    assert_eq!(
        bench.run("pgn check a.pgn b.pgn").expect(0).out,
        "2 games, 0 with errors\n"
    );
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let bench = Bench::new().with("games.pgn", &GAMES.repeat(50_000));
    let mut command = bench.command();
    command.args(["pgn", "check", "--json", "games.pgn"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    let talk = String::from_utf8(done.stderr).unwrap();
    assert!(!talk.contains("panicked"), "{talk}");
    assert!(
        !talk.contains("200000 games"),
        "it went on for nobody: {talk}"
    );
}

#[test]
fn the_faults_of_the_shared_files_are_found_and_no_others() {
    let Some(folder) = shared("pgn") else {
        return;
    };
    let mut complaints = Vec::new();
    let mut games = 0;
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let done = Bench::new().run(&format!("pgn check --json {}", path.display()));
        for line in done.out.lines() {
            let game: Value = serde_json::from_str(line).unwrap();
            games += 1;
            if let Some(error) = game["error"].as_str() {
                complaints.push(format!("{name} {}: {error}", game["game"]));
            }
        }
    }
    assert!(30 < games, "{games} games only");
    assert_shown("pgn-check-shared-files", &complaints.join("\n"));
}

#[test]
fn the_shared_cases_have_their_plies_and_positions() {
    let (Some(cases), Some(folder)) = (shared("cases/pgn.jsonl"), shared("pgn")) else {
        return;
    };
    let mut checked = 0;
    for case in fs::read_to_string(cases).unwrap().lines() {
        let case: Value = serde_json::from_str(case).unwrap();
        let (Some(file), Some(plies)) = (
            case["data"]["file"].as_str(),
            case["data"]["plies"].as_u64(),
        ) else {
            continue;
        };
        let path = folder.join(file.rsplit('/').next().unwrap());
        if !path.exists() {
            continue;
        }
        let done = Bench::new().run(&format!("pgn check --json {}", path.display()));
        let game: Value = serde_json::from_str(done.out.lines().next().unwrap()).unwrap();
        assert_eq!(game["plies"], plies, "{}: {done:#?}", case["id"]);
        checked += 1;
    }
    assert!(5 <= checked, "{checked} cases only");
}
