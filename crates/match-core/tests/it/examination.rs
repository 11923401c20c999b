//! The examination of engines that exist only here, in no time at all.

use std::time::Duration;

use match_core::examination::{Examination, Grade, Input, Output, Verdict};
use match_core::moment::Moment;

/// An engine that answers a line with lines, each after so many milliseconds.
type Engine = fn(&str) -> Vec<(u64, String)>;

fn said(lines: &[&str]) -> Vec<(u64, String)> {
    lines.iter().map(|line| (1, (*line).to_owned())).collect()
}

/// One that is as it should be, but for moves: it knows only where it is asked first.
fn good(line: &str) -> Vec<(u64, String)> {
    match line.split_ascii_whitespace().next() {
        Some("uci") => said(&["id name Fake", "id author me", "uciok"]),
        Some("isready") => said(&["readyok"]),
        Some("go") => said(&["info depth 1 score cp 1 pv a2a3", "bestmove a2a3"]),
        _ => Vec::new(),
    }
}

/// Examines an engine that never ends by itself.
fn examine(engine: Engine) -> Vec<Grade> {
    let mut now = Moment::ZERO;
    let mut examination = Examination::new(Duration::from_secs(5), Vec::new());
    let mut waiting: Vec<(Moment, String)> = Vec::new();
    let mut grades = Vec::new();
    loop {
        while let Some(output) = examination.poll() {
            match output {
                Output::Start => {
                    waiting.clear();
                    examination.handle(now, Input::Started);
                }
                Output::Write => {
                    let text = String::from_utf8(examination.outbox().to_vec());
                    for line in text.expect("what is said is text").lines() {
                        let answers = engine(line).into_iter();
                        waiting.extend(
                            answers.map(|(after, answer)| {
                                (now + Duration::from_millis(after), answer)
                            }),
                        );
                    }
                    examination.handle(now, Input::Flushed);
                }
                Output::CloseInput => {}
                Output::Graded(grade) => grades.push(grade),
                Output::Over => return grades,
            }
        }
        let due = examination.wake_at();
        let next = waiting.iter().map(|(at, _)| *at).min();
        match (next, due) {
            (Some(next), due) if due.is_none_or(|due| next <= due) => {
                now = next;
                let place = waiting.iter().position(|(at, _)| *at == next);
                let (_, line) = waiting.remove(place.expect("it was just seen"));
                examination.handle(now, Input::Line(line.as_bytes()));
            }
            (_, Some(due)) => {
                now = due;
                examination.handle(now, Input::Alarm);
            }
            (_, None) => panic!("nobody has anything to do: {grades:#?}"),
        }
    }
}

#[track_caller]
fn check(engine: Engine, item: &str, verdict: Verdict, part: &str) {
    let grades = examine(engine);
    let is_it = |grade: &&Grade| {
        grade.item == item && grade.verdict == verdict && grade.text.contains(part)
    };
    assert!(grades.iter().any(|grade| is_it(&grade)), "{grades:#?}");
}

#[test]
fn an_engine_that_answers_passes_where_its_move_is_legal() {
    for item in [
        "greeting",
        "name",
        "ucinewgame",
        "go depth",
        "go movetime",
        "stop without go",
    ] {
        check(good, item, Verdict::Pass, "");
    }
    check(
        good,
        "promotion",
        Verdict::Fail,
        "`bestmove a2a3` is no legal move",
    );
    check(good, "quit", Verdict::Fail, "still runs");
}

#[test]
fn an_engine_that_says_nothing_is_not_examined_further() {
    let grades = examine(|_| Vec::new());
    assert_eq!(grades.len(), 2, "{grades:#?}");
    check(
        |_| Vec::new(),
        "greeting",
        Verdict::Fail,
        "no `uciok` within 5000 ms of `uci`",
    );
}

#[test]
fn an_engine_that_does_not_search_is_given_up_after_a_while() {
    let mute: Engine = |line| {
        if line.starts_with("go") {
            Vec::new()
        } else {
            good(line)
        }
    };
    check(
        mute,
        "go depth",
        Verdict::Fail,
        "no `bestmove` within 5000 ms",
    );
    check(mute, "examination", Verdict::Fail, "broke down too often");
}

#[test]
fn a_move_before_stop_is_odd_and_a_second_one_is_wrong() {
    check(
        good,
        "go infinite, stop",
        Verdict::Warn,
        "before it was told to stop",
    );
    let twice: Engine = |line| match line.strip_prefix("go") {
        Some(_) => said(&["bestmove a2a3", "bestmove h2h3"]),
        None => good(line),
    };
    check(
        twice,
        "go depth",
        Verdict::Fail,
        "`bestmove h2h3` that nobody had asked for",
    );
}

#[test]
fn a_late_engine_is_told_from_a_punctual_one_by_its_median() {
    check(good, "movetime of 10 ms", Verdict::Pass, "9 answers");
    let late: Engine = |line| match line.strip_prefix("go") {
        Some(_) => vec![(70, "bestmove a2a3".to_owned())],
        None => good(line),
    };
    check(
        late,
        "movetime of 10 ms",
        Verdict::Fail,
        "at the median after 70.0 ms",
    );
}

#[test]
fn an_option_that_contradicts_itself_is_to_be_mended() {
    let odd: Engine = |line| match line {
        "uci" => said(&["option name Depth type spin default 0 min 1 max 9", "uciok"]),
        _ => good(line),
    };
    check(
        odd,
        "options",
        Verdict::Fail,
        "default 0, which is not from 1 to 9",
    );
}
