//! What an exercise is worth.

use std::time::Duration;

use serde::Serialize;

use super::Hearing;
use super::exercise::{Board, Exercise, Expect};
use super::inspection::Inspection;

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grade {
    /// What was examined.
    pub item: &'static str,
    /// How it went.
    pub verdict: Verdict,
    /// What was found, with what the engine said where that shows it.
    pub text: String,
}

/// How an item went; the worst counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Odd, and runners live with it.
    Warn,
    /// To be mended.
    Fail,
}

impl Grade {
    pub(super) fn new(item: &'static str, verdict: Verdict, text: impl Into<String>) -> Self {
        Self {
            item,
            verdict,
            text: text.into(),
        }
    }
}

/// A process that needs longer than this for `uciok`, `readyok` or to end keeps people waiting.
pub(super) const SLOW: Duration = Duration::from_secs(1);

/// How late an answer may be at the median before it is odd, and before it is a fault: the noise of an
/// ordinary machine, and what no margin of a tournament forgives.
const LATE: Duration = Duration::from_millis(15);
const TOO_LATE: Duration = Duration::from_millis(40);

/// The grades of an exercise that is over, because of a `complaint` or as it should be.
pub(super) fn of(
    exercise: &Exercise,
    heard: &Hearing,
    complaint: Option<String>,
    inspection: &Inspection,
) -> Vec<Grade> {
    let item = exercise.item;
    let mut grades = Vec::new();
    if let Some(mv) = heard.unasked.first() {
        let text = format!("`bestmove {mv}` that nobody had asked for");
        grades.push(Grade::new(item, Verdict::Fail, text));
    }
    match complaint {
        Some(text) => grades.push(Grade::new(item, Verdict::Fail, text)),
        None => grades.extend(met(exercise, heard, inspection)),
    }
    for grade in &mut grades {
        grade.verdict = grade.verdict.min(exercise.gravity);
        grade.text.insert_str(0, &exercise.about);
    }
    grades
}

/// The grades of an exercise that was gone through.
fn met(exercise: &Exercise, heard: &Hearing, inspection: &Inspection) -> Vec<Grade> {
    let item = exercise.item;
    let mut grades = Vec::new();
    match &exercise.expect {
        Expect::Greeting => grades.extend(inspection.introduction(heard.took)),
        Expect::Answers => grades.push(promptness(item, heard)),
        Expect::Moves(among) => grades.push(moves(exercise, heard, |board, word| {
            let mv = legal(board, word)?;
            if among.is_empty() || among.contains(&mv) {
                Ok(())
            } else {
                Err(format!("`bestmove {word}` is none of the `searchmoves`"))
            }
        })),
        Expect::Patience => {
            grades.push(moves(exercise, heard, |board, word| {
                legal(board, word).map(|_| ())
            }));
            if heard.hasty {
                let text = "it answered before it was told to stop";
                grades.push(Grade::new(item, Verdict::Warn, text));
            }
        }
        &Expect::Within(limit) => {
            grades.push(moves(exercise, heard, |board, word| {
                legal(board, word).map(|_| ())
            }));
            if grades.iter().all(|grade| grade.verdict == Verdict::Pass) {
                grades = vec![lateness(item, heard, limit)];
            }
        }
        Expect::Nothing => grades.push(match heard.moves.first() {
            Some((word, _)) => Grade::new(item, Verdict::Pass, format!("`bestmove {word}`")),
            None => Grade::new(
                item,
                Verdict::Warn,
                "no `bestmove` at all where no move is legal",
            ),
        }),
        Expect::End => grades.push(promptness(item, heard)),
    }
    grades
}

fn promptness(item: &'static str, heard: &Hearing) -> Grade {
    let took = format!("{} after `{}`", milliseconds(heard.took), heard.last_said);
    if heard.took < SLOW {
        Grade::new(item, Verdict::Pass, took)
    } else {
        Grade::new(item, Verdict::Warn, format!("only {took}"))
    }
}

fn legal(board: &Board, word: &str) -> Result<engine_core::Move, String> {
    match board.position.parse_uci(word.as_bytes(), board.style) {
        Ok(mv) => Ok(mv),
        Err(error) => Err(format!("`bestmove {word}` is no legal move: {error}")),
    }
}

fn moves(
    exercise: &Exercise,
    heard: &Hearing,
    judge: impl Fn(&Board, &str) -> Result<(), String>,
) -> Grade {
    let item = exercise.item;
    let Some(board) = &exercise.board else {
        return Grade::new(item, Verdict::Pass, "");
    };
    for (word, _) in &heard.moves {
        if let Err(text) = judge(board, word) {
            let text = format!("{text}, in `{}`", board.position.fen());
            return Grade::new(item, Verdict::Fail, text);
        }
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let text = format!("`bestmove {word}` has an upper-case promotion");
            return Grade::new(item, Verdict::Warn, text);
        }
    }
    match heard.moves.last() {
        Some((word, took)) => {
            let text = format!("`bestmove {word}` after {}", milliseconds(*took));
            Grade::new(item, Verdict::Pass, text)
        }
        None => Grade::new(item, Verdict::Fail, "no `bestmove`"),
    }
}

fn lateness(item: &'static str, heard: &Hearing, limit: Duration) -> Grade {
    let mut spans: Vec<Duration> = heard.moves.iter().map(|(_, took)| *took).collect();
    spans.sort_unstable();
    let (Some(&median), Some(&most)) = (spans.get(spans.len() / 2), spans.last()) else {
        return Grade::new(item, Verdict::Fail, "no `bestmove`");
    };
    let late = median.saturating_sub(limit);
    let verdict = match late {
        _ if TOO_LATE < late => Verdict::Fail,
        _ if LATE < late => Verdict::Warn,
        _ => Verdict::Pass,
    };
    let text = format!(
        "{} answers, at the median after {}, at most {}",
        spans.len(),
        milliseconds(median),
        milliseconds(most)
    );
    Grade::new(item, verdict, text)
}

pub(super) fn milliseconds(span: Duration) -> String {
    format!("{:.1} ms", span.as_secs_f64() * 1000.0)
}
