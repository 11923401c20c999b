//! Events as JSON lines, for programs that watch a contest.

use std::path::Path;
use std::sync::Arc;

use match_core::event::{Event, EventKind, json};
use match_core::spec::Spec;

use super::append::{Appended, Existing};
use super::{ReportError, Reporter};

/// Writes an object a line, each with one call. The file holds the events of one contest.
#[derive(Debug)]
pub struct EventLines {
    file: Appended,
    spec: Option<Arc<Spec>>,
}

impl EventLines {
    /// Opens the file; what was in it is gone.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(path: &Path) -> Result<Self, ReportError> {
        Ok(Self {
            file: Appended::open(path, Existing::Replace)?,
            spec: None,
        })
    }
}

impl Reporter for EventLines {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        if let EventKind::ContestStarted { spec, .. } = &event.kind {
            self.spec = Some(Arc::clone(spec));
        }
        let spec = self
            .spec
            .as_ref()
            .expect("a contest's first event is that it started");
        let mut line = json::line(event, spec);
        line.push('\n');
        self.file.append(line.as_bytes())
    }
}
