//! Greeting an engine outside any game.

use std::num::NonZeroU32;
use std::time::Duration;

use match_core::greeting::{Greeting, GreetingInput, GreetingOutput};
use match_core::moment::Moment;
use match_core::spec::{Patience, Variant};
use uci::Session;

/// What an engine is told, what is odd about it and what comes of it, when it says these lines.
/// `wait` is a line that takes until patience ends.
fn greet(variant: Variant, hash: &str, lines: &[&str]) -> Vec<String> {
    let patience = Patience {
        startup: Duration::from_secs(10),
        ping: Duration::ZERO,
        watchdog: Duration::ZERO,
        settle: Duration::ZERO,
        quit: Duration::ZERO,
        start_failures: NonZeroU32::MIN,
    };
    let options = vec![("Hash".to_owned(), hash.to_owned())];
    let mut now = Moment::ZERO;
    let mut greeting = Greeting::new(now, Session::new(), options, variant, &patience);
    let mut told = Vec::new();
    let mut lines = lines.iter();
    loop {
        while let Some(output) = greeting.poll() {
            match output {
                GreetingOutput::Write => {
                    told.extend(
                        String::from_utf8_lossy(greeting.outbox())
                            .lines()
                            .map(str::to_owned),
                    );
                    greeting.handle(now, GreetingInput::Flushed);
                }
                GreetingOutput::Warned(text) => told.push(format!("! {text}")),
                GreetingOutput::Over => {
                    assert_eq!(greeting.poll(), None);
                    assert_eq!(greeting.wake_at(), None);
                    told.push(match greeting.finish() {
                        Ok(session) => format!("{} is {}", session.name(), session.phase()),
                        Err(unstarted) => unstarted.to_string(),
                    });
                    return told;
                }
            }
        }
        match lines.next() {
            Some(&"wait") => {
                now = greeting.wake_at().expect("somebody waits");
                greeting.handle(now, GreetingInput::Alarm);
            }
            Some(line) => greeting.handle(now, GreetingInput::Line(line.as_bytes())),
            None => greeting.handle(now, GreetingInput::Closed),
        }
    }
}

const HASH: &str = "option name Hash type spin default 16 min 1 max 1024";
const CHESS960: &str = "option name UCI_Chess960 type check default false";

#[test]
fn an_engine_is_made_ready() {
    assert_eq!(
        greet(
            Variant::Standard,
            "64",
            &["banner", "id name A", HASH, CHESS960, "uciok", "readyok"]
        ),
        [
            "uci",
            "setoption name Hash value 64",
            "isready",
            "A is idle"
        ],
    );
    assert_eq!(
        greet(
            Variant::Chess960,
            "64",
            &[
                "id name A",
                "uciok",
                HASH,
                CHESS960,
                "uciok",
                "readyok",
                "readyok"
            ]
        ),
        [
            "uci",
            "isready",
            "! engine said `uciok` while syncing",
            "setoption name Hash value 64",
            "setoption name UCI_Chess960 value true",
            "isready",
            "A is idle"
        ],
    );
}

#[test]
fn an_odd_default_is_undone_for_standard_chess() {
    let on = "option name UCI_Chess960 type check default true";
    assert_eq!(
        greet(Variant::Standard, "64", &[HASH, on, "uciok", "readyok"])[1..4],
        [
            "setoption name Hash value 64",
            "setoption name UCI_Chess960 value false",
            "isready"
        ],
    );
}

#[test]
fn what_is_set_once_is_not_set_again() {
    let on = "option name UCI_Chess960 type check default true";
    let more = "option name More type button";
    for (variant, value) in [(Variant::Standard, "false"), (Variant::Chess960, "true")] {
        let told = greet(variant, "64", &[on, "uciok", more, "readyok"]);
        let set = format!("setoption name UCI_Chess960 value {value}");
        assert_eq!(told[..3], ["uci".to_owned(), set, "isready".to_owned()]);
        assert!(
            told.last().is_some_and(|last| last.ends_with("is idle")),
            "{told:?}"
        );
    }
}

#[test]
fn what_is_told_of_an_engine_is_one_short_line() {
    let odd = format!("option name \x1b[2J{} type spin min x", "x".repeat(10_000));
    let told = greet(Variant::Standard, "64", &[&odd, HASH, "uciok", "readyok"]);
    let warning = told
        .iter()
        .find(|line| line.starts_with("! "))
        .expect("a warning");
    assert!(warning.starts_with("! option `\u{fffd}[2Jxxx") && warning.ends_with("xxx..."));
    assert!(warning.len() < 500);
}

#[test]
fn an_engine_that_cannot_play_says_why() {
    let why = |variant, hash, lines: &[&str]| greet(variant, hash, lines).pop().expect("an end");
    assert_eq!(why(Variant::Standard, "64", &[]), "did not start: crash");
    assert_eq!(
        why(Variant::Standard, "64", &["wait"]),
        "did not start: stall, no answer to `uci`"
    );
    assert_eq!(
        why(Variant::Standard, "64", &["uciok", "wait"]),
        "did not start: stall, no answer to `isready`",
    );
    assert_eq!(
        why(Variant::Standard, "0", &[HASH, "uciok"]),
        "cannot play: option `Hash` is 0: 1 to 1024 are allowed",
    );
    assert_eq!(
        why(Variant::Chess960, "64", &[HASH, "uciok", "readyok"]),
        "cannot play: it plays no Chess960, it has no option `UCI_Chess960`",
    );
}
