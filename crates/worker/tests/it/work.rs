//! From a lease to acknowledged results, whatever happens on the way.

use std::fs;
use std::num::NonZeroUsize;

use match_runner::cores;

use crate::coordinator::Coordinator;
use crate::folder::Folder;

#[test]
fn a_lease_is_fetched_played_and_reported_pair_by_pair() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, ":");
    {
        let mut state = coordinator.state();
        state.cuts = 2;
        state.lend("L1", &test, 3..6);
    }
    let worker = folder.start(&coordinator);
    coordinator.wait_for("results", |state| state.results.len() == 3);
    let lines = worker.stop();
    let state = coordinator.state();
    assert_eq!(state.results.keys().copied().collect::<Vec<_>>(), [3, 4, 5]);
    let [first, second] = &state.results[&4].games;
    assert_eq!((first.white.as_str(), first.black.as_str()), ("new", "old"));
    assert_eq!(
        (second.white.as_str(), second.black.as_str()),
        ("old", "new")
    );
    assert_eq!(first.result, "0-1");
    assert_eq!(first.verdict.reason, "checkmate");
    assert_eq!(first.moves, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(first.spent.len(), 4);
    assert_eq!(folder.files("worker/spool"), [""; 0]);
    assert_eq!(state.claims[0].host.name, "bench");
    let cpus = cores::here().allowed.len();
    assert_eq!(state.claims[0].host.cores as usize, cpus.min(2));
    let fetched = state
        .requests
        .iter()
        .filter(|line| line.contains("/artifacts/"));
    assert_eq!(
        fetched.count(),
        4,
        "two files, and two attempts that were cut short"
    );
    let secret = crate::coordinator::TOKEN;
    assert!(
        state
            .requests
            .iter()
            .chain(&lines)
            .all(|line| !line.contains(secret))
    );
}

#[test]
fn what_cannot_be_reported_is_kept_and_reported_by_the_next_life() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, ":");
    {
        let mut state = coordinator.state();
        state.refuses_reports = true;
        state.lend("L1", &test, 0..2);
    }
    let worker = folder.start(&coordinator);
    let is_report = |line: &String| line.ends_with("/L1/pairs");
    coordinator.wait_for("reports in vain", |state| {
        state.requests.iter().filter(|line| is_report(line)).count() >= 2
    });
    // Twice: at once.
    worker.handle.stop();
    worker.stop();
    let identity = fs::read_to_string(folder.path("worker/id")).unwrap();
    assert!(!folder.files("worker/spool").is_empty());
    coordinator.state().refuses_reports = false;
    folder.write("worker/spool/.tmp123", "half a segment");
    let worker = folder.start(&coordinator);
    coordinator.wait_for("results", |state| !state.results.is_empty());
    coordinator.wait_for("a claim", |state| state.claims.len() >= 2);
    worker.stop();
    assert_eq!(folder.files("worker/spool"), [""; 0]);
    let state = coordinator.state();
    let claims: Vec<&str> = state
        .claims
        .iter()
        .map(|claim| claim.worker.as_str())
        .collect();
    assert!(
        claims.iter().all(|worker| *worker == identity.trim()),
        "{claims:?}"
    );
    let is_reported_first = state.requests.iter().rposition(is_report)
        < state
            .requests
            .iter()
            .rposition(|line| line.ends_with("/claims"));
    assert!(is_reported_first, "a claim hands back what is held");
}

#[test]
fn a_journal_that_cannot_be_written_is_told_once_and_keeps_no_result_back() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, "sleep 0.02");
    fs::create_dir_all(folder.path("worker/played.jsonl")).unwrap();
    coordinator.state().lend("L1", &test, 0..6);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("results", |state| state.results.len() == 6);
    let lines = worker.stop();
    let told = lines.iter().filter(|line| line.contains("`played.jsonl`"));
    assert_eq!(told.count(), 1, "{lines:#?}");
    assert!(coordinator.state().returned.is_empty());
}

#[test]
fn nothing_is_claimed_while_results_could_not_be_kept() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, ":");
    let worker = folder.start(&coordinator);
    coordinator.wait_for("a claim", |state| !state.claims.is_empty());
    fs::remove_dir(folder.path("worker/spool")).unwrap();
    worker.wait_for("results could not be kept");
    coordinator.state().lend("L1", &test, 0..1);
    fs::create_dir(folder.path("worker/spool")).unwrap();
    coordinator.wait_for("a result", |state| !state.results.is_empty());
    let lines = worker.stop();
    let told = lines
        .iter()
        .filter(|line| line.contains("room for results"));
    assert_eq!(told.count(), 1, "{lines:#?}");
    assert!(coordinator.state().returned.is_empty());
}

#[test]
fn told_to_end_it_gives_the_rest_of_its_lease_back() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, "sleep 0.02");
    coordinator.state().lend("L1", &test, 0..50);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("results", |state| !state.results.is_empty());
    worker.stop();
    let state = coordinator.state();
    assert!(state.results.len() < 50);
    assert_eq!(state.returned.len(), 1);
    assert_eq!(state.returned[0].0, "L1");
    assert_eq!(state.returned[0].1.trouble, "");
    assert_eq!(folder.files("worker/spool"), [""; 0]);
}

#[test]
fn told_to_end_it_gives_up_a_download_that_takes_long_and_leaves_nothing_of_it_in_the_cache() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, ":");
    {
        let mut state = coordinator.state();
        state.trickles = true;
        state.lend("L1", &test, 0..1);
    }
    let left = folder.write("worker/cache/.tmpCut", "half an engine");
    let worker = folder.start(&coordinator);
    coordinator.wait_for("a download", |state| {
        let mut requests = state.requests.iter();
        requests.any(|line| line.contains("/artifacts/"))
    });
    while folder.files("worker/work").is_empty() {
        std::thread::yield_now();
    }
    assert!(!left.exists());
    assert_eq!(folder.files("worker/cache"), ["artifacts", "builds", "git"]);
    worker.stop();
    assert_eq!(coordinator.state().returned.len(), 1);
    assert_eq!(folder.files("worker/work"), [""; 0]);
}

#[test]
fn a_test_that_is_stopped_is_played_no_more() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, "sleep 0.01");
    {
        let mut state = coordinator.state();
        state.stops = true;
        state.lend("L1", &test, 0..99);
        state.lend("L2", &test, 99..100);
    }
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the next lease", |state| state.results.contains_key(&99));
    worker.stop();
    let state = coordinator.state();
    assert!(state.results.len() < 100, "{}", state.results.len());
    assert!(state.returned.is_empty(), "it is over already");
}

#[test]
fn an_engine_that_crashes_loses_its_games_and_its_last_words_are_told() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, "echo oh dear >&2; exit 3");
    coordinator.state().lend("L1", &test, 0..1);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the reason", |state| !state.returned.is_empty());
    worker.stop();
    let state = coordinator.state();
    let [first, _] = &state.results[&0].games;
    assert_eq!(first.verdict.reason, "crash");
    assert_eq!(first.verdict.loser.as_deref(), Some("white"));
    let trouble = &state.returned[0].1.trouble;
    assert!(trouble.contains("oh dear"), "{trouble}");
    assert!(trouble.contains("engine `new`"), "{trouble}");
}

#[test]
fn a_file_that_the_coordinator_does_not_have_is_told() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let test = folder.uploaded_test(&coordinator, ":");
    {
        let mut state = coordinator.state();
        state.files.clear();
        state.lend("L1", &test, 0..1);
    }
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the reason", |state| !state.returned.is_empty());
    worker.stop();
    let state = coordinator.state();
    let trouble = &state.returned[0].1.trouble;
    assert!(trouble.starts_with("engine `new`: file "), "{trouble}");
    assert!(
        trouble.ends_with(" cannot be fetched: no such file"),
        "{trouble}"
    );
}

#[test]
fn two_workers_do_not_share_a_folder() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let _first = worker::Worker::new(folder.config(&coordinator)).unwrap();
    let second = worker::Worker::new(folder.config(&coordinator));
    let error = second.unwrap_err().to_string();
    assert!(error.contains("a worker runs already in"), "{error}");
}

#[test]
fn no_more_cpus_are_lent_than_there_are() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let worker = folder.start_with(&coordinator, |config| {
        config.slots = NonZeroUsize::new(100_000);
        config.once = true;
    });
    let lines = worker.join().unwrap();
    let cpus = cores::here().allowed.len();
    assert_eq!(coordinator.state().claims[0].host.cores as usize, cpus);
    let told = lines.iter().any(|line| {
        line.starts_with("100000 slots are asked for")
            && line.ends_with(&format!("{cpus} are lent"))
    });
    assert!(told, "{lines:#?}");
}

#[test]
fn a_wrong_token_is_told_at_once() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let mut config = folder.config(&coordinator);
    config.client = fleet_client::Client::new(coordinator.address(), Some("guess")).unwrap();
    let error = worker::Worker::new(config).unwrap().run().unwrap_err();
    assert_eq!(error.to_string(), "no such token");
}

#[test]
fn what_was_not_used_for_longest_makes_room() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let mut config = folder.config(&coordinator);
    config.cache_bytes = 0;
    config.once = true;
    let first = folder.uploaded_test(&coordinator, ":");
    let second = folder.uploaded_test(&coordinator, "true");
    for (lease, test) in [("L1", &first), ("L2", &second)] {
        coordinator.state().lend(lease, test, 0..1);
        let worker = worker::Worker::new(config.clone()).unwrap();
        worker.run().unwrap();
    }
    // The second engine and the book, which both tests use.
    assert_eq!(folder.files("worker/cache/artifacts").len(), 2);
    assert_eq!(coordinator.state().repeated, 1);
}
