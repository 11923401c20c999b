//! Who tells: each reporter is a fold over the events of a contest.

use std::io;

use match_core::event::Event;
use match_core::spec::OutputSpec;
use thiserror::Error;

mod append;
mod events;
mod faults;
mod pgn;
mod summary;

pub use events::EventLines;
pub use faults::FaultFiles;
pub use pgn::PgnFile;
pub use summary::SummaryFile;

/// Listens to a contest. It is called on the dispatcher's thread, event by event in their order; no
/// game waits for it.
pub trait Reporter {
    /// Takes note of an event.
    ///
    /// # Errors
    /// When what is to be told cannot be told. The reporter hears no more, and the contest stops.
    fn event(&mut self, event: &Event) -> Result<(), ReportError>;
}

/// Something could not be told.
#[derive(Debug, Error)]
#[error("failed to write {what}")]
pub struct ReportError {
    /// What, such as `` `games.pgn` ``.
    what: String,
    source: io::Error,
}

impl ReportError {
    /// `what` is a file in backticks, or words such as `to the terminal`.
    pub fn new(what: impl Into<String>, source: io::Error) -> Self {
        Self {
            what: what.into(),
            source,
        }
    }
}

/// Opens the files that a contest is to write.
///
/// # Errors
/// For the first one that cannot be written. Files that were made on the way are empty.
pub fn open(output: &OutputSpec) -> Result<Vec<Box<dyn Reporter>>, ReportError> {
    let OutputSpec {
        pgn,
        events,
        summary,
        faults,
    } = output;
    let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
    if let Some(path) = summary {
        reporters.push(Box::new(SummaryFile::open(path)?));
    }
    if let Some(folder) = faults {
        reporters.push(Box::new(FaultFiles::open(folder)?));
    }
    if let Some(output) = pgn {
        reporters.push(Box::new(PgnFile::open(output)?));
    }
    if let Some(path) = events {
        reporters.push(Box::new(EventLines::open(path)?));
    }
    Ok(reporters)
}
