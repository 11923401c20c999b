//! The example configurations run as they are, write nothing and end with a report.

use std::fs;

use crate::bench::{Bench, repository};

#[track_caller]
fn check(name: &str) -> String {
    let bench = Bench::new();
    let done = bench
        .run(&format!(
            "match {}/configs/{name}.toml",
            repository().display()
        ))
        .expect(0);
    assert_eq!(bench.files(), [""; 0], "{name} wrote something");
    done.out
}

#[test]
fn quickstart_finds_a_clear_winner() {
    let report = check("quickstart");
    assert!(report.contains("H1 accepted"), "{report}");
}

#[test]
fn patch_is_an_engine_test() {
    let report = check("patch");
    assert!(
        report.contains("score        new against old: "),
        "{report}"
    );
}

#[test]
fn tournament_ends_with_a_cross_table() {
    let report = check("tournament");
    assert!(report.contains("48, 24 complete pairs"), "{report}");
    assert!(report.contains("points against"), "{report}");
}

#[test]
fn chess960_plays_chess960() {
    check("chess960");
}

#[test]
fn adjudication_ends_games_early() {
    let report = check("adjudication");
    assert!(report.contains("resign adjudication"), "{report}");
}

#[test]
fn a_test_of_a_fleet_is_a_contest_too() {
    let report = check("fleet-sprt");
    assert!(report.contains("H1 accepted"), "{report}");
}

#[test]
fn every_configuration_is_tried_here() {
    let here = include_str!("configs.rs");
    for entry in fs::read_dir(repository().join("configs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(
            here.contains(&format!("check(\"{name}\")")),
            "nobody tries `{name}`"
        );
    }
}
