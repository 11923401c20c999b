//! Engines that are built from their sources.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

use fleet_api::Failure;

use crate::coordinator::Coordinator;
use crate::folder::{Folder, engine, heed_modes};

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

#[test]
fn a_recipe_does_not_suffer_for_a_blank_in_the_path_of_the_data() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let build = "EXE={out}; cp engine.sh $EXE; chmod +x $EXE";
    let test = test(&folder, &commit, build, 7);
    coordinator.state().lend("L1", &test, 0..1);
    let worker = folder.start_with(&coordinator, |config| {
        config.data = folder.path("a worker");
        config.once = true;
    });
    let lines = worker.join().unwrap();
    assert_eq!(coordinator.state().results.len(), 1, "{lines:#?}");
}

fn unbuilt() -> Failure {
    let engine = "built".to_owned();
    Failure::Build { engine }
}

#[track_caller]
fn check_trouble(build: &str, bench: u64, expected: &str, failure: &Failure) {
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
    assert_eq!(state.returned[0].1.failure.as_ref(), Some(failure));
    assert!(state.results.is_empty());
}

#[test]
fn another_bench_than_expected_gives_the_lease_back() {
    check_trouble(
        "cp engine.sh {out}; chmod +x {out}",
        8,
        "`bench` counts 7 nodes and 8 are expected",
        &Failure::Bench {
            engine: "built".to_owned(),
            expected: 8,
            found: 7,
        },
    );
}

#[test]
fn a_recipe_that_fails_is_told_with_its_last_words() {
    check_trouble(
        "echo no such compiler; exit 4",
        7,
        "no such compiler",
        &unbuilt(),
    );
}

#[test]
fn what_a_recipe_says_to_a_terminal_does_not_reach_one() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let build = r"printf '\033]0;owned\007\rfine\n'; exit 4";
    let test = test(&folder, &commit, build, 7);
    coordinator.state().lend("L1", &test, 0..1);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the reason", |state| !state.returned.is_empty());
    let lines = worker.stop().join("\n");
    assert!(lines.contains(r"\u{1b}]0;owned\u{7}\u{d}fine"), "{lines}");
    let is_obeyed = |char: char| char.is_control() && char != '\n';
    assert!(!lines.contains(is_obeyed), "{lines:?}");
}

#[test]
fn a_recipe_that_makes_nothing_is_told() {
    check_trouble("echo all done", 7, "has made no program", &unbuilt());
}

/// Commands of this machine's processes that have `part`.
fn commands_with(part: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|process| {
        // Of a process that has ended there is none.
        let command = fs::read_to_string(process.path().join("cmdline")).ok()?;
        command.contains(part).then_some(command)
    });
    commands.collect()
}

#[test]
fn what_a_recipe_starts_does_not_outlive_it_whatever_group_it_is_in() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    // Three that say when they are there, two of them in groups of their own.
    let start = |name: &str| {
        let begun = folder.path(name).display().to_string();
        let daemon = format!("sh -c 'echo > {begun}.$$; sleep 1000; : {begun}'");
        let count = format!("$(ls {begun}.* | wc -l)");
        format!(
            "setsid {daemon} & setsid {daemon} & {daemon} & \
             while ! [ {count} = 3 ]; do sleep 0.01; done"
        )
    };
    let part = folder.path("").display().to_string();

    let done = format!("{}; cp engine.sh {{out}}; chmod +x {{out}}", start("done"));
    let done = test(&folder, &commit, &done, 7);
    play_one(&folder, &coordinator, &done, 0, 1 << 20);
    assert_eq!(commands_with(&part), [""; 0]);

    let sign = folder.path("sign");
    let hanging = format!("{}; touch {}; sleep 1000", start("hanging"), sign.display());
    let hanging = test(&folder, &commit, &hanging, 7);
    coordinator.state().lend("L1", &hanging, 1..2);
    let worker = folder.start(&coordinator);
    while !sign.exists() {
        thread::yield_now();
    }
    worker.stop();
    assert_eq!(commands_with(&part), [""; 0]);
}

#[test]
fn a_recipe_that_fills_the_disk_is_ended_and_told() {
    check_trouble(
        "echo filling; head -c 4000000 /dev/zero > big; sleep 100",
        7,
        "took more than 1 MiB of the disk; its last words:\nfilling",
        &unbuilt(),
    );
}

#[test]
fn a_recipe_that_hides_what_fills_the_disk_is_ended_too() {
    heed_modes();
    check_trouble(
        "mkdir d; head -c 4000000 /dev/zero > d/big; chmod 000 d; sleep 100",
        7,
        "took more than 1 MiB of the disk",
        &unbuilt(),
    );
}

/// Plays pair `number` of `test` in a worker that ends then.
fn play_one(folder: &Folder, coordinator: &Coordinator, test: &str, number: u64, cache_bytes: u64) {
    let mut config = folder.config(coordinator);
    config.once = true;
    config.cache_bytes = cache_bytes;
    let lease = format!("L{number}");
    coordinator.state().lend(&lease, test, number..number + 1);
    worker::Worker::new(config).unwrap().run().unwrap();
    assert!(coordinator.state().results.contains_key(&number));
}

#[test]
fn what_a_recipe_closes_is_deleted_when_it_ends_and_when_a_worker_starts() {
    heed_modes();
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let close = "mkdir -p ro/deeper && touch ro/deeper/f && chmod 111 ro/deeper && chmod 555 ro";
    let build = format!("{close}; cp engine.sh {{out}}; chmod +x {{out}}");
    play_one(
        &folder,
        &coordinator,
        &test(&folder, &commit, &build, 7),
        0,
        1 << 20,
    );
    assert_eq!(folder.files("worker/work"), [""; 0]);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", close])
        .current_dir(folder.path("worker/work"));
    assert!(shell.status().unwrap().success());
    worker::Worker::new(folder.config(&coordinator)).unwrap();
    assert_eq!(folder.files("worker/work"), [""; 0]);
}

#[test]
fn what_is_closed_beside_a_program_makes_room_and_keeps_nobody_from_playing() {
    heed_modes();
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let build =
        "cp engine.sh {out}; chmod +x {out}; mkdir {out}.d; touch {out}.d/f; chmod 000 {out}.d";
    let built = test(&folder, &commit, build, 7);
    play_one(&folder, &coordinator, &built, 0, 1 << 20);
    assert_eq!(folder.files("worker/cache/builds").len(), 1);
    let uploaded = folder.uploaded_test(&coordinator, ":");
    play_one(&folder, &coordinator, &uploaded, 1, 0);
    assert_eq!(folder.files("worker/cache/builds"), [""; 0]);
    assert_eq!(folder.files("worker/work"), [""; 0]);
}

#[test]
fn a_build_that_hangs_ends_with_its_test() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let hanging = test(&folder, &commit, "sleep 1000", 7);
    let other = folder.uploaded_test(&coordinator, ":");
    {
        let mut state = coordinator.state();
        state.stops = true;
        state.lend("L1", &hanging, 0..1);
        state.lend("L2", &other, 1..2);
    }
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the other test", |state| state.results.contains_key(&1));
    worker.stop();
    assert!(coordinator.state().returned.is_empty());
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

#[test]
fn a_host_of_sources_that_is_away_is_not_needed_for_what_was_built() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let commit = folder.repository("repository", &engine(":"));
    let build = "cp engine.sh {out}; chmod +x {out}";
    let test = test(&folder, &commit, build, 7);
    coordinator.state().lend("L1", &test, 0..1);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("a result", |state| state.results.len() == 1);
    fs::remove_dir_all(folder.path("repository")).unwrap();
    coordinator.state().lend("L2", &test, 1..2);
    coordinator.wait_for("another result", |state| state.results.len() == 2);
    // Another recipe of the same commit: the repository is known.
    let other = test.replace("chmod +x", "chmod 0755");
    coordinator.state().lend("L3", &other, 2..3);
    coordinator.wait_for("the last result", |state| state.results.len() == 3);
    worker.stop();
}

/// A host of sources that has had enough of everybody.
fn busy_host() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let _whatever_it_is = stream.read(&mut request);
            let answer =
                "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            let _it_may_be_gone = stream.write_all(answer.as_bytes());
        }
    });
    format!("http://{address}/engine.git")
}

#[test]
fn a_host_of_sources_that_refuses_is_told_and_not_held_against_the_recipe() {
    let (folder, coordinator) = (Folder::new(), Coordinator::start());
    let own = folder.path("repository").display().to_string();
    let test = test(&folder, &"1".repeat(40), "true", 7).replace(&own, &busy_host());
    coordinator.state().lend("L1", &test, 0..1);
    let worker = folder.start(&coordinator);
    coordinator.wait_for("the reason", |state| !state.returned.is_empty());
    worker.stop();
    let state = coordinator.state();
    let returned = &state.returned[0].1;
    assert!(
        returned.trouble.contains("git fetch of http://"),
        "{returned:?}"
    );
    assert!(returned.trouble.contains("429"), "{returned:?}");
    assert_eq!(returned.failure, None);
}
