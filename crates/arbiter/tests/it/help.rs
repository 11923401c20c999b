//! The help is part of the interface.

use crate::bench::{Bench, assert_shown};

#[track_caller]
fn check(name: &str, line: &str) {
    let done = Bench::new().run(line).expect(0);
    assert_eq!(done.err, "", "help was asked for: it is data");
    assert_shown(&format!("help-{name}"), &done.out);
}

#[test]
fn arbiter_gives_a_tour() {
    check("arbiter", "--help");
}

#[test]
fn match_tells_all_its_flags() {
    check("match", "match --help");
}

#[test]
fn match_has_a_summary_of_its_flags() {
    check("match-short", "match -h");
}

#[test]
fn perft_tells_its_flags() {
    check("perft", "perft --help");
}

#[test]
fn check_tells_what_it_examines() {
    check("check", "check --help");
}

#[test]
fn pgn_check_tells_what_it_writes() {
    check("pgn-check", "pgn check --help");
}

#[test]
fn stats_tells_what_it_takes() {
    check("stats", "stats --help");
}

#[test]
fn plan_tells_what_it_takes() {
    check("plan", "plan --help");
    check("plan-pipeline", "plan pipeline --help");
}

#[test]
fn rate_tells_what_it_prints() {
    check("rate", "rate --help");
}

#[test]
fn the_commands_of_the_fleet_tell_what_they_do() {
    check("worker", "worker --help");
    check("submit", "submit --help");
    check("tests", "tests --help");
    check("show", "show --help");
    check("workers", "workers --help");
    check("games", "games --help");
    check("audit", "audit --help");
    check("bar", "bar --help");
    check("watch", "watch --help");
    check("stop", "stop --help");
    check("login", "login --help");
    check("user", "user --help");
    check("user-set", "user set --help");
    check("token-add", "token add --help");
    check("serve", "serve --help");
}

#[test]
fn sparring_answers_for_itself() {
    let done = Bench::new().run("sparring --help").expect(0);
    assert!(done.out.contains("--level"), "{done:#?}");
}

#[test]
fn the_hidden_parts_stay_hidden() {
    let done = Bench::new().run("--help").expect(0);
    assert!(!done.out.contains("__"), "{done:#?}");
}
