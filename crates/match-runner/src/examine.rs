//! Examines an engine: starts it as often as the examination wants, and carries words to and fro.

use std::sync::Arc;
use std::time::Duration;

use match_core::examination::{Examination, Grade, Input, Output};
use match_core::spec::EngineSpec;
use rustix::event::{PollFd, PollFlags, poll};

use crate::host::Host;
use crate::interrupt::Interrupts;
use crate::prepare::{PrepareError, start};
use crate::process::{Filled, Launcher, Process, Sent, Start};
use crate::wall::{Wall, timespec};

/// How often it is looked whether somebody wants us to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Reads that are made at most from an engine that has ended: more than a full pipe.
const LAST_READS_MAX: usize = 64;

/// An examination that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// What the engine calls itself; empty when it has not said so.
    pub name: String,
    /// In the order in which they were given.
    pub grades: Vec<Grade>,
    /// The last words on the stderr of the process that was started last.
    pub last_words: String,
}

/// Examines an engine as UCI; `hear` is told each grade at once.
///
/// # Errors
/// When the engine cannot be started at all, or somebody interrupts us.
pub fn examine(
    engine: &EngineSpec,
    patience: Duration,
    host: &Host,
    interrupts: &Interrupts,
    mut hear: impl FnMut(&Grade),
) -> Result<Examined, PrepareError> {
    let start = start(engine, host)?;
    let launcher = match &host.binary {
        Some(binary) => {
            Some(
                Launcher::new(binary.clone()).map_err(|source| PrepareError::Host {
                    what: "start our own binary",
                    source,
                })?,
            )
        }
        None => None,
    };
    let mut examiner = Examiner {
        start,
        launcher,
        wall: Wall::start(),
        examination: Examination::new(patience, engine.options.clone()),
        process: None,
        sent: 0,
        has_unsent: false,
        told_closed: false,
        grades: Vec::new(),
        last_words: String::new(),
        over: false,
    };
    examiner.carry_out(&mut hear)?;
    while !examiner.over {
        if interrupts.count() > 0 {
            return Err(PrepareError::Interrupted);
        }
        examiner.wait();
        examiner.attend(&mut hear)?;
    }
    Ok(Examined {
        name: examiner.examination.name().to_owned(),
        grades: examiner.grades,
        last_words: examiner.last_words,
    })
}

/// The machine and the process.
struct Examiner {
    start: Start,
    launcher: Option<Arc<Launcher>>,
    wall: Wall,
    examination: Examination,
    process: Option<Process>,
    /// Bytes of the outbox that are on their way.
    sent: usize,
    has_unsent: bool,
    /// The end of its output has been told.
    told_closed: bool,
    grades: Vec<Grade>,
    last_words: String,
    over: bool,
}

impl Examiner {
    /// Waits until anything can be read or written, or it is time.
    fn wait(&self) {
        let Some(process) = &self.process else { return };
        if process.has_more() {
            return;
        }
        let readable = [process.output_fd(), process.errors_fd(), process.end_fd()];
        let mut fds: Vec<PollFd<'_>> = readable
            .into_iter()
            .flatten()
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        if self.has_unsent {
            let writable = process.input_fd();
            fds.extend(writable.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
        }
        let due = self.examination.wake_at();
        let left = due.map_or(LOOK_UP, |due| self.wall.until(due));
        let _everything_is_tried_anyway = poll(&mut fds, Some(&timespec(left.min(LOOK_UP))));
    }

    fn attend(&mut self, hear: &mut impl FnMut(&Grade)) -> Result<(), PrepareError> {
        let Some(process) = &mut self.process else {
            return self.tell(Input::Alarm, hear);
        };
        process.read_errors();
        // Looked at before the last reads, so that what it said before its end is heard before it.
        let ended = process.has_ended();
        for _ in 0..if ended { LAST_READS_MAX } else { 1 } {
            let Some(process) = &mut self.process else {
                break;
            };
            let filled = process.read_output();
            let at = self.wall.now();
            while let Some(line) = self.process.as_mut().and_then(|one| one.next_line(at)) {
                self.examination.handle(at, Input::Line(line));
            }
            self.carry_out(hear)?;
            if filled == Filled::End {
                self.close(hear)?;
            }
            if matches!(filled, Filled::End | Filled::Nothing) {
                break;
            }
        }
        if self.has_unsent {
            self.write();
            self.carry_out(hear)?;
        }
        if ended && let Some(process) = &mut self.process {
            let known = self.launcher.as_ref().map_or(0, |one| one.found().len());
            let (how, clean, others) = process.inquest();
            self.last_words = process.last_words();
            self.process = None;
            let mut left = self
                .launcher
                .as_ref()
                .map_or_else(Vec::new, |one| one.found());
            left.drain(..known.min(left.len()));
            if 0 < others {
                left.push(format!(
                    "{others} of its processes lived on when it had ended"
                ));
            }
            self.tell(Input::Ended { how, clean, left }, hear)?;
        }
        self.tell(Input::Alarm, hear)
    }

    /// Nothing more will come; a last line without a newline is a line.
    fn close(&mut self, hear: &mut impl FnMut(&Grade)) -> Result<(), PrepareError> {
        if std::mem::replace(&mut self.told_closed, true) {
            return Ok(());
        }
        let at = self.wall.now();
        if let Some(line) = self.process.as_mut().and_then(|one| one.last_line(at)) {
            self.examination.handle(at, Input::Line(line));
        }
        // Of one that is about to end, its end will be told, which says more.
        let due = at + CLOSING;
        while self.process.as_ref().is_some_and(|one| !one.has_ended()) && self.wall.now() < due {
            let fd = self.process.as_ref().and_then(Process::end_fd);
            let mut fds: Vec<_> = (fd.into_iter())
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
                .collect();
            let _in_vain_or_not = poll(&mut fds, Some(&timespec(self.wall.until(due))));
        }
        if self.process.as_ref().is_some_and(Process::has_ended) {
            return self.carry_out(hear);
        }
        self.tell(Input::Closed, hear)
    }

    fn tell(
        &mut self,
        input: Input<'_>,
        hear: &mut impl FnMut(&Grade),
    ) -> Result<(), PrepareError> {
        self.examination.handle(self.wall.now(), input);
        self.carry_out(hear)
    }

    fn carry_out(&mut self, hear: &mut impl FnMut(&Grade)) -> Result<(), PrepareError> {
        let cut = self.process.as_mut().map_or(0, |one| one.take_cut());
        if 0 < cut {
            self.examination.handle(self.wall.now(), Input::Cut);
        }
        while let Some(output) = self.examination.poll() {
            match output {
                Output::Start => self.start_afresh()?,
                Output::Write => self.write(),
                Output::CloseInput => {
                    if let Some(process) = &mut self.process {
                        process.close_input();
                    }
                }
                Output::Graded(grade) => {
                    hear(&grade);
                    self.grades.push(grade);
                }
                Output::Over => {
                    self.process = None;
                    self.over = true;
                }
            }
        }
        Ok(())
    }

    fn start_afresh(&mut self) -> Result<(), PrepareError> {
        self.process = None;
        (self.sent, self.has_unsent, self.told_closed) = (0, false, false);
        let process =
            Process::spawn(&self.start, None, self.launcher.as_ref()).map_err(|error| {
                PrepareError::Unstarted {
                    engine: self.start.name.clone(),
                    why: format!("cannot be started: {error}"),
                }
            })?;
        self.process = Some(process);
        self.examination.handle(self.wall.now(), Input::Started);
        Ok(())
    }

    fn write(&mut self) {
        let Some(process) = &mut self.process else {
            return;
        };
        match process.send(&self.examination.outbox()[self.sent..]) {
            Sent::Partly(more) => {
                self.sent += more;
                self.has_unsent = true;
            }
            Sent::All | Sent::Broken => {
                (self.sent, self.has_unsent) = (0, false);
                self.examination.handle(self.wall.now(), Input::Flushed);
            }
        }
    }
}

/// From the end of the output to the end of the process, of one that ends.
const CLOSING: Duration = Duration::from_millis(100);
