//! A test as a person sees it.

use fleet_api::{Aside, Barred, TestView, Trouble};
use serde::Serialize;
use serde_json::Value;

use crate::table::labelled;

/// Troubles of a test that a person is shown; `--json` has more.
const TROUBLES: usize = 3;

/// Lines of a trouble.
const TROUBLE_LINES: usize = 10;

/// One line of JSON.
pub(super) fn json(what: &impl Serialize) -> String {
    serde_json::to_string(what).expect("text keys and finite numbers are JSON")
}

/// Text of others without what a terminal might obey: escapes, line ends, marks that turn the
/// direction of writing.
pub(super) fn safe(text: &str) -> String {
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_harmful = |c: char| c.is_control() || turns(c);
    text.chars()
        .map(|c| if is_harmful(c) { '\u{fffd}' } else { c })
        .collect()
}

/// `12 of 100`, or `12` if nobody knows of how many.
pub(super) fn of_all(pairs: u64, wanted: Option<u64>) -> String {
    match wanted {
        Some(wanted) => format!("{pairs} of {wanted}"),
        None => pairs.to_string(),
    }
}

/// Everything that a person may want to know of it, in lines that begin with a label.
pub(super) fn of(test: &TestView) -> String {
    let parts = [
        about(test),
        counts(test),
        result(test),
        hosts(test),
        words(test),
    ];
    parts.concat().join("\n")
}

/// What it is, and where it stands.
fn about(test: &TestView) -> Vec<String> {
    let share = format!("{}, weight {}", test.priority, test.weight);
    let mut lines = vec![
        labelled("test", &test.id),
        labelled("name", &safe(&test.name)),
        labelled("state", &state(test)),
        labelled("owner", &safe(&test.owner)),
        labelled("priority", &share),
    ];
    if let Some(obstacle) = &test.obstacle {
        lines.push(labelled("obstacle", &safe(obstacle)));
    }
    lines
}

/// What of it was played, and what of that does not count.
fn counts(test: &TestView) -> Vec<String> {
    let mut lines = vec![labelled("pairs", &of_all(pairs(test), test.pairs_wanted))];
    if test.pairs_lent > 0 {
        let text = format!("{} pairs to {} workers", test.pairs_lent, test.workers_now);
        lines.push(labelled("lent", &text));
    }
    if test.late_pairs > 0 {
        let mut text = format!(
            "{} pairs came after the decision and do not count",
            test.late_pairs
        );
        if let Some(late) = test.late_pentanomial {
            let late = late.map(|count| count.to_string()).join(" ");
            text.push_str(&format!(": pentanomial {late}"));
        }
        lines.push(labelled("late", &text));
    }
    lines.extend(test.aside.iter().flat_map(set_aside));
    for difference in test.recount.iter().flat_map(|recount| &recount.differences) {
        lines.push(labelled("BROKEN", &safe(difference)));
    }
    lines
}

/// What it came to.
fn result(test: &TestView) -> Vec<String> {
    let engines = list(test.summary.get("engines"));
    let mut lines: Vec<String> = engines
        .iter()
        .map(|engine| labelled("engine", &engine_line(engine)))
        .collect();
    let pentanomial: Vec<String> = list(test.summary.get("pentanomial"))
        .iter()
        .map(ToString::to_string)
        .collect();
    // With more than two engines it is that of the first against the others.
    if !pentanomial.is_empty() && engines.len() <= 2 {
        lines.push(labelled("pentanomial", &pentanomial.join(" ")));
    }
    for (label, key) in [("Elo", "elo"), ("nElo", "nelo")] {
        lines.extend(measured(test.summary.get(key)).map(|text| labelled(label, &text)));
    }
    lines.extend(llr(test).map(|llr| labelled("LLR", &llr)));
    lines
}

/// How its hosts are.
fn hosts(test: &TestView) -> Vec<String> {
    let mut lines = Vec::new();
    for speed in &test.speeds {
        let text = format!(
            "{}: {} nodes a second, times x {:.3}",
            safe(&speed.host),
            speed.nps,
            speed.factor
        );
        lines.push(labelled("speed", &text));
    }
    for Barred {
        host,
        why,
        until_ms,
        ..
    } in &test.barred
    {
        let until = match until_ms {
            Some(_) => "gets none of it for a while",
            None => "gets no more of it",
        };
        let text = format!("{} {until}: {}", safe(host), safe(why));
        lines.push(labelled("barred", &text));
    }
    lines.extend(test.troubles.iter().take(TROUBLES).flat_map(trouble_lines));
    lines
}

/// What people say of it.
fn words(test: &TestView) -> Vec<String> {
    let mut lines = Vec::new();
    if !test.tags.is_empty() {
        lines.push(labelled("tags", &safe(&test.tags.join(", "))));
    }
    // No line of a note begins as one of ours does.
    for (i, line) in test.note.trim_end().lines().enumerate() {
        lines.push(labelled(if i == 0 { "note" } else { "" }, &safe(line)));
    }
    lines
}

/// A trouble, the beginning and the end of it: there the reason is.
fn trouble_lines(trouble: &Trouble) -> Vec<String> {
    let texts: Vec<&str> = trouble.text.lines().collect();
    let mut lines = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let rest = texts.len() - i;
        if i == 0 {
            lines.push(labelled(
                "trouble",
                &format!("{}: {}", safe(&trouble.host), safe(text)),
            ));
        } else if rest < TROUBLE_LINES || texts.len() <= TROUBLE_LINES {
            lines.push(labelled("", &safe(text)));
        } else if i == 1 {
            lines.push(labelled("", "..."));
        }
    }
    lines
}

/// What is aside, whose, why, and what the test would come to with it.
fn set_aside(aside: &Aside) -> Vec<String> {
    let mut lines = Vec::new();
    for worker in &aside.workers {
        let by = match (&worker.who, &worker.why) {
            (Some(who), Some(why)) => format!("by {}: {}", safe(who), safe(why)),
            _ => "which others have played again".to_owned(),
        };
        let text = format!("{} pairs of {}, {by}", worker.pairs, safe(&worker.name));
        lines.push(labelled("set aside", &text));
    }
    if let Some(with) = &aside.with {
        let pentanomial = with.pentanomial.map(|count| count.to_string()).join(" ");
        let mut text = format!("pentanomial {pentanomial}");
        for (label, value, ci95) in [
            ("Elo", with.elo, with.elo_ci95),
            ("nElo", with.nelo, with.nelo_ci95),
        ] {
            let interval = ci95.map(|[low, high]| format!(" ({low:+.1} to {high:+.1})"));
            if let Some(value) = value {
                text.push_str(&format!(
                    ", {label} {value:+.1}{}",
                    interval.unwrap_or_default()
                ));
            }
        }
        lines.push(labelled("with them", &text));
    }
    lines
}

/// The same in a line, for those who watch.
pub(super) fn line(test: &TestView) -> String {
    let mut parts = vec![
        format!("{}: {}", safe(&test.name), state(test)),
        format!("{} pairs", of_all(pairs(test), test.pairs_wanted)),
    ];
    parts.extend(measured(test.summary.get("elo")).map(|elo| format!("Elo {elo}")));
    parts.extend(llr(test).map(|llr| format!("LLR {llr}")));
    if !test.state.is_final() {
        parts.push(match test.workers_now {
            1 => "1 worker".to_owned(),
            workers => format!("{workers} workers"),
        });
    }
    parts.join(", ")
}

fn state(test: &TestView) -> String {
    match &test.reason {
        Some(reason) => format!("{} ({})", test.state.name(), safe(reason)),
        None => test.state.name().to_owned(),
    }
}

fn pairs(test: &TestView) -> u64 {
    let pairs = test.summary.get("pairs").and_then(Value::as_u64);
    pairs.unwrap_or(0)
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn engine_line(engine: &Value) -> String {
    let count = |key: &str| engine.get(key).and_then(Value::as_u64).unwrap_or(0);
    let name = engine.get("name").and_then(Value::as_str).unwrap_or("?");
    let mut text = format!(
        "{}: {} wins, {} losses, {} draws",
        safe(name),
        count("wins"),
        count("losses"),
        count("draws")
    );
    for (key, what) in [
        ("time_losses", "time losses"),
        ("crashes", "crashes"),
        ("stalls", "stalls"),
        ("illegal_moves", "illegal moves"),
    ] {
        if count(key) > 0 {
            text.push_str(&format!(", {} {what}", count(key)));
        }
    }
    text
}

/// `+12.2 (-3.0 to +27.4)`.
fn measured(value: Option<&Value>) -> Option<String> {
    let number = |value: &Value| value.as_f64();
    let value = value?;
    let mean = value.get("value").and_then(number)?;
    let limits: Vec<f64> = list(value.get("ci95")).iter().filter_map(number).collect();
    Some(match limits[..] {
        [low, high] => format!("{mean:+.1} ({low:+.1} to {high:+.1})"),
        _ => format!("{mean:+.1}"),
    })
}

/// `1.20 (-2.94 to +2.94)`.
fn llr(test: &TestView) -> Option<String> {
    let sprt = test.summary.get("sprt")?;
    let number = |key: &str| sprt.get(key).and_then(Value::as_f64);
    let (llr, lower, upper) = (number("llr")?, number("lower")?, number("upper")?);
    Some(format!("{llr:.2} ({lower:+.2} to {upper:+.2})"))
}

/// When something was, to the second, UTC.
pub(super) fn instant(millis: u64) -> String {
    i64::try_from(millis)
        .ok()
        .and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok())
        .map_or_else(
            || "-".to_owned(),
            |at| at.strftime("%Y-%m-%d %H:%M:%SZ").to_string(),
        )
}
