//! What is looked at in every line that an engine says.

use std::time::Duration;

use uci::{OptionDecl, OptionKind, Options, Reply, Session};

use super::exercise::Board;
use super::grading::{Grade, SLOW, Verdict, milliseconds};
use super::{EVIDENCE_BYTES_MAX, fit};

/// Everything that was said, folded.
#[derive(Debug)]
pub(super) struct Inspection {
    /// Knows options and names; only the greeting goes through it.
    session: Session,
    greeted: bool,
    greetings: u32,
    before: Vec<String>,
    bad_options: Vec<String>,
    infos: u64,
    scores: u64,
    exact: u64,
    variations: u64,
    oddities: Vec<Oddity>,
    left: Vec<String>,
    cut: bool,
}

/// Something odd in a line, with how often it was heard.
#[derive(Debug)]
struct Oddity {
    kind: &'static str,
    verdict: Verdict,
    text: String,
    times: u64,
}

impl Default for Inspection {
    fn default() -> Self {
        let mut session = Session::new();
        let mut _sent_by_the_exercise = Vec::new();
        session
            .send(&uci::Command::Uci, &mut _sent_by_the_exercise)
            .expect("a fresh session may say `uci`");
        Self {
            session,
            greeted: false,
            greetings: 0,
            before: Vec::new(),
            bad_options: Vec::new(),
            infos: 0,
            scores: 0,
            exact: 0,
            variations: 0,
            oddities: Vec::new(),
            left: Vec::new(),
            cut: false,
        }
    }
}

impl Inspection {
    pub(super) fn name(&self) -> &str {
        self.session.name()
    }

    pub(super) const fn options(&self) -> &Options {
        self.session.options()
    }

    /// Looks at a line; `board` is where the engine searches, if it does. With `is_free` it may say what
    /// it likes and when.
    pub(super) fn hear(
        &mut self,
        line: &[u8],
        reply: &Reply<'_>,
        board: Option<&Board>,
        is_free: bool,
    ) {
        let shown = fit(line.trim_ascii(), EVIDENCE_BYTES_MAX);
        if str::from_utf8(line).is_err() || line.contains(&0) {
            self.note(
                "bytes",
                Verdict::Warn,
                format!("bytes that are no text: `{shown}`"),
            );
        }
        match reply {
            Reply::Info(info) => {
                self.infos += 1;
                self.scores += u64::from(info.score.is_some());
                self.exact += u64::from(info.score.is_some() && info.bound.is_none());
                self.variations += u64::from(!info.pv.is_empty());
                let is_mate = board.is_some_and(|board| board.position.is_checkmate());
                self.look_at_fields(line, is_mate, &shown);
                if let Some(board) = board {
                    self.look_at_variation(info.pv, board, &shown);
                } else if info.score.is_some() && !is_free {
                    let text = format!("a score while it does not search: `{shown}`");
                    self.note("time", Verdict::Warn, text);
                }
            }
            Reply::Noise if !self.greeted || is_free => {}
            Reply::Noise => {
                let word = line.trim_ascii();
                let known = [&b"copyprotection"[..], b"registration"];
                if !word.is_empty() && !known.iter().any(|known| word.starts_with(known)) {
                    let text = format!("a line that is not UCI: `{shown}`");
                    self.note("noise", Verdict::Warn, text);
                }
            }
            Reply::IdName(_)
            | Reply::IdAuthor(_)
            | Reply::Option(_)
            | Reply::UciOk
            | Reply::ReadyOk
            | Reply::BestMove { .. } => {}
        }
        if !self.greeted {
            self.hear_greeting(line, reply, &shown);
        }
    }

    fn hear_greeting(&mut self, line: &[u8], reply: &Reply<'_>, shown: &str) {
        match reply {
            Reply::UciOk => self.greetings += 1,
            Reply::ReadyOk => self.greeted = true,
            Reply::Noise if !line.trim_ascii().is_empty() => self.before.push(shown.to_owned()),
            _ => {}
        }
        // After `uciok` too: it may have come early.
        if let Ok(uci::Heard::BadOption(error)) = self.session.receive(line) {
            self.bad_options.push(error.to_string());
        }
    }

    pub(super) fn cut(&mut self) {
        if !std::mem::replace(&mut self.cut, true) {
            let text = "a line of more than 64 KiB".to_owned();
            self.note("length", Verdict::Fail, text);
        }
    }

    pub(super) fn left(&mut self, left: &[String]) {
        for line in left {
            if self.left.len() < LEFT_MAX && !self.left.contains(line) {
                self.left.push(line.clone());
            }
        }
    }

    fn note(&mut self, kind: &'static str, verdict: Verdict, text: String) {
        match self.oddities.iter_mut().find(|odd| odd.kind == kind) {
            Some(odd) => odd.times += 1,
            None => self.oddities.push(Oddity {
                kind,
                verdict,
                text,
                times: 1,
            }),
        }
    }

    /// Numbers are numbers, and keys have values.
    fn look_at_fields(&mut self, line: &[u8], is_mate: bool, shown: &str) {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_ascii_whitespace().skip(1).peekable();
        while let Some(key) = words.next() {
            let next = words.peek().copied().unwrap_or_default();
            let is_right = match key {
                "string" => return,
                "depth" | "seldepth" | "time" | "nodes" | "multipv" | "nps" | "hashfull"
                | "tbhits" | "cpuload" | "currmovenumber" => next.parse::<u64>().is_ok(),
                "cp" | "mate" => next.parse::<i32>().is_ok(),
                "score" => matches!(next, "cp" | "mate" | "lowerbound" | "upperbound"),
                _ => true,
            };
            if !is_right {
                let text = format!("`{key} {next}` in `{shown}`");
                self.note("fields", Verdict::Fail, text);
            }
            if key == "mate" && next == "0" && !is_mate {
                self.note("mate 0", Verdict::Warn, format!("`mate 0` in `{shown}`"));
            }
        }
    }

    fn look_at_variation(&mut self, pv: &[u8], board: &Board, shown: &str) {
        let mut position = board.position;
        let words = pv.split(u8::is_ascii_whitespace);
        for word in words.filter(|word| !word.is_empty()) {
            let Ok(mv) = position.parse_uci(word, board.style) else {
                let word = String::from_utf8_lossy(word);
                let text = format!("`{word}` is no legal move in the variation of `{shown}`");
                return self.note("variation", Verdict::Fail, text);
            };
            position.play_unchecked(mv);
        }
    }

    /// The grades of the greeting; `took` is how long its slowest answer took.
    pub(super) fn introduction(&self, took: Duration) -> Vec<Grade> {
        let mut grades = vec![match (self.before.first(), self.greetings) {
            (_, 2..) => Grade::new("greeting", Verdict::Fail, "`uciok` more than once"),
            (Some(line), _) => {
                let text = format!("a line that is not UCI: `{line}`");
                Grade::new("greeting", Verdict::Warn, text)
            }
            (None, _) => {
                let text = format!("`uciok` and `readyok` within {}", milliseconds(took));
                let is_slow = SLOW <= took;
                let verdict = if is_slow {
                    Verdict::Warn
                } else {
                    Verdict::Pass
                };
                Grade::new("greeting", verdict, text)
            }
        }];
        grades.push(match (self.session.name(), self.session.author()) {
            ("", _) => Grade::new("name", Verdict::Warn, "no `id name`"),
            (name, "") => Grade::new("name", Verdict::Warn, format!("{name}, no `id author`")),
            (name, author) => Grade::new("name", Verdict::Pass, format!("{name}, by {author}")),
        });
        let wrong = (self.bad_options.iter().cloned())
            .chain(self.options().iter().filter_map(contradiction))
            .map(|text| Grade::new("options", Verdict::Fail, text));
        let before = grades.len();
        grades.extend(wrong);
        if grades.len() == before {
            let text = format!("{} options", self.options().len());
            grades.push(Grade::new("options", Verdict::Pass, text));
        }
        grades
    }

    /// The grades of all that was said.
    pub(super) fn grades(&self) -> Vec<Grade> {
        const ITEM: &str = "what it says";
        let mut grades = Vec::new();
        for Oddity {
            verdict,
            text,
            times,
            ..
        } in &self.oddities
        {
            let times = match times {
                1 => String::new(),
                _ => format!(" (and {} more such lines)", times - 1),
            };
            grades.push(Grade::new(ITEM, *verdict, format!("{text}{times}")));
        }
        if self.greeted {
            for (is_missing, what) in [
                (self.infos == 0, "no `info` at all"),
                (0 < self.infos && self.scores == 0, "no `score`"),
                (
                    0 < self.scores && self.exact == 0,
                    "only bounds, no exact `score`",
                ),
                (0 < self.infos && self.variations == 0, "no `pv`"),
            ] {
                if is_missing {
                    grades.push(Grade::new(ITEM, Verdict::Warn, what));
                }
            }
        }
        if grades.is_empty() && 0 < self.infos {
            let text = format!("{} `info` lines, all well formed", self.infos);
            grades.push(Grade::new(ITEM, Verdict::Pass, text));
        }
        for line in &self.left {
            grades.push(Grade::new("what it leaves", Verdict::Fail, line.clone()));
        }
        grades
    }
}

/// How many lines of what was left behind are told.
const LEFT_MAX: usize = 4;

/// What an option says against itself.
fn contradiction(option: &OptionDecl) -> Option<String> {
    let OptionDecl { name, kind } = option;
    match kind {
        OptionKind::Spin {
            default: Some(default),
            min,
            max,
        } if !(min..=max).contains(&default) => Some(format!(
            "option `{name}` has default {default}, which is not from {min} to {max}"
        )),
        OptionKind::Combo { default, vars } if !default.is_empty() && !vars.contains(default) => {
            Some(format!(
                "option `{name}` has default `{default}`, which is none of its values"
            ))
        }
        _ => None,
    }
}
