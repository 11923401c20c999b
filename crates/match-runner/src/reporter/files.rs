//! The files of a contest that grow with every event: journal, PGN, event lines.
//!
//! The journal comes first. Nothing may be in another file that is not in the journal, or it could not
//! be told after an interruption what is whole; so when the journal fails the others are told nothing
//! more. When another fails, the journal still keeps what that one lacks.

use std::sync::Arc;

use match_core::event::{Event, EventKind, json};
use match_core::journal::with_pgn;
use match_core::spec::{OutputSpec, Spec};

use super::append::{Appended, Existing};
use super::pgn::Scribe;
use super::{ReportError, Reporter};
use crate::journal::Journal;

pub(crate) mod mend;

/// Writes them.
#[derive(Debug)]
pub(super) struct Files {
    journal: Option<Journal>,
    pgn: Option<(Scribe, Option<Appended>)>,
    events: Option<Appended>,
    spec: Option<Arc<Spec>>,
}

/// Whether what events lines are there belongs to the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    Fresh,
    Resumed,
}

impl Files {
    /// Opens the files.
    ///
    /// # Errors
    /// For the first one that cannot be written.
    pub(super) fn open(
        output: &OutputSpec,
        journal: Option<Journal>,
        begin: Begin,
    ) -> Result<Self, ReportError> {
        let pgn = match &output.pgn {
            Some(pgn) => {
                let file = Appended::open(&pgn.path, Existing::Keep)?;
                Some((Scribe::new(pgn.clone()), Some(file)))
            }
            None => None,
        };
        let existing = match begin {
            Begin::Fresh => Existing::Replace,
            Begin::Resumed => Existing::Keep,
        };
        let events = match &output.events {
            Some(path) => Some(Appended::open(path, existing)?),
            None => None,
        };
        Ok(Self {
            journal,
            pgn,
            events,
            spec: None,
        })
    }

    /// Whether there is anything to write.
    pub(super) fn is_any(&self) -> bool {
        self.journal.is_some() || self.pgn.is_some() || self.events.is_some()
    }

    fn write(&mut self, event: &Event) -> Result<(), ReportError> {
        let spec = self.spec.as_ref();
        let spec = spec.expect("a contest's first event is that it started");
        let line = json::line(event, spec);
        let game = match &mut self.pgn {
            Some((scribe, _)) => scribe.write(event, spec),
            None => None,
        };
        if let Some(journal) = &mut self.journal {
            let record = game.as_ref().map(|game| with_pgn(&line, game));
            let kept = journal.append(record.as_ref().unwrap_or(&line));
            let kept = kept.and_then(|()| match &event.kind {
                EventKind::ContestFinished { .. } => journal.sync(),
                _ => Ok(()),
            });
            kept.map_err(ReportError::losing_record)?;
        }
        let in_pgn = match (game, &mut self.pgn) {
            (Some(game), Some((_, file))) => append(file, game.as_bytes()),
            _ => Ok(()),
        };
        if self.journal.is_none() {
            in_pgn.map_err(ReportError::losing_record)?;
            return self.tell(line);
        }
        let in_events = self.tell(line);
        in_pgn.map_err(ReportError::in_part).and(in_events)
    }

    /// Writes an event for those who watch.
    fn tell(&mut self, mut line: String) -> Result<(), ReportError> {
        line.push('\n');
        append(&mut self.events, line.as_bytes()).map_err(ReportError::in_part)
    }
}

/// Appends to a file, unless that has failed before.
fn append(file: &mut Option<Appended>, piece: &[u8]) -> Result<(), ReportError> {
    let written = file.as_mut().map_or(Ok(()), |file| file.append(piece));
    if written.is_err() {
        *file = None;
    }
    written
}

impl Reporter for Files {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        if let EventKind::ContestStarted { spec, .. } | EventKind::ContestResumed { spec, .. } =
            &event.kind
        {
            self.spec = Some(Arc::clone(spec));
        }
        self.write(event)
    }
}
