//! Engines that are built from their sources.

use std::fs;

use crate::coordinator::Coordinator;
use crate::folder::{Folder, engine};

/// A test of an engine that is built against one that is trusted.
fn test(folder: &Folder, commit: &str, build: &str, bench: u64) -> String {
    let trusted = folder.program("trusted", &engine(":"));
    let book = folder.write(
        "book.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    );
    format!(
        "pairs = 100\n[each]\ntc = '60+1'\n\
         [[engine]]\nname = 'built'\ngit = {{ url = '{}', rev = '{commit}', build = '''{build}''', bench = {bench} }}\n\
         [[engine]]\nname = 'trusted'\ncmd = '{1}'\n\
         [openings]\nfile = '{2}'\n[fleet]\ntrust = ['{1}', '{2}']\n",
        folder.path("repository").display(),
        trusted.display(),
        book.display()
    )
}

#[test]
fn a_recipe_is_carried_out_once() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let builds = folder.path("builds");
    let build = format!(
        "echo built >> {}; cp engine.sh {{out}}; chmod +x {{out}}",
        builds.display()
    );
    let test = test(&folder, &commit, &build, 7);
    {
        let mut state = coordinator.state();
        state.lend("L1", &test, 0..1);
        state.lend("L2", &test, 1..2);
    }
    let worker = folder.start(&coordinator);
    coordinator.wait_for("results", |state| state.results.len() == 2);
    let lines = worker.stop();
    assert_eq!(fs::read_to_string(builds).unwrap(), "built\n", "{lines:#?}");
    assert_eq!(coordinator.state().results[&0].games[0].white, "built");
    assert_eq!(folder.files("worker/work"), [""; 0]);
}

#[track_caller]
fn check_trouble(build: &str, bench: u64, expected: &str) {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let test = test(&folder, &commit, build, bench);
    coordinator.state().lend("L1", &test, 0..1);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the reason", |state| !state.returned.is_empty());
    worker.stop();
    let state = coordinator.state();
    let trouble = &state.returned[0].1.trouble;
    assert!(trouble.contains(expected), "{trouble}");
    assert!(trouble.contains("engine `built`"), "{trouble}");
    assert!(state.results.is_empty());
}

#[test]
fn another_bench_than_expected_gives_the_lease_back() {
    check_trouble(
        "cp engine.sh {out}; chmod +x {out}",
        8,
        "`bench` counts 7 nodes and 8 are expected",
    );
}

#[test]
fn a_recipe_that_fails_is_told_with_its_last_words() {
    check_trouble("echo no such compiler; exit 4", 7, "no such compiler");
}

#[test]
fn a_recipe_that_makes_nothing_is_told() {
    check_trouble("echo all done", 7, "has made no program");
}

#[test]
fn a_commit_that_is_not_there_is_told() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    folder.repository("repository", &engine(":"));
    let test = test(&folder, &"1".repeat(40), "true", 7);
    coordinator.state().lend("L1", &test, 0..1);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the reason", |state| !state.returned.is_empty());
    worker.stop();
    let state = coordinator.state();
    let trouble = &state.returned[0].1.trouble;
    assert!(trouble.contains("looking for commit 1111"), "{trouble}");
}
