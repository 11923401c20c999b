//! A hung engine is dealt with (game scored, process gone, next game started) within three seconds of
//! its deadline, by the stamps of the events.

use end_to_end::Stage;
use serde_json::Value;

/// Whoever hangs is also deaf to all that could end it but SIGKILL.
const STUBBORN: &str = "--vice ignore-quit --vice ignore-eof --vice ignore-term";

/// Plays a pair against an engine with a vice and a limit. `allowed` is what it may take for an
/// answer, from what it had on its clock, in seconds.
#[track_caller]
fn check(vice: &str, limit: &str, words: &[&str], fault: &str, allowed: impl Fn(f64) -> f64) {
    let stage = Stage::default();
    let bad =
        format!("--engine=name=bad {limit} cmd=sparring args='--random --vice {vice} {STUBBORN}'");
    let good = "--engine=name=good tc=60+1 cmd=sparring args='--random --seed=1'";
    let contest = [
        &bad,
        good,
        "--pairs=1",
        "--concurrency=1",
        "--host-blame=off",
    ];
    stage.play(&[&contest, words].concat()).expect(0);
    let events = stage.events();
    let games = ["game_started", "game_finished"].map(|name| {
        events
            .iter()
            .filter(|event| event["event"] == name)
            .collect::<Vec<_>>()
    });
    let [started, finished] = games;
    assert_eq!((started.len(), finished.len()), (2, 2), "{vice}");
    let next_starts = started.iter().skip(1).map(|event| number(&event["at"]));
    let end = number(&events.last().unwrap()["at"]);
    for ((start, game), next) in started.iter().zip(&finished).zip(next_starts.chain([end])) {
        assert_eq!(game["verdict"]["reason"], fault, "{vice}: {game}");
        let spent: f64 = numbers(&game["spent"]).iter().sum();
        let deadline = number(&start["at"]) + spent + allowed(left(game));
        // Starting the engines is in it too, and all that the machine does beside.
        assert!(
            next < deadline + 3.0,
            "{vice}: {next} is long after {deadline}: {game}"
        );
    }
}

/// What the loser had on its clock when it did not answer, 0.5 s at first.
fn left(game: &Value) -> f64 {
    let book = game["book"].as_str().unwrap().split_whitespace().count();
    let black_begins = game["start"].as_str().unwrap().contains(" b ");
    let white = (game["verdict"]["loser"] == "white") ^ black_begins;
    let first = usize::from(white == (book % 2 == 1));
    let lefts = game["left"].as_array().cloned().unwrap_or_default();
    let last = lefts.iter().skip(first).step_by(2).next_back();
    last.and_then(Value::as_f64).unwrap_or(0.5)
}

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(number).collect()
}

#[test]
fn an_engine_with_a_clock_that_hangs() {
    for vice in [
        "hang=2",
        "mute=2",
        "endless=2",
        "endless-line=2",
        "close-stdin",
    ] {
        check(vice, "tc=0.5", &[], "time loss", |left| left);
    }
}

#[test]
fn an_engine_that_reads_nothing_any_more() {
    check("deaf=2", "tc=0.5", &[], "stall", |left| left.max(1.0));
}

#[test]
fn an_engine_without_a_clock_that_hangs() {
    for vice in ["hang=2", "mute=2"] {
        let words = ["--patience=watchdog=0.5"];
        check(vice, "nodes=100", &words, "stall", |_| 0.5);
    }
}

#[test]
fn an_engine_that_does_not_get_ready() {
    check(
        "no-readyok=2",
        "tc=0.5",
        &["--patience=ping=0.5"],
        "stall",
        |_| 0.5,
    );
}
