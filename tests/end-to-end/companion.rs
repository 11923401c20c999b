//! A coordinator with a worker beside it, and commands that find them.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use end_to_end::{Running, Stage};
use rustix::process::{Pid, Signal, kill_process};

/// Starts both on a free port, in the folder of the stage.
fn start(stage: &Stage) -> Running<'_> {
    let words = [
        "serve",
        "--with-worker",
        "--slots",
        "1",
        "--listen",
        "127.0.0.1:0",
    ];
    let running = stage.start(&words);
    stage.wait_until("the worker", || children(running.pid()).len() == 1);
    running
}

/// Processes that this one has started.
fn children(parent: u32) -> Vec<i32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{parent}/task")) else {
        return Vec::new();
    };
    let texts = tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let all: String = texts.collect::<Vec<_>>().join(" ");
    all.split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect()
}

fn kill(pid: i32, signal: Signal) {
    let pid = Pid::from_raw(pid).expect("a process");
    kill_process(pid, signal).expect("it lives");
}

#[test]
fn a_worker_that_dies_is_started_again_and_commands_find_the_coordinator() {
    let stage = Stage::default();
    let serve = start(&stage);
    let first = children(serve.pid());
    kill(first[0], Signal::KILL);
    stage.wait_until("another worker", || {
        let now = children(serve.pid());
        now.len() == 1 && now != first
    });
    assert!(
        serve.err().contains("the worker has ended"),
        "{}",
        serve.err()
    );
    // Without a word about where it is, on whatever port.
    stage.write(
        "test.toml",
        "pairs = 2\n[each]\nnodes = 30\n[[engine]]\ncmd = 'sparring:2'\n[[engine]]\ncmd = 'sparring:1'\n",
    );
    for words in [&["submit", "test.toml"][..], &["watch"]] {
        let run = stage.arbiter(words);
        assert_eq!(run.code, Some(0), "{run:#?}");
    }
    serve.signal(Signal::TERM);
    serve.finish().expect(0);
}

#[test]
fn a_worker_does_not_outlive_the_coordinator_that_started_it() {
    let stage = Stage::default();
    let serve = start(&stage);
    let worker = children(serve.pid())[0];
    kill(i32::try_from(serve.pid()).expect("a process"), Signal::KILL);
    let gone = || !fs::exists(format!("/proc/{worker}/cmdline")).is_ok_and(|there| there);
    stage.wait_until("its end", || gone() || is_zombie(worker));
}

/// Whether it has ended and nobody has asked how.
fn is_zombie(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ")
        .next()
        .is_some_and(|rest| rest.starts_with('Z'))
}

#[test]
fn wrong_words_for_the_worker_are_told_before_anything_starts() {
    let stage = Stage::default();
    for (words, part) in [
        (["--slots", "0"], "a whole number from 1"),
        (["--sandbox=nonsense", "--slots=1"], "nonsense"),
    ] {
        let words = [
            &["serve", "--with-worker", "--listen", "127.0.0.1:0"][..],
            &words[..],
        ]
        .concat();
        stage.arbiter(&words).expect(2).expect_err(part);
    }
    assert_eq!(stage.files(), Vec::<String>::new());
}

#[test]
fn the_token_of_a_login_is_shown_to_its_own_coordinator_alone() {
    let stage = Stage::default();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let other = format!("http://{}", listener.local_addr().expect("an address"));
    let heard = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody comes");
        let mut heard = Vec::new();
        let mut buffer = [0; 4096];
        while !heard.ends_with(b"\r\n\r\n") {
            let read = stream.read(&mut buffer).expect("a request");
            heard.extend_from_slice(&buffer[..read]);
        }
        let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
        stream.write_all(answer.as_bytes()).expect("it listens");
        String::from_utf8_lossy(&heard).to_ascii_lowercase()
    });
    stage.write("home/arbiter/token", "arb_secret\n");
    stage.write(
        "home/arbiter/login.toml",
        "server = 'http://127.0.0.1:9'\ntoken_file = 'token'\n",
    );
    let mut command = stage.command("arbiter");
    command
        .env("XDG_CONFIG_HOME", stage.path("home"))
        .args(["tests", "--json", "--server", &other]);
    Running::start(&stage, command).finish().expect(0);
    let heard = heard.join().expect("it has listened");
    assert!(!heard.contains("authorization"), "{heard}");
}

#[test]
fn addresses_and_names_that_cannot_be_are_wrong_and_not_away() {
    let stage = Stage::default();
    for server in [
        "http://[::1",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:",
        "http://:80",
    ] {
        let words = ["show", "x", "--server", server];
        stage
            .arbiter(&words)
            .expect(2)
            .expect_err("is not the address of a coordinator");
    }
}
