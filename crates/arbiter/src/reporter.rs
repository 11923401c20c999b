//! What a person sees of a contest: progress while it runs, and a report at the end.
//!
//! Games finished go to standard output, a line each, and so does the report; the bar and all talk
//! go to standard error.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::sync::Arc;

use match_core::event::{Event, EventKind, StopReason};
use match_core::fixture::{EngineId, GameNumber};
use match_core::record::GameRecord;
use match_core::spec::Spec;
use match_core::verdict::{Verdict, VoidReason};
use match_runner::reporter::{ReportError, Reporter};

use crate::command::contest::Progress;
use crate::printer::Printer;

mod bar;
mod line;
mod report;
mod tally;

use bar::Bar;

pub(crate) use report::of as report_of;

/// Different warnings that are remembered, so that each is said once. An engine that invents new
/// ones all the time may repeat itself beyond that, and does not fill the memory.
const WARNINGS_MAX: usize = 1000;

/// The reporter of `arbiter match`.
pub(crate) struct Terminal {
    printer: Printer,
    /// A line on standard output for every finished game.
    lines: bool,
    bar: Option<Bar>,
    quiet: bool,
    contest: Option<Contest>,
    warned: BTreeSet<(Option<EngineId>, String)>,
}

/// What was said at the start.
struct Contest {
    spec: Arc<Spec>,
    games: u64,
}

impl Terminal {
    /// A reporter that shows `progress`, or none.
    pub(crate) fn new(progress: Option<Progress>, printer: &Printer) -> Self {
        let stderr = io::stderr().is_terminal();
        let stdout = io::stdout().is_terminal();
        let (bar, lines) = match progress {
            None => (false, false),
            Some(Progress::Plain) => (false, true),
            Some(Progress::Bar) => (stderr, !stderr),
            // With the lines in a file and the bar on the screen, both have a reader.
            Some(Progress::Auto) => (stderr, !(stderr && stdout)),
        };
        Self {
            printer: printer.clone(),
            lines,
            bar: bar.then(Bar::new),
            quiet: progress.is_none(),
            contest: None,
            warned: BTreeSet::new(),
        }
    }

    /// Writes talk above the bar.
    fn talk(&self, print: impl FnOnce(&Printer)) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(&self.printer)),
            None => print(&self.printer),
        }
    }

    fn note(&self, text: &str) {
        if !self.quiet {
            self.talk(|printer| printer.talk(text));
        }
    }

    fn warn(&mut self, game: Option<GameNumber>, engine: Option<EngineId>, text: &str) {
        if self.warned.len() < WARNINGS_MAX && !self.warned.insert((engine, text.to_owned())) {
            return;
        }
        let game = game
            .map(|game| format!("game {game}: "))
            .unwrap_or_default();
        let engine = engine
            .map(|engine| format!("{}: ", self.name(engine)))
            .unwrap_or_default();
        self.talk(|printer| printer.warning(format_args!("{game}{engine}{text}")));
    }

    fn begin(&mut self, spec: &Arc<Spec>, games: u64, slots: usize) {
        self.note(&line::started(spec, games, slots));
        if let Some(bar) = &mut self.bar {
            bar.start(spec, games);
        }
        let spec = Arc::clone(spec);
        self.contest = Some(Contest { spec, games });
    }

    fn contest(&self) -> &Contest {
        self.contest
            .as_ref()
            .expect("a contest starts before anything happens in it")
    }

    fn name(&self, engine: EngineId) -> &str {
        &self.contest().spec.engines[engine.0].name
    }

    fn game_over(&mut self, record: &GameRecord) {
        if let Verdict::Void(reason) = &record.verdict {
            // Games that a stop cut short are no news: the stop itself was told.
            if let VoidReason::Host(why) = reason {
                let text = format!("void, and will be played again: {why}");
                self.warn(Some(record.fixture.number), None, &text);
            }
        } else if self.lines {
            let Contest { spec, games } = self.contest();
            let line = line::finished(spec, *games, record);
            self.talk(|printer| printer.data(line));
        }
    }

    fn draining(&self, reason: &StopReason) {
        match reason {
            StopReason::Decided => self.note("the test is decided"),
            StopReason::Interrupted => {
                self.note("interrupted: running games are given up; once more to kill the engines")
            }
            // Said at the end, as the error that it is.
            StopReason::TooManyFaults(_)
            | StopReason::EngineUnusable(_)
            | StopReason::HostUnfit(_)
            | StopReason::ReporterFailed(_)
            | StopReason::Killed => {}
        }
    }
}

impl Reporter for Terminal {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        match &event.kind {
            EventKind::ContestStarted { spec, games, slots } => {
                self.begin(spec, *games, *slots);
            }
            EventKind::ContestResumed {
                spec,
                games,
                slots,
                summary,
            } => {
                self.begin(spec, *games, *slots);
                self.note(&line::resumed(spec, *games, summary));
                if let Some(bar) = &mut self.bar {
                    bar.update(summary);
                }
            }
            EventKind::GameStarted { .. } => {}
            EventKind::EngineStartFailed {
                game, engine, text, ..
            } => {
                self.warn(
                    Some(*game),
                    Some(*engine),
                    &format!("failed to start: {text}"),
                );
            }
            EventKind::GameFinished {
                record, summary, ..
            } => {
                self.game_over(record);
                if let Some(bar) = &mut self.bar {
                    bar.update(summary);
                }
            }
            EventKind::Warned { game, engine, text } => self.warn(*game, *engine, text),
            EventKind::EngineRestarted { engine, fault, .. } => {
                if let Some(fault) = fault {
                    self.note(&format!(
                        "{}: a fresh process after: {fault}",
                        self.name(*engine)
                    ));
                }
            }
            EventKind::FaultRecorded {
                game, engine, file, ..
            } => self.note(&format!(
                "game {game}: {}: what was said is in `{}`",
                self.name(*engine),
                file.display()
            )),
            EventKind::Draining { reason } => self.draining(reason),
            EventKind::ContestFinished {
                summary, stopped, ..
            } => {
                if let Some(bar) = self.bar.take() {
                    bar.finish();
                }
                let report = report::of(&self.contest().spec, summary, stopped.as_ref());
                self.printer.data(report);
            }
        }
        Ok(())
    }
}
