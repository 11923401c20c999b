//! Ctrl-C, SIGTERM and SIGKILL: what was played is kept, and nothing lives on.

use std::time::{Duration, Instant};

use end_to_end::{Run, Stage};
use rustix::process::Signal;

/// Two engines that think for long about their first move.
const THINKERS: [&str; 5] = [
    "--engine=sparring:10",
    "--engine=name=other cmd=sparring",
    "--each=st=20",
    "--pairs=5",
    "--concurrency=2",
];

/// Random movers with so many games that they never come to an end.
const SPRINTERS: [&str; 5] = [
    "--engine=name=a cmd=sparring args=--random",
    "--engine=name=b cmd=sparring args='--random --seed 2'",
    "--each=tc=5+1",
    "--pairs=1000000",
    "--concurrency=2",
];

/// Engines that take notice of nothing but SIGKILL.
const DEAF: &str = "--vice ignore-quit --vice ignore-eof --vice ignore-term --vice ignore-stop";

fn finished(stage: &Stage) -> usize {
    stage
        .read("events.jsonl")
        .matches("\"event\":\"game_finished\"")
        .count()
}

/// Interrupts a contest once `games` have been finished and others begun.
#[track_caller]
fn interrupted(stage: &Stage, words: &[&str], games: usize, signals: &[Signal]) -> (Run, Duration) {
    let running = stage.start_play(words);
    stage.wait_until("games to be played", || {
        let events = stage.read("events.jsonl");
        events.matches("\"event\":\"game_started\"").count() >= games + 2
            && finished(stage) >= games
    });
    let begun = Instant::now();
    for &signal in signals {
        running.signal(signal);
    }
    let run = running.finish();
    (run, begun.elapsed())
}

#[test]
fn ctrl_c_ends_a_contest_within_a_second_though_the_engines_think() {
    for signal in [Signal::INT, Signal::TERM] {
        let stage = Stage::default();
        let (run, took) = interrupted(&stage, &THINKERS, 0, &[signal]);
        assert!(took < Duration::from_secs(1), "{took:?}: {run:#?}");
        run.expect(130);
        assert!(stage.games().is_empty());
        assert_eq!(stage.summary()["games"], 0);
    }
}

#[test]
fn ctrl_c_keeps_the_games_that_were_finished() {
    let stage = Stage::default();
    let (run, _) = interrupted(&stage, &SPRINTERS, 20, &[Signal::INT]);
    let run = run.expect(130);
    let games = finished(&stage);
    let events = stage.events();
    let void = events
        .iter()
        .filter(|event| event["verdict"]["kind"] == "void")
        .count();
    let summary = stage.summary();
    let counted = summary["games"].as_u64().unwrap() as usize;
    assert!(counted >= 20, "{summary}");
    assert_eq!(stage.games().len(), counted, "{run:#?}");
    assert_eq!(games - void, counted, "{summary}");
    let seqs = events.iter().map(|event| event["seq"].as_u64().unwrap());
    assert!(seqs.eq(0..events.len() as u64), "event numbers have a gap");
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
    assert!(run.out.contains("score"), "{run:#?}");
}

#[test]
fn ctrl_c_ends_engines_that_are_deaf_to_everything() {
    let stage = Stage::default();
    let deaf = format!("--engine=name=deaf cmd=sparring args='{DEAF}'");
    let words = [
        &deaf,
        "--engine=sparring:10",
        "--each=st=20",
        "--pairs=5",
        "--concurrency=2",
    ];
    let (run, _) = interrupted(&stage, &words, 0, &[Signal::INT]);
    run.expect(130);
}

#[test]
fn a_second_ctrl_c_waits_for_nobody() {
    let stage = Stage::default();
    let deaf = format!("--engine=name=deaf cmd=sparring args='{DEAF}'");
    let words = [
        &deaf,
        "--engine=sparring:10",
        "--each=st=20",
        "--pairs=5",
        "--concurrency=2",
        "--patience=quit=30",
    ];
    let (run, took) = interrupted(&stage, &words, 0, &[Signal::INT, Signal::INT]);
    assert!(took < Duration::from_secs(1), "{took:?}: {run:#?}");
    run.expect(130);
}

#[test]
fn engines_do_not_survive_the_sudden_death_of_arbiter() {
    for engine in [
        "--random".to_owned(),
        DEAF.to_owned(),
        format!("{DEAF} --vice fork"),
    ] {
        let stage = Stage::default();
        let engine = format!("--engine=name=x cmd=sparring args='{engine}'");
        let words = [
            &engine,
            "--engine=sparring:10",
            "--each=st=20",
            "--pairs=5",
            "--concurrency=2",
        ];
        let running = stage.start_play(&words);
        stage.wait_until("games to be under way", || {
            stage
                .read("events.jsonl")
                .matches("\"event\":\"game_started\"")
                .count()
                >= 2
        });
        assert!(stage.survivors().len() >= 4, "{:?}", stage.survivors());
        running.signal(Signal::KILL);
        running.finish();
        let took = stage.wait_until("the engines to be gone", || stage.survivors().is_empty());
        assert!(took < Duration::from_secs(3), "{took:?}");
    }
}

#[test]
fn what_was_written_before_a_sudden_death_is_whole() {
    let stage = Stage::default();
    let running = stage.start_play(&SPRINTERS);
    stage.wait_until("games to be played", || finished(&stage) >= 30);
    running.signal(Signal::KILL);
    running.finish();
    let games = stage.games();
    assert!(games.len() >= 30, "{}", games.len());
    assert!(
        games
            .iter()
            .all(|game| !game.tag("Result").is_empty() && !game.text.is_empty())
    );
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
}
