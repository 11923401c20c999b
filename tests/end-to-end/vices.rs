//! Every vice of the built-in engine ends in the right verdict, in the PGN and in the summary alike,
//! and leaves no process.

use std::collections::BTreeSet;
use std::time::Duration;

use end_to_end::{Run, STOCKFISH, Stage, engine};

/// What comes of a pair of games against an engine with a vice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Both games are played to an end by the laws.
    Played,
    /// Both are lost by the engine with the vice, by crash.
    Crash,
    /// By stall.
    Stall,
    /// By time.
    TimeLoss,
    /// By an illegal move.
    IllegalMove,
    /// None is played: the engine cannot be started.
    Unstarted,
}

use Outcome::{Crash, IllegalMove, Played, Stall, TimeLoss, Unstarted};

const FAULTS: [(Outcome, &str, &str, &str); 4] = [
    (Crash, "abandoned", "crash", "crashes"),
    (Stall, "stalled connection", "stall", "stalls"),
    (TimeLoss, "time forfeit", "time loss", "time_losses"),
    (IllegalMove, "illegal move", "illegal move", "illegal_moves"),
];

/// No bound that matters: a random mover needs no time, and a busy machine takes some from all.
const RELAXED: &str = "tc=60+1";

/// Plays one pair of an engine with `vice` and a `limit` of its own against a good one.
#[track_caller]
fn play(stage: &Stage, vice: &str, limit: &str, words: &[&str]) -> Run {
    let bad = format!("--engine=name=bad {limit} cmd=sparring args='--random --vice \"{vice}\"'");
    let good = format!("--engine=name=good {RELAXED} cmd=sparring args='--random --seed=1'");
    // Whoever is late has lost, though the machine may have other things to do.
    let always: [&str; 5] = [
        &bad,
        &good,
        "--pairs=1",
        "--concurrency=1",
        "--host-blame=off",
    ];
    stage.play(&[&always, words].concat())
}

/// Plays one pair against an engine with `vice`.
#[track_caller]
fn check(vice: &str, want: Outcome) -> Stage {
    let stage = Stage::default();
    let limit = if want == TimeLoss {
        "tc=0.2+0.05"
    } else {
        RELAXED
    };
    // What is waited for in vain is waited for briefly; nothing else is hurried.
    let patience = match want {
        Unstarted | Stall => "--patience=startup=2 ping=2 quit=0.3",
        Played | Crash | TimeLoss | IllegalMove => "--patience=quit=0.3",
    };
    let run = play(&stage, vice, limit, &[patience]);
    if want == Unstarted {
        run.expect(3).expect_err("`bad`");
        assert!(stage.games().is_empty());
        return stage;
    }
    run.expect(0);
    let summary = stage.summary();
    let [bad, good] = [0, 1].map(|engine| summary["engines"][engine].clone());
    let games = stage.games();
    assert_eq!(
        (games.len(), &summary["games"]),
        (2, &2.into()),
        "{vice}: {summary}"
    );
    for (fault, termination, name, count) in FAULTS {
        let times = if fault == want { 2 } else { 0 };
        assert_eq!(bad[count], times, "{vice}: {summary}");
        assert_eq!(good[count], 0, "{vice}: {summary}");
        let counted = summary["terminations"][name].as_u64().unwrap_or(0);
        assert_eq!(counted, times, "{vice}: {summary}");
        for game in games.iter().filter(|_| fault == want) {
            let won = if game.tag("White") == "bad" {
                "0-1"
            } else {
                "1-0"
            };
            assert_eq!(
                (game.tag("Result"), game.tag("Termination")),
                (won, termination),
                "{vice}"
            );
        }
    }
    // Nothing of it is the other engine's affair: its process is the same in all games.
    let restarted = stage.events().into_iter();
    let replaced: BTreeSet<_> = restarted
        .filter(|event| event["event"] == "engine_restarted")
        .map(|event| event["engine"].as_str().unwrap().to_owned())
        .collect();
    assert!(!replaced.contains("good"), "{vice}: {replaced:?}");
    if want == Played {
        assert!(
            games.iter().all(|game| game.tag("Termination") == "normal"),
            "{vice}: {games:?}"
        );
    } else {
        assert_eq!(bad["losses"], 2, "{vice}: {summary}");
    }
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
    stage
}

/// What comes of each vice, with arguments that keep the test short.
const VICES: [(&str, Outcome); 92] = [
    ("die-on-start", Unstarted),
    ("die-on-uci", Unstarted),
    ("die-on-isready", Unstarted),
    ("no-uciok", Unstarted),
    ("no-readyok", Unstarted),
    ("glued-ready", Unstarted),
    ("glued-uciok", Unstarted),
    ("die-on-isready=2", Crash),
    ("die-on-newgame", Crash),
    ("crash-on-go", Crash),
    ("crash-on-go=3", Crash),
    ("exit-on-go", Crash),
    ("exit-on-go=2", Crash),
    ("exit-after-bestmove", Crash),
    ("crash-idle", Crash),
    ("no-newline", Crash),
    ("no-newline=2", Crash),
    ("close-stdout", Crash),
    ("close-stdout=2", Crash),
    ("no-readyok=2", Stall),
    ("glued-ready=2", Stall),
    ("deaf", Stall),
    ("deaf=3", Stall),
    ("hang", TimeLoss),
    ("hang=2", TimeLoss),
    ("mute", TimeLoss),
    ("endless", TimeLoss),
    ("overrun=50", TimeLoss),
    ("late-bestmove", TimeLoss),
    ("glued-bestmove=2", TimeLoss),
    ("endless-line=2", TimeLoss),
    ("close-stdin", TimeLoss),
    ("close-stdin=2", TimeLoss),
    ("illegal", IllegalMove),
    ("illegal=3", IllegalMove),
    ("bestmove=", IllegalMove),
    ("bestmove=0000", IllegalMove),
    ("bestmove=(none)", IllegalMove),
    ("bestmove=<none>", IllegalMove),
    ("bestmove=NULL", IllegalMove),
    ("bestmove=a1a1", IllegalMove),
    ("bestmove=e9e5", IllegalMove),
    ("bestmove=Nf3", IllegalMove),
    ("bestmove=O-O", IllegalMove),
    ("bestmove=resign", IllegalMove),
    ("after-bestmove=", Played),
    ("abort-on-quit", Played),
    ("ignore-stop", Played),
    ("ignore-quit", Played),
    ("ignore-eof", Played),
    ("ignore-term", Played),
    ("slow-uciok=300", Played),
    ("slow-ready=300", Played),
    ("slow-newgame=300", Played),
    ("slow-quit=5000", Played),
    ("unasked-bestmove", Played),
    ("two-bestmoves", Played),
    ("after-bestmove=ponder", Played),
    ("after-bestmove=ponder 0000", Played),
    ("after-bestmove=e2e4 \u{fffd}", Played),
    ("upper-promotion", Played),
    ("banner", Played),
    ("early-uciok", Played),
    ("noise", Played),
    ("odd-options", Played),
    ("many-options", Played),
    ("long-id", Played),
    ("no-chess960", Played),
    ("latin1", Played),
    ("nul", Played),
    ("crlf", Played),
    ("leading-space", Played),
    ("trailing-space", Played),
    ("tabs", Played),
    ("partial", Played),
    ("flood=1000", Played),
    ("long-line=200000", Played),
    ("stderr-flood", Played),
    ("no-info", Played),
    ("no-score", Played),
    ("score=-2000", Played),
    ("mate=-1", Played),
    ("mate0", Played),
    ("multipv", Played),
    ("bounds-only", Played),
    ("bound-last", Played),
    ("mate-bound", Played),
    ("huge-score", Played),
    ("float-score", Played),
    ("pv-mid", Played),
    ("fork", Played),
    ("busy-idle", Played),
];

/// Those that are about what a sandbox allows; see `sandbox.rs`.
const OUTSIDE_CHESS: [&str; 5] = [
    "fork-away",
    "read-file",
    "write-file",
    "connect",
    "eat-memory",
];

#[track_caller]
fn check_all(want: Outcome) {
    for (vice, _) in VICES.iter().filter(|(_, outcome)| *outcome == want) {
        check(vice, want);
    }
}

#[test]
fn every_vice_is_tried() {
    let stage = Stage::default();
    let help = stage.arbiter(&["sparring", "--help"]).expect(0).out;
    let (_, list) = help.split_once("Vices:\n").unwrap();
    let name = |words: &str| {
        words
            .trim()
            .split(['=', '[', ' '])
            .next()
            .unwrap()
            .to_owned()
    };
    let offered: BTreeSet<_> = list.lines().map(name).collect();
    let tried = VICES.iter().map(|(vice, _)| *vice).chain(OUTSIDE_CHESS);
    assert_eq!(offered, tried.map(name).collect());
}

#[test]
fn an_engine_that_cannot_be_started_stops_the_contest() {
    check_all(Unstarted);
}

#[test]
fn an_engine_that_dies_loses_by_crash() {
    check_all(Crash);
}

#[test]
fn an_engine_that_does_not_get_ready_loses_by_stall() {
    check_all(Stall);
}

#[test]
fn an_engine_that_is_late_loses_on_time() {
    check_all(TimeLoss);
}

#[test]
fn an_engine_that_plays_no_move_or_an_illegal_one_loses_by_it() {
    check_all(IllegalMove);
}

#[test]
fn an_engine_that_is_only_odd_plays_on() {
    check_all(Played);
}

#[test]
fn a_hung_engine_without_a_clock_is_a_stall() {
    let stage = Stage::default();
    play(&stage, "hang=2", "nodes=100", &["--patience=watchdog=1"]).expect(0);
    let summary = stage.summary();
    assert_eq!(summary["engines"][0]["stalls"], 2, "{summary}");
    assert!(
        stage
            .games()
            .iter()
            .all(|game| game.tag("Termination") == "stalled connection")
    );
}

#[test]
fn a_crash_without_a_clock_is_a_crash_and_no_stall() {
    let stage = Stage::default();
    play(
        &stage,
        "crash-on-go=2",
        "nodes=100",
        &["--patience=watchdog=30"],
    )
    .expect(0);
    assert_eq!(stage.summary()["engines"][0]["crashes"], 2);
}

#[test]
fn the_words_of_an_illegal_move_and_of_a_dying_engine_are_kept() {
    let stage = check("bestmove=e2e9", IllegalMove);
    assert!(stage.read("events.jsonl").contains("e2e9"));
    let stage = Stage::default();
    play(&stage, "crash-on-go", RELAXED, &[])
        .expect(0)
        .expect_err("index out of bounds");
    let stage = Stage::default();
    play(&stage, "die-on-start", RELAXED, &[])
        .expect(3)
        .expect_err("sparring.nnue");
}

#[test]
fn an_engine_that_does_not_quit_is_ended_within_its_grace() {
    for vice in ["ignore-quit", "slow-quit=60000"] {
        let stage = Stage::default();
        let all = format!("{vice}\" --vice ignore-eof --vice \"ignore-term");
        let run = play(&stage, &all, RELAXED, &["--patience=quit=0.3"]).expect(0);
        assert!(run.took < Duration::from_secs(10), "{run:#?}");
    }
}

/// How the games of a pair end when an engine claims something and the referee believes scores.
#[track_caller]
fn check_claim(vice: &str, terminations: &[&str]) {
    let stage = Stage::default();
    play(&stage, vice, RELAXED, &["--resign=count=3 score=600"]).expect(0);
    let games = stage.games();
    let found: BTreeSet<_> = games.iter().map(|game| game.tag("Termination")).collect();
    assert_eq!(found, terminations.iter().copied().collect(), "{vice}");
    for game in games.iter().filter(|_| terminations == ["adjudication"]) {
        let lost = if game.tag("White") == "bad" {
            "0-1"
        } else {
            "1-0"
        };
        assert_eq!(game.tag("Result"), lost, "{vice}");
    }
}

#[test]
fn only_a_true_exact_score_of_the_best_line_is_believed() {
    check_claim("score=-700", &["adjudication"]);
    check_claim("mate=-2", &["adjudication"]);
    check_claim("score=-100", &["normal"]);
    check_claim("mate0", &["normal"]);
    check_claim("no-score", &["normal"]);
    check_claim("multipv", &["normal"]);
    check_claim("bounds-only", &["normal"]);
    check_claim("bound-last", &["normal"]);
    check_claim("mate-bound", &["normal"]);
    check_claim("huge-score", &["normal"]);
    check_claim("float-score", &["normal"]);
}

#[test]
fn an_engine_without_chess960_is_refused_in_chess960() {
    let stage = Stage::default();
    let run = play(&stage, "no-chess960", RELAXED, &["--variant=chess960"]);
    run.expect(2).expect_err("UCI_Chess960");
    assert!(stage.games().is_empty());
}

#[test]
fn a_real_engine_beside_a_bad_one_is_not_blamed() {
    let Some(stockfish) = engine(STOCKFISH) else {
        return;
    };
    let stage = Stage::default();
    let good = format!("name=good cmd={stockfish}");
    let bad = "name=bad cmd=sparring args='--level 1 --vice crash-idle=4'";
    let words = [
        "--engine",
        bad,
        "--engine",
        &good,
        "--each=tc=1+0.01",
        "--pairs=2",
        "--concurrency=2",
    ];
    stage.play(&words).expect(0);
    let summary = stage.summary();
    assert_eq!(summary["engines"][0]["crashes"], 4, "{summary}");
    assert_eq!(summary["engines"][1]["wins"], 4, "{summary}");
}
