//! Killed twenty times on the way, a contest comes to what it would have come to undisturbed.

use std::collections::BTreeMap;

use end_to_end::{Game, Stage};
use rustix::process::Signal;
use serde_json::Value;

/// Random movers that begin every game as fresh processes with the same seed, so that a game depends
/// on its opening alone and two contests can be compared move by move.
const ENGINES: [&str; 6] = [
    "--engine=name=a cmd=sparring args=--random",
    "--engine=name=b cmd=sparring args='--random --seed 2'",
    "--each=tc=60+1",
    "--restart",
    "--concurrency=2",
    "--patience=startup=60 ping=60 start-failures=100",
];

const KILLS: usize = 20;

/// Draws in a row.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// Bytes of the journal: it grows as long as anything happens.
fn length(stage: &Stage) -> u64 {
    std::fs::metadata(stage.path("games.journal")).map_or(0, |metadata| metadata.len())
}

/// Plays `words` and kills arbiter until it has been killed often enough; then to the end. A kill comes
/// when a random number of bytes has been written: within a record, between two, while it resumes.
fn play_with_kills(words: &[&str], seed: u64) -> Stage {
    let stage = Stage::default();
    let mut dice = Dice(seed);
    for kill in 0..KILLS {
        let mut running = match kill {
            0 => stage.start_play(words),
            _ => stage.start(&["match", "--resume", "games.journal", "--quiet"]),
        };
        // The journal of the first is there as a whole or not at all; nothing can be resumed before.
        let wanted = length(&stage) + if kill == 0 { 1 } else { dice.below(40_000) };
        stage.wait_until("the journal to grow", || length(&stage) >= wanted);
        assert!(
            !running.is_over(),
            "the contest is too short for kill {kill}"
        );
        running.signal(Signal::KILL);
        let run = running.finish();
        assert_eq!(run.code, None, "{run:#?}");
        // No fault of arbiter's: whoever kills the guard's parent gives it a moment.
        stage.wait_until("the engines to be gone", || stage.survivors().is_empty());
    }
    stage
        .arbiter(&["match", "--resume", "games.journal"])
        .expect(0);
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
    stage
}

/// What a game was, whenever it was played.
fn essence(game: &Game) -> (String, String) {
    let tags = ["FEN", "White", "Black", "Result", "PlyCount", "Termination"];
    let tags: Vec<&str> = tags.iter().map(|name| game.tag(name)).collect();
    (tags.join("|"), game.moves().join(" "))
}

fn by_round(stage: &Stage) -> BTreeMap<String, (String, String)> {
    let games = stage.games();
    let by_round: BTreeMap<_, _> = games
        .iter()
        .map(|game| (game.tag("Round").to_owned(), essence(game)))
        .collect();
    assert_eq!(by_round.len(), games.len(), "a game is there twice");
    by_round
}

fn summary_without_time(stage: &Stage) -> Value {
    let mut summary = stage.summary();
    summary["wall_seconds"] = Value::Null;
    summary
}

/// Numbers of events have no gap, and as many games ended in them as there are.
#[track_caller]
fn check_events(stage: &Stage, games: usize) {
    let events = stage.events();
    let seqs = events.iter().map(|event| event["seq"].as_u64().unwrap());
    assert!(seqs.eq(0..events.len() as u64), "event numbers have a gap");
    let finished = events
        .iter()
        .filter(|event| event["event"] == "game_finished");
    let counted = finished.filter(|event| event["verdict"]["kind"] != "void");
    assert_eq!(counted.count(), games);
    let at: Vec<f64> = events
        .iter()
        .map(|event| event["at"].as_f64().unwrap())
        .collect();
    assert!(at.is_sorted(), "the clock of the contest runs backwards");
}

#[test]
fn a_contest_that_is_killed_twenty_times_comes_to_the_same() {
    let words = [&ENGINES[..], &["--pairs=100"]].concat();
    let killed = play_with_kills(&words, 1);
    let undisturbed = Stage::default();
    undisturbed.play(&words).expect(0);
    assert_eq!(by_round(&killed), by_round(&undisturbed));
    assert_eq!(by_round(&killed).len(), 200);
    assert_eq!(
        summary_without_time(&killed),
        summary_without_time(&undisturbed)
    );
    check_events(&killed, 200);
}

#[test]
fn a_test_that_is_killed_twenty_times_decides_the_same() {
    let words = [
        &ENGINES[..],
        &["--pairs=100", "--sprt=elo0=0 elo1=40 alpha=0.05 beta=0.05"],
    ]
    .concat();
    let killed = play_with_kills(&words, 2);
    let undisturbed = Stage::default();
    undisturbed.play(&words).expect(0);
    let [decided, expected] = [&killed, &undisturbed].map(|stage| stage.summary()["sprt"].clone());
    assert_eq!(decided, expected);
    // What was under way when the test was decided may be there or not.
    let (games, expected_games) = (by_round(&killed), by_round(&undisturbed));
    for (round, game) in &games {
        assert!(
            expected_games
                .get(round)
                .is_none_or(|expected| expected == game),
            "{round}"
        );
    }
    let decisive = expected["pairs"].as_u64().unwrap();
    for pair in 1..=decisive {
        assert!(
            games.contains_key(&format!("{pair}.1")) && games.contains_key(&format!("{pair}.2"))
        );
    }
    assert_eq!(killed.summary()["games"], games.len());
    check_events(&killed, games.len());
}
