//! `arbiter check` finds in each vice of the built-in engine what is wrong, and nothing in a good engine.

use end_to_end::{ETHEREAL, STOCKFISH, Stage, engine};
use serde_json::Value;

/// Examines the built-in engine with a vice; gives the code and the result.
#[track_caller]
fn examine(stage: &Stage, vice: &str) -> (i32, Value) {
    let words = match vice {
        "" => "sparring".to_owned(),
        vice => format!("sparring args='--vice \"{vice}\"'"),
    };
    let run = stage.arbiter(&["check", &words, "--patience=2", "--json"]);
    let json = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("no JSON: {run:#?}"));
    assert!(run.survivors.is_empty(), "{vice}: {run:#?}");
    (run.code.expect("it ends by itself"), json)
}

/// What of a vice is found: the item, its verdict, and a part of what is said.
#[track_caller]
fn check(vice: &str, item: &str, verdict: &str, part: &str) {
    let (code, json) = examine(&Stage::default(), vice);
    let items = json["items"].as_array().expect("a list");
    let is_it = |found: &&Value| {
        found["item"] == item
            && found["verdict"] == verdict
            && found["text"]
                .as_str()
                .is_some_and(|text| text.contains(part))
    };
    assert!(items.iter().any(|found| is_it(&found)), "{vice}: {json:#}");
    let fails = 0 < json["failed"].as_u64().expect("a count");
    assert_eq!(code, i32::from(fails), "{vice}");
    assert!(fails || verdict != "fail", "{vice}");
}

const VICES: &[(&str, &str, &str, &str)] = &[
    (
        "die-on-start",
        "greeting",
        "fail",
        "ended with exit code 3 before it was told anything",
    ),
    (
        "die-on-uci",
        "greeting",
        "fail",
        "killed by SIGABRT after `uci`",
    ),
    ("die-on-isready", "greeting", "fail", "after `isready`"),
    ("no-uciok", "greeting", "fail", "no `uciok`"),
    ("no-readyok", "greeting", "fail", "no `readyok`"),
    ("glued-ready", "greeting", "fail", "no `readyok`"),
    ("early-uciok", "greeting", "fail", "more than once"),
    ("banner", "greeting", "warn", "bad manners"),
    ("slow-uciok=1100", "greeting", "warn", "within 1"),
    ("odd-options", "options", "fail", "`Bad Spin` has `x`"),
    ("odd-options", "options", "fail", "declared twice"),
    ("die-on-newgame", "ucinewgame", "fail", "killed by SIGABRT"),
    ("slow-newgame=1100", "ucinewgame", "warn", "after `isready`"),
    (
        "crash-on-go",
        "go depth",
        "fail",
        "killed by SIGABRT after `go depth 3`",
    ),
    ("exit-on-go", "go depth", "fail", "ended with exit code 0"),
    (
        "exit-after-bestmove",
        "go depth",
        "fail",
        "ended with exit code 0",
    ),
    ("crash-idle", "go depth", "fail", "killed by SIGABRT"),
    ("no-newline", "go depth", "fail", "ended with exit code 0"),
    ("hang", "go depth", "fail", "no `bestmove`"),
    ("mute", "examination", "fail", "broke down too often"),
    ("endless", "go depth", "fail", "no `bestmove`"),
    ("late-bestmove", "go depth", "fail", "no `bestmove`"),
    ("close-stdout", "go depth", "fail", "it "),
    ("ignore-stop", "go infinite, stop", "fail", "no `bestmove`"),
    (
        "illegal",
        "go depth",
        "fail",
        "`bestmove e2e5` is no legal move",
    ),
    ("bestmove=0000", "go depth", "fail", "`bestmove 0000`"),
    ("bestmove=", "go depth", "fail", "`bestmove `"),
    ("two-bestmoves", "go depth", "fail", "nobody had asked for"),
    (
        "unasked-bestmove",
        "ucinewgame",
        "fail",
        "nobody had asked for",
    ),
    ("upper-promotion", "promotion", "warn", "a7a8Q"),
    ("overrun=80", "movetime of 10 ms", "fail", "at the median"),
    ("noise", "what it says", "warn", "not UCI"),
    ("latin1", "what it says", "warn", "no text"),
    ("nul", "what it says", "warn", "no text"),
    (
        "long-line=200000",
        "what it says",
        "fail",
        "more than 64 KiB",
    ),
    ("huge-score", "what it says", "fail", "99999999999999999999"),
    ("float-score", "what it says", "fail", "`cp 0.37`"),
    ("mate0", "what it says", "warn", "mate 0"),
    ("no-info", "what it says", "warn", "no `info`"),
    ("no-score", "what it says", "warn", "no `score`"),
    ("bounds-only", "what it says", "warn", "only bounds"),
    ("ignore-quit", "quit", "fail", "still runs"),
    ("abort-on-quit", "quit", "fail", "SIGABRT"),
    ("slow-quit=1100", "quit", "warn", "only 1"),
    ("ignore-eof", "end of input", "fail", "still runs"),
    ("fork", "what it leaves", "fail", "lived on"),
    ("fork-away", "what it leaves", "fail", "`sleep 3600`"),
];

#[track_caller]
fn check_all(items: &[&str]) {
    for (vice, item, verdict, part) in VICES.iter().filter(|(_, item, ..)| items.contains(item)) {
        check(vice, item, verdict, part);
    }
}

#[test]
fn an_engine_that_does_not_greet_fails_and_nothing_else_is_examined() {
    check_all(&["greeting", "options", "ucinewgame"]);
}

#[test]
fn an_engine_that_does_not_search_as_it_is_told_fails() {
    check_all(&[
        "go depth",
        "examination",
        "go infinite, stop",
        "promotion",
        "movetime of 10 ms",
    ]);
}

#[test]
fn what_an_engine_says_beside_its_moves_is_looked_at() {
    check_all(&["what it says"]);
}

#[test]
fn an_engine_ends_when_it_is_told_and_leaves_nothing() {
    check_all(&["quit", "end of input", "what it leaves"]);
}

#[test]
fn good_engines_have_nothing_to_mend() {
    let stage = Stage::default();
    for vice in [
        "",
        "crlf",
        "leading-space",
        "tabs",
        "partial",
        "stderr-flood",
        "ignore-term",
    ] {
        let (code, json) = examine(&stage, vice);
        assert_eq!((code, &json["failed"]), (0, &0.into()), "{vice}: {json:#}");
    }
    if let Some(stockfish) = engine(STOCKFISH) {
        let run = stage
            .arbiter(&["check", &stockfish, "option.Hash=8"])
            .expect(0);
        let run = run
            .expect_out("chess960, king's side")
            .expect_out(" 0 fail");
        assert!(!run.out.contains("`Hash` "), "{}", run.out);
    }
}

#[test]
fn a_real_defect_is_found() {
    let Some(ethereal) = engine(ETHEREAL) else {
        return;
    };
    // Its version 12 does not know `searchmoves`.
    Stage::default()
        .arbiter(&["check", &ethereal])
        .expect_out("warn  go searchmoves");
}

#[test]
fn what_cannot_be_started_is_no_engine_to_examine() {
    let stage = Stage::default();
    stage
        .arbiter(&["check", "./nowhere"])
        .expect(2)
        .expect_err("no program `./nowhere`");
    let path = stage.write("text", "no program");
    stage
        .arbiter(&["check", &path])
        .expect(2)
        .expect_err("not executable");
    let script = stage.write_script("deaf", "cat > /dev/null");
    let run = stage
        .arbiter(&["check", &script, "--patience=0.5"])
        .expect(1);
    run.expect_out("does not speak UCI");
}
