//! Who tells: each reporter is a fold over the events of a contest.

use std::io;

use match_core::event::Event;
use match_core::spec::OutputSpec;
use thiserror::Error;

use crate::journal::Journal;
use append::Appended;
use files::{Begin, Files};

pub(crate) mod append;
mod faults;
pub(crate) mod files;
mod pgn;
mod summary;

pub use faults::FaultFiles;
pub use summary::SummaryFile;

/// Listens to a contest. It is called on the dispatcher's thread, event by event in their order; no
/// game waits for it.
pub trait Reporter {
    /// Takes note of an event.
    ///
    /// # Errors
    /// When what is to be told cannot be told. The contest stops. The reporter hears no more, unless it
    /// says that only a part of it failed.
    fn event(&mut self, event: &Event) -> Result<(), ReportError>;
}

/// Something could not be told.
#[derive(Debug, Error)]
#[error("failed to write {what}")]
pub struct ReportError {
    /// What, such as `` `games.pgn` ``.
    what: String,
    source: io::Error,
    pub(crate) extent: Extent,
}

/// How much is lost with what could not be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The reporter goes on without what failed.
    Part,
    /// The reporter hears no more.
    Whole,
    /// That too, and it was the one that kept the games: those that come now do not count.
    Record,
}

impl ReportError {
    /// `what` is a file in backticks, or words such as `to the terminal`.
    pub fn new(what: impl Into<String>, source: io::Error) -> Self {
        Self {
            what: what.into(),
            source,
            extent: Extent::Whole,
        }
    }

    fn in_part(self) -> Self {
        let extent = Extent::Part;
        Self { extent, ..self }
    }

    fn losing_record(self) -> Self {
        let extent = Extent::Record;
        Self { extent, ..self }
    }
}

/// Sees whether all files of a contest can be written, and leaves nothing behind.
///
/// # Errors
/// For the first one that cannot.
pub fn probe(output: &OutputSpec) -> Result<(), ReportError> {
    if let Some(path) = &output.summary {
        SummaryFile::open(path)?;
    }
    if let Some(folder) = &output.faults {
        FaultFiles::open(folder)?;
    }
    let growing = [
        output.pgn.as_ref().map(|pgn| &pgn.path),
        output.events.as_ref(),
    ];
    growing
        .into_iter()
        .flatten()
        .try_for_each(|path| Appended::probe(path))
}

/// Opens the files that a contest is to write, beside the `journal` that it may have.
///
/// # Errors
/// For the first one that cannot be written. Files that were made on the way are empty.
pub fn open(
    output: &OutputSpec,
    journal: Option<Journal>,
) -> Result<Vec<Box<dyn Reporter>>, ReportError> {
    open_to(output, journal, Begin::Fresh)
}

/// Opens the files of a contest that goes on and whose `journal` they agree with.
///
/// # Errors
/// For the first one that cannot be written.
pub fn reopen(
    output: &OutputSpec,
    journal: Journal,
) -> Result<Vec<Box<dyn Reporter>>, ReportError> {
    open_to(output, Some(journal), Begin::Resumed)
}

fn open_to(
    output: &OutputSpec,
    journal: Option<Journal>,
    begin: Begin,
) -> Result<Vec<Box<dyn Reporter>>, ReportError> {
    let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
    let files = Files::open(output, journal, begin)?;
    if files.is_any() {
        reporters.push(Box::new(files));
    }
    if let Some(path) = &output.summary {
        reporters.push(Box::new(SummaryFile::open(path)?));
    }
    if let Some(folder) = &output.faults {
        reporters.push(Box::new(FaultFiles::open(folder)?));
    }
    Ok(reporters)
}
