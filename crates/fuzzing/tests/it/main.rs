//! A bounded run of every body that is fuzzed: a few seconds of changed inputs, always the same ones.

use std::fs;
use std::panic;
use std::path::Path;

use fuzzing::change::Chance;
use fuzzing::{TARGETS, Target};

/// Runs the body of a target with its seeds, with `more` and with so many changed inputs.
#[track_caller]
fn run(name: &str, times: usize, more: &[Vec<u8>]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let Target { body, seeds, .. } = target.expect("a target has this name");
    let mut inputs: Vec<&[u8]> = seeds.to_vec();
    inputs.extend(more.iter().map(Vec::as_slice));
    inputs.iter().for_each(|input| check(*body, input));
    let mut chance = Chance(times as u64);
    let mut last = Vec::new();
    for time in 0..times {
        // Changes pile up for a while, so that inputs come far from where they began.
        let from = if time % 8 == 0 {
            inputs[chance.below(inputs.len())]
        } else {
            &last
        };
        last = chance.change(from, &inputs);
        last.truncate(20_000);
        check(*body, &last);
    }
}

/// A panic says with which input it came.
#[track_caller]
fn check(body: fn(&[u8]), input: &[u8]) {
    if panic::catch_unwind(|| body(input)).is_err() {
        panic!("with the input b\"{}\"", input.escape_ascii());
    }
}

/// The small files of a folder of `../shared`, or nothing where there is none.
#[expect(clippy::print_stderr, reason = "what is not tested is said aloud")]
fn shared(folder: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(folder);
    let Ok(entries) = fs::read_dir(path) else {
        eprintln!("SKIPPED: ../shared is not here");
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let files = paths.iter().filter_map(|path| fs::read(path).ok());
    files.filter(|bytes| bytes.len() < 20_000).collect()
}

#[test]
fn every_body_has_a_target_of_cargo_fuzz() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("it is there");
    for Target { name, .. } in TARGETS {
        let file = format!("fuzz_targets/{name}.rs");
        assert!(manifest.contains(&format!("path = \"{file}\"")), "{name}");
        let text = fs::read_to_string(folder.join(&file)).expect("it is there");
        assert!(text.contains(&format!("fuzzing::{name}::body")), "{text}");
    }
}

#[test]
fn positions() {
    run("fen", 30_000, &[]);
}

#[test]
fn moves() {
    run("san", 20_000, &[]);
}

#[test]
fn games_in_files() {
    run("pgn", 3_000, &shared("pgn"));
}

#[test]
fn books() {
    run("epd", 400, &[]);
}

#[test]
fn the_words_of_engines() {
    run("uci", 3_000, &[]);
}

#[test]
fn contests_as_people_write_them() {
    run("spec", 4_000, &[]);
}

#[test]
fn games_under_way() {
    run("game", 4_000, &[]);
}
