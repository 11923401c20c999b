//! The one place that writes to the terminal: standard output is data, standard error is talk.
//! (The progress bar draws itself, and is handed the talk while it is on the screen.)

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::exit::Exit;
use crate::failure::Failure;

/// Writes lines; clones write to the same place.
///
/// A reader of standard output that goes away (`| head`) is no error: what follows is dropped. A
/// command that has nothing else to do asks [`Printer::is_heard`] and stops; a contest goes on. Any
/// other failure to write is kept until [`Printer::close`].
#[derive(Clone, Debug)]
pub(crate) struct Printer {
    stdout: Arc<Mutex<Stdout>>,
    color: bool,
}

#[derive(Debug)]
enum Stdout {
    Open,
    NobodyReads,
    Failed(io::Error),
}

impl Printer {
    pub(crate) fn new() -> Self {
        Self {
            stdout: Arc::new(Mutex::new(Stdout::Open)),
            color: io::stderr().is_terminal() && may_color(),
        }
    }

    /// Writes a line of data, whole and at once.
    pub(crate) fn data(&self, line: impl fmt::Display) {
        let mut state = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, Stdout::Open)
            && let Err(error) = write_line(&mut io::stdout().lock(), &line)
        {
            *state = match error.kind() {
                io::ErrorKind::BrokenPipe => Stdout::NobodyReads,
                _ => Stdout::Failed(error),
            };
        }
    }

    /// Writes a line of talk.
    pub(crate) fn talk(&self, line: impl fmt::Display) {
        let _nobody_to_tell = write_line(&mut io::stderr().lock(), &line);
    }

    /// Says what is odd and yet no reason to stop.
    pub(crate) fn warning(&self, text: impl fmt::Display) {
        let label = self.label("warning", "1;33");
        self.talk(format_args!("{label} {text}"));
    }

    /// Says what a person may want to know.
    pub(crate) fn note(&self, text: impl fmt::Display) {
        let label = self.label("note", "1;36");
        self.talk(format_args!("{label} {text}"));
    }

    /// Says why the command could not be carried out, and what to do about it.
    pub(crate) fn failure(&self, failure: &Failure) {
        let label = self.label("error", "1;31");
        self.talk(format_args!("{label} {}", failure.chain()));
        if let Some(hint) = failure.hint() {
            let label = self.label("hint", "1;36");
            self.talk(format_args!("{label} {hint}"));
        }
    }

    /// Whether lines of data still arrive somewhere.
    pub(crate) fn is_heard(&self) -> bool {
        let state = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(*state, Stdout::Open)
    }

    /// The last call: says whether all data was written.
    pub(crate) fn close(&self) -> Result<(), Failure> {
        let mut state = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, Stdout::NobodyReads) {
            Stdout::Open | Stdout::NobodyReads => Ok(()),
            Stdout::Failed(error) => Err(Failure::new(Exit::Stopped, Unwritten(error))),
        }
    }

    fn label(&self, word: &str, style: &str) -> String {
        if self.color {
            format!("\x1b[{style}m{word}:\x1b[0m")
        } else {
            format!("{word}:")
        }
    }
}

/// Standard output took no more.
#[derive(Debug, thiserror::Error)]
#[error("failed to write to standard output")]
struct Unwritten(#[source] io::Error);

/// One call of `write` a line, so that lines of several processes do not mix.
fn write_line(stream: &mut dyn Write, line: &dyn fmt::Display) -> io::Result<()> {
    stream.write_all(format!("{line}\n").as_bytes())?;
    stream.flush()
}

/// <https://no-color.org>: any non-empty value forbids colour.
fn may_color() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
