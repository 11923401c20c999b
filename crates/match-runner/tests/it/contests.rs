//! Whole contests: engines that are kept, engines that are not, contests that are stopped.

use std::io;
use std::time::{Duration, Instant};

use engine_core::{Color, Ending};
use match_core::event::{Event, EventKind, StopReason};
use match_core::verdict::{Verdict, VoidReason};
use match_runner::{Interrupts, ReportError, Reporter};

use crate::rig::{Folder, Played, Script, match_of, play, play_with, spec};

fn two_good_engines() -> Folder {
    let folder = Folder::new();
    folder.engine("a", &Script::default());
    folder.engine("b", &Script::default());
    folder
}

fn starts(folder: &Folder) -> usize {
    folder.read("pids").lines().count()
}

#[test]
fn two_engines_play_a_match_to_its_end_and_nothing_is_left() {
    let folder = two_good_engines();
    let played = play(&match_of(&folder, 2, ""));
    let mates = Verdict::Rules(Ending::Checkmate {
        winner: Color::Black,
    });
    assert_eq!(played.verdicts(), [&mates; 4]);
    assert_eq!(played.finished.summary.games, 4);
    assert_eq!(played.finished.summary.pentanomial, [0, 0, 2, 0, 0]);
    assert!(played.finished.stopped.is_none());
    assert_eq!(folder.survivors(), [""; 0]);
}

#[test]
fn engines_are_kept_from_the_preflight_to_the_last_game() {
    let folder = two_good_engines();
    play(&match_of(&folder, 5, ""));
    assert_eq!(starts(&folder), 2);
}

#[test]
fn with_restart_every_game_has_fresh_processes() {
    let folder = two_good_engines();
    let played = play(&match_of(&folder, 2, "restart = true"));
    assert_eq!(starts(&folder), 2 * 4);
    assert_eq!(
        played.restarts(),
        0,
        "that is as it should be and not worth an event"
    );
}

#[test]
fn many_slots_play_every_game_once() {
    let folder = two_good_engines();
    let toml = "pairs = 10\nconcurrency = 4\n[each]\ntc = \"10+1\"\ndir = \"$DIR\"\n\
                [[engine]]\nname = \"a\"\ncmd = \"./a\"\n[[engine]]\nname = \"b\"\ncmd = \"./b\"\n";
    let played = play(&spec(&folder, toml));
    let mut numbers: Vec<u64> = played
        .records()
        .iter()
        .map(|record| record.fixture.number.0)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..20).collect::<Vec<_>>());
    assert_eq!(folder.survivors(), [""; 0]);
}

#[test]
fn in_a_round_robin_an_engine_stays_for_its_next_opponent() {
    let folder = two_good_engines();
    folder.engine("c", &Script::default());
    let toml = "pairs = 2\nconcurrency = 1\n[each]\ntc = \"10+1\"\ndir = \"$DIR\"\n\
                [[engine]]\nname = \"a\"\ncmd = \"./a\"\n[[engine]]\nname = \"b\"\ncmd = \"./b\"\n\
                [[engine]]\nname = \"c\"\ncmd = \"./c\"\n";
    let played = play(&spec(&folder, toml));
    assert_eq!(played.finished.summary.games, 12);
    // Each change of pairing replaces one of the two.
    assert!(starts(&folder) <= 3 + 5, "{} starts", starts(&folder));
    assert_eq!(folder.survivors(), [""; 0]);
}

/// Interrupts so many times when a game starts.
struct Interrupter(Interrupts, u32);

impl Reporter for Interrupter {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        if matches!(event.kind, EventKind::GameStarted { .. }) {
            (0..std::mem::take(&mut self.1)).for_each(|_| self.0.interrupt());
        }
        Ok(())
    }
}

fn interrupted(folder: &Folder, times: u32) -> (Played, Duration) {
    let interrupts = Interrupts::new();
    let interrupter = Interrupter(interrupts.clone(), times);
    let began = Instant::now();
    let played = play_with(
        &match_of(folder, 2, ""),
        &interrupts,
        vec![Box::new(interrupter)],
    );
    (played, began.elapsed())
}

#[test]
fn an_interrupt_voids_the_running_game_and_ends_within_a_second() {
    let folder = two_good_engines();
    folder.engine(
        "a",
        &Script {
            on_start: "trap '' TERM",
            on_go: ":",
            on_quit: ":",
            ..Script::default()
        },
    );
    let (played, took) = interrupted(&folder, 1);
    assert_eq!(played.verdicts(), [&Verdict::Void(VoidReason::Cancelled)]);
    assert_eq!(played.finished.stopped, Some(StopReason::Interrupted));
    assert_eq!(folder.survivors(), [""; 0]);
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn a_second_interrupt_kills() {
    let folder = two_good_engines();
    folder.engine(
        "a",
        &Script {
            on_go: ":",
            ..Script::default()
        },
    );
    let (played, _) = interrupted(&folder, 2);
    assert_eq!(played.finished.stopped, Some(StopReason::Killed));
    assert_eq!(folder.survivors(), [""; 0]);
}

/// Fails at the first finished game.
struct Failing;

impl Reporter for Failing {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        match event.kind {
            EventKind::GameFinished { .. } => Err(ReportError::new(
                "`games.pgn`",
                io::Error::from(io::ErrorKind::StorageFull),
            )),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_reporter_that_fails_stops_the_contest_and_says_why() {
    let folder = two_good_engines();
    let played = play_with(
        &match_of(&folder, 50, ""),
        &Interrupts::new(),
        vec![Box::new(Failing)],
    );
    let Some(StopReason::ReporterFailed(why)) = &played.finished.stopped else {
        panic!("{:?}", played.finished.stopped)
    };
    assert_eq!(why, "failed to write `games.pgn`: no storage space");
    assert!(played.finished.summary.games < 100);
    assert_eq!(folder.survivors(), [""; 0]);
}

/// Fails when all is over.
struct FailingLast;

impl Reporter for FailingLast {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        match event.kind {
            EventKind::ContestFinished { .. } => Err(ReportError::new(
                "`summary.json`",
                io::Error::from(io::ErrorKind::StorageFull),
            )),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_reporter_that_fails_at_the_very_end_is_heard_too() {
    let folder = two_good_engines();
    let played = play_with(
        &match_of(&folder, 1, ""),
        &Interrupts::new(),
        vec![Box::new(FailingLast)],
    );
    assert_eq!(played.finished.stopped, None);
    let failure = "failed to write `summary.json`: no storage space";
    assert_eq!(played.finished.failures, [failure]);
}

#[test]
fn an_engine_that_starts_no_more_stops_the_contest_with_its_last_words() {
    let folder = two_good_engines();
    let script = Script {
        on_start: "if [ -e started ]; then echo no licence >&2; exit 7; fi; touch started",
        ..Script::default()
    };
    folder.engine("a", &script);
    let played = play(&match_of(&folder, 50, "restart = true"));
    let Some(StopReason::EngineUnusable(why)) = &played.finished.stopped else {
        panic!("{:?}", played.finished.stopped)
    };
    for part in ["`a`", "ended with exit code 7", "no licence"] {
        assert!(why.contains(part), "{why}");
    }
    assert_eq!(folder.survivors(), [""; 0]);
}
