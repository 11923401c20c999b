//! How engines are asked to end, in what order, and how long that takes at most.

use std::time::{Duration, Instant};

use crate::rig::{Folder, Script, match_of, play};

/// Writes down what it is asked: `quit`, the end of its input, SIGTERM.
const NOTES_ALL: Script = Script {
    on_start: "trap 'echo term >> asked-$$' TERM",
    on_quit: "echo quit >> asked-$$",
    at_end: "echo eof >> asked-$$; while :; do sleep 0.01; done",
    ..Script::PLAIN
};

/// What each process of `a` and `b` was asked, in order, when both are as described.
fn heard_by(script: &Script, patience: &str) -> (Vec<String>, Duration) {
    let folder = Folder::new();
    folder.engine("a", script);
    folder.engine("b", script);
    let contest = match_of(&folder, 1, patience);
    let began = Instant::now();
    play(&contest);
    let took = began.elapsed();
    assert_eq!(folder.survivors(), [""; 0]);
    let pids = folder.read("pids");
    let notes = pids.lines().map(|pid| {
        let note = std::fs::read_to_string(folder.path(&format!("asked-{pid}")));
        note.unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    });
    (notes.collect(), took)
}

#[test]
fn an_engine_is_asked_to_quit_then_its_input_ends_then_sigterm_comes_and_then_sigkill() {
    let (asked, took) = heard_by(&NOTES_ALL, "[patience]\nquit = 0.5\n");
    assert_eq!(asked, ["quit eof term"; 2]);
    assert!(Duration::from_millis(750) <= took, "{took:?}");
}

#[test]
fn without_being_told_otherwise_that_takes_two_seconds_and_a_quarter_for_all_together() {
    let (asked, took) = heard_by(&NOTES_ALL, "");
    assert_eq!(asked, ["quit eof term"; 2]);
    let (least, most) = (Duration::from_millis(2250), Duration::from_millis(4000));
    assert!((least..most).contains(&took), "{took:?}");
}

#[test]
fn whoever_needs_no_sigterm_gets_none() {
    let polite = Script {
        on_quit: "echo quit >> asked-$$; exit 7",
        ..NOTES_ALL
    };
    let (asked, took) = heard_by(&polite, "[patience]\nquit = 60\n");
    assert_eq!(asked, ["quit"; 2]);
    assert!(took < Duration::from_secs(30), "{took:?}");
    let needs_eof = Script {
        at_end: "exit 0",
        ..NOTES_ALL
    };
    let (asked, _) = heard_by(&needs_eof, "[patience]\nquit = 60\n");
    assert_eq!(asked, ["quit"; 2]);
}

#[test]
fn the_whole_group_gets_sigterm() {
    let with_child = Script {
        on_start: "sh -c 'trap \"echo term > child; exit\" TERM; \
                   while :; do sleep 0.01; done' & echo $! >> pids; trap : TERM",
        ..NOTES_ALL
    };
    let folder = Folder::new();
    folder.engine("a", &with_child);
    folder.engine("b", &Script::default());
    play(&match_of(&folder, 1, "[patience]\nquit = 0.3\n"));
    assert_eq!(folder.read("child"), "term\n");
    assert_eq!(folder.survivors(), [""; 0]);
}
