//! What is known of each fault, a text file a game.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use match_core::event::{Event, EventKind};
use match_core::spec::Spec;

use super::{ReportError, Reporter};

/// Writes a file for each fault into a folder that is made for the first one. A file of an earlier
/// contest gives way to one of the same name.
#[derive(Debug)]
pub struct FaultFiles {
    spec: Option<Arc<Spec>>,
}

impl FaultFiles {
    /// Makes sure that `folder` can be made and takes files, and leaves nothing behind.
    ///
    /// # Errors
    /// When it is a file, or neither it nor the folder that it is to be in takes files.
    pub fn open(folder: &Path) -> Result<Self, ReportError> {
        let probe = || -> io::Result<()> {
            let there = nearest_existing(folder);
            // Asked first, because the error of a temporary file names that file, which nobody knows.
            if !there.metadata()?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            tempfile::tempfile_in(there).map(drop)
        };
        probe().map_err(|source| Self::error(folder, source))?;
        Ok(Self { spec: None })
    }

    fn error(path: &Path, source: io::Error) -> ReportError {
        ReportError::new(format!("`{}`", path.display()), source)
    }
}

/// The folder itself, or the one in which it, or what it is in, would be made.
fn nearest_existing(folder: &Path) -> PathBuf {
    let exists = folder.ancestors().find(|path| path.exists());
    // The last ancestor of a relative path is empty, and stands for where we are.
    exists.unwrap_or(Path::new(".")).to_path_buf()
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
}

impl Reporter for FaultFiles {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        match &event.kind {
            EventKind::ContestStarted { spec, .. } | EventKind::ContestResumed { spec, .. } => {
                self.spec = Some(Arc::clone(spec));
            }
            EventKind::FaultRecorded { file, evidence, .. } => {
                let spec = self
                    .spec
                    .as_ref()
                    .expect("a contest's first event is that it started");
                write(file, &evidence.text(spec)).map_err(|source| Self::error(file, source))?;
            }
            EventKind::GameStarted { .. }
            | EventKind::GameFinished { .. }
            | EventKind::EngineStartFailed { .. }
            | EventKind::Warned { .. }
            | EventKind::EngineRestarted { .. }
            | EventKind::Draining { .. }
            | EventKind::ContestFinished { .. } => {}
        }
        Ok(())
    }
}
