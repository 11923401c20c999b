//! Examines one engine as UCI: a machine that asks, listens and grades.
//!
//! ```text
//! Starting -> Running(exercise: step, step, ...) -> graded -> next exercise ... -> Over
//! ```
//!
//! Every exercise is a short conversation with something to expect, and ends with `isready`, so that what
//! an engine says too much is heard before the next one. An engine that does not answer, or ends, fails
//! the exercise and is started afresh for the next.
//!
//! Whoever drives it keeps to the rules of [`game`](crate::game): stamps of reads and writes, `poll` to
//! the end after every `handle`, `Alarm` at [`Examination::wake_at`].

use std::collections::VecDeque;
use std::time::Duration;

use uci::Reply;

use crate::moment::Moment;
use crate::talk::fit;

use exercise::{Await, Exercise, Expect, Step};
use inspection::Inspection;

mod curriculum;
mod exercise;
mod grading;
mod inspection;
mod options;

pub use grading::{Grade, Verdict};

/// How long an engine may take for what is not a search of a given length. Everybody else's runner waits
/// longer; but who needs longer than this for `isready` is worth hearing of.
pub const PATIENCE_DEFAULT: Duration = Duration::from_secs(5);

/// After so many exercises without an answer, or with an end, nothing new is learnt.
const BREAKDOWNS_MAX: u32 = 4;

/// Longest line of an engine's that is shown.
const EVIDENCE_BYTES_MAX: usize = 160;

/// What the machine is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A fresh process runs.
    Started,
    /// It printed a line.
    Line(&'a [u8]),
    /// It printed a line so long that its end was dropped.
    Cut,
    /// It closed its output.
    Closed,
    /// The process has ended.
    Ended {
        /// Such as `ended with exit code 0`.
        how: String,
        /// Whether that was with exit code 0.
        clean: bool,
        /// Processes that it left behind, one a line.
        left: Vec<String>,
    },
    /// The outbox has been written.
    Flushed,
    /// It is [`Examination::wake_at`] or later.
    Alarm,
}

/// What the machine asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Kill the process, if there is one, and start a fresh one.
    Start,
    /// Write the outbox.
    Write,
    /// Close the engine's input.
    CloseInput,
    /// Something has been graded.
    Graded(Grade),
    /// All is done.
    Over,
}

/// One engine's examination.
#[derive(Debug)]
pub struct Examination {
    patience: Duration,
    settings: Vec<(String, String)>,
    waiting: VecDeque<Exercise>,
    now: Option<Run>,
    /// Of the engine, as far as it introduced itself.
    inspection: Inspection,
    outbox: Vec<u8>,
    outputs: VecDeque<Output>,
    breakdowns: u32,
    /// The next exercise needs a fresh process.
    is_broken: bool,
    over: bool,
}

/// An exercise under way.
#[derive(Debug)]
struct Run {
    exercise: Exercise,
    /// What comes next; the step that is being waited for is `pending`.
    steps: VecDeque<Step>,
    pending: Pending,
    heard: Hearing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    /// A fresh process.
    Start,
    /// That what was said leaves our hands.
    Flush { is_go: bool },
    /// An answer, until then.
    Answer(Await, Moment),
    /// That time passes.
    Pause(Moment),
}

/// What was heard in one exercise.
#[derive(Debug, Default)]
struct Hearing {
    /// The last time that something was said.
    said: Moment,
    /// When the last `go` had left our hands.
    went: Option<Moment>,
    /// Moves with the time that they took, in order; asked for.
    moves: Vec<(String, Duration)>,
    /// Moves that nobody had asked for.
    unasked: Vec<String>,
    /// How long the slowest answer took.
    took: Duration,
    /// The last word that was said, for who does not answer it.
    last_said: String,
    /// A move came in a pause, before `stop`.
    hasty: bool,
}

impl Examination {
    /// Begins to examine an engine; `patience` is for what is no search of a given length. `settings` are
    /// options that it needs, and which are left as they are then.
    pub fn new(patience: Duration, settings: Vec<(String, String)>) -> Self {
        let mut examination = Self {
            patience,
            waiting: curriculum::introduction(&settings).into(),
            settings,
            now: None,
            inspection: Inspection::default(),
            outbox: Vec::new(),
            outputs: VecDeque::new(),
            breakdowns: 0,
            is_broken: true,
            over: false,
        };
        examination.next_exercise();
        examination
    }

    /// Takes in what happened.
    pub fn handle(&mut self, at: Moment, input: Input<'_>) {
        match input {
            Input::Started => {
                if matches!(&self.now, Some(run) if run.pending == Pending::Start) {
                    self.advance(at);
                }
            }
            Input::Line(line) => self.hear(at, line),
            Input::Cut => self.inspection.cut(),
            Input::Closed => self.lost("closed its output"),
            Input::Ended { how, clean, left } => self.ended(at, &how, clean, &left),
            Input::Flushed => self.flushed(at),
            Input::Alarm => {}
        }
        self.expire(at);
    }

    /// What is to be done; nothing when all is said.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to come back if nothing happens.
    pub fn wake_at(&self) -> Option<Moment> {
        match self.now.as_ref()?.pending {
            Pending::Answer(_, due) | Pending::Pause(due) => Some(due),
            Pending::Start | Pending::Flush { .. } => None,
        }
    }

    /// All bytes that are not known to be written.
    pub fn outbox(&self) -> &[u8] {
        &self.outbox
    }

    /// What the engine calls itself; empty when it has not said so.
    pub fn name(&self) -> &str {
        self.inspection.name()
    }

    fn hear(&mut self, at: Moment, line: &[u8]) {
        let Some(run) = &mut self.now else { return };
        let reply = Reply::parse(line);
        let searching = run.heard.went.is_some();
        let board = run.exercise.board.as_ref();
        let is_free =
            run.exercise.item == curriculum::UNKNOWN_WORDS || (searching && board.is_none());
        self.inspection
            .hear(line, &reply, board.filter(|_| searching), is_free);
        let answer = match reply {
            Reply::UciOk => Await::UciOk,
            Reply::ReadyOk => Await::ReadyOk,
            Reply::BestMove { mv, .. } => {
                let mv = fit(mv, EVIDENCE_BYTES_MAX);
                match run.heard.went.take() {
                    Some(went) => run.heard.moves.push((mv, at.since(went))),
                    None => run.heard.unasked.push(mv),
                }
                run.heard.hasty |= matches!(run.pending, Pending::Pause(_)) && searching;
                Await::BestMove
            }
            Reply::IdName(_)
            | Reply::IdAuthor(_)
            | Reply::Option(_)
            | Reply::Info(_)
            | Reply::Noise => return,
        };
        let is_wanted = matches!(run.pending, Pending::Answer(wanted, _) if wanted == answer);
        if is_wanted && (answer != Await::BestMove || searching) {
            run.heard.took = run.heard.took.max(at.since(run.heard.said));
            self.advance(at);
        }
    }

    fn flushed(&mut self, at: Moment) {
        self.outbox.clear();
        if let Some(run) = &mut self.now
            && let Pending::Flush { is_go } = run.pending
        {
            run.heard.said = at;
            if is_go {
                run.heard.went = Some(at);
            }
            self.advance(at);
        }
    }

    /// Goes on with the next step, or to the end of the exercise.
    fn advance(&mut self, at: Moment) {
        let Some(run) = &mut self.now else { return };
        let Some(step) = run.steps.pop_front() else {
            return self.grade(None);
        };
        run.pending = match step {
            Step::Say(text) => {
                let is_go = text.starts_with("go ") || text == "go\n";
                run.heard.last_said = text.lines().last().unwrap_or_default().to_owned();
                self.outbox.extend_from_slice(text.as_bytes());
                self.outputs.push_back(Output::Write);
                Pending::Flush { is_go }
            }
            // An answer that has come already, in the pause before `stop`, is not waited for.
            Step::Await(Await::BestMove, _) if run.heard.went.is_none() => return self.advance(at),
            Step::Await(what, within) => {
                Pending::Answer(what, at + within.unwrap_or(self.patience))
            }
            Step::Pause(span) => Pending::Pause(at + span),
            Step::CloseInput => {
                self.outputs.push_back(Output::CloseInput);
                run.heard.last_said = "the end of its input".to_owned();
                return self.advance(at);
            }
        };
    }

    /// Whatever was to come until now and has not.
    fn expire(&mut self, at: Moment) {
        let Some(run) = &self.now else { return };
        match run.pending {
            Pending::Pause(due) if due <= at => self.advance(at),
            Pending::Answer(what, due) if due <= at => {
                let waited = due.since(run.heard.said);
                let last = &run.heard.last_said;
                let text = match what {
                    Await::End => format!("it still runs {} ms after `{last}`", waited.as_millis()),
                    Await::UciOk | Await::ReadyOk | Await::BestMove => {
                        format!("no `{what}` within {} ms of `{last}`", waited.as_millis())
                    }
                };
                self.is_broken = true;
                self.breakdowns += 1;
                self.grade(Some(text));
            }
            Pending::Start | Pending::Flush { .. } | Pending::Pause(_) | Pending::Answer(..) => {}
        }
    }

    /// The engine is not there any more, though somebody wants it.
    fn lost(&mut self, how: &str) {
        let Some(run) = &self.now else { return };
        let is_expected = matches!(run.pending, Pending::Answer(Await::End, _) | Pending::Start)
            || run.steps.iter().any(Step::is_end) && run.exercise.expect == Expect::End;
        if !is_expected {
            let text = match run.heard.last_said.as_str() {
                "" => format!("it {how} before it was told anything"),
                last => format!("it {how} after `{last}`"),
            };
            self.is_broken = true;
            self.breakdowns += 1;
            self.outbox.clear();
            self.grade(Some(text));
        }
    }

    fn ended(&mut self, at: Moment, how: &str, clean: bool, left: &[String]) {
        self.inspection.left(left);
        let Some(run) = &mut self.now else { return };
        self.is_broken = true;
        if matches!(run.pending, Pending::Answer(Await::End, _)) {
            run.heard.took = at.since(run.heard.said);
            let complaint = (!clean).then(|| format!("it {how} after `{}`", run.heard.last_said));
            self.grade(complaint);
        } else {
            self.lost(how);
        }
    }

    /// The exercise is over: with a complaint of ours, or with what was heard.
    fn grade(&mut self, complaint: Option<String>) {
        let Some(run) = self.now.take() else { return };
        let failed = complaint.is_some();
        let is_first = run.exercise.expect == Expect::Greeting;
        for grade in grading::of(&run.exercise, &run.heard, complaint, &self.inspection) {
            self.outputs.push_back(Output::Graded(grade));
        }
        if is_first && failed {
            return self.finish("it does not speak UCI, and nothing else was examined");
        }
        if is_first {
            self.waiting = curriculum::rest(self.inspection.options(), &self.settings).into();
        }
        if BREAKDOWNS_MAX <= self.breakdowns && !self.waiting.is_empty() {
            return self.finish("it broke down too often: the rest was not examined");
        }
        self.next_exercise();
    }

    fn next_exercise(&mut self) {
        let Some(exercise) = self.waiting.pop_front() else {
            for grade in self.inspection.grades() {
                self.outputs.push_back(Output::Graded(grade));
            }
            return self.stop();
        };
        let mut steps: VecDeque<Step> = exercise.steps.clone().into();
        let needs_fresh = self.is_broken || exercise.expect == Expect::Greeting;
        if needs_fresh && exercise.expect != Expect::Greeting {
            for step in curriculum::again(&self.settings).into_iter().rev() {
                steps.push_front(step);
            }
        }
        self.now = Some(Run {
            exercise,
            steps,
            pending: Pending::Start,
            heard: Hearing::default(),
        });
        if needs_fresh {
            self.is_broken = false;
            self.outbox.clear();
            self.outputs.push_back(Output::Start);
        } else {
            self.advance(Moment::ZERO);
        }
    }

    /// Ends before everything was examined.
    fn finish(&mut self, why: &str) {
        for grade in self.inspection.grades() {
            self.outputs.push_back(Output::Graded(grade));
        }
        self.outputs.push_back(Output::Graded(Grade {
            item: "examination",
            verdict: Verdict::Fail,
            text: why.to_owned(),
        }));
        self.stop();
    }

    fn stop(&mut self) {
        if !std::mem::replace(&mut self.over, true) {
            self.outputs.push_back(Output::Over);
        }
    }
}
