//! The result as a JSON file that is there as a whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use match_core::event::{Event, EventKind};
use match_core::summary::Summary;
use tempfile::{Builder, NamedTempFile};

use super::append::folder;
use super::{ReportError, Reporter};

/// Writes the summary when the contest is over, for whatever reason.
#[derive(Debug)]
pub struct SummaryFile {
    path: PathBuf,
}

impl SummaryFile {
    /// Makes sure that the file can be written at the end. Until then it is not touched.
    ///
    /// # Errors
    /// When it is a folder itself, or its folder is not there or takes no files.
    pub fn open(path: &Path) -> Result<Self, ReportError> {
        let file = Self { path: path.into() };
        file.probe().map_err(|source| file.error(source))?;
        Ok(file)
    }

    fn probe(&self) -> io::Result<()> {
        if self.path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if self.is_special() {
            return Ok(());
        }
        // Asked first, because the error of a temporary file names that file, which nobody knows.
        folder(&self.path).metadata()?;
        self.temporary().map(drop)
    }

    /// Writes it.
    ///
    /// # Errors
    /// When it cannot be written; what was there before is still there then.
    pub fn save(&self, summary: &Summary) -> Result<(), ReportError> {
        self.write(summary).map_err(|source| self.error(source))
    }

    fn write(&self, summary: &Summary) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(summary)?;
        text.push(b'\n');
        if self.is_special() {
            return File::options()
                .write(true)
                .open(&self.path)?
                .write_all(&text);
        }
        let mut file = self.temporary()?;
        file.write_all(&text)?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }

    /// Beside the file, because a rename works only within a file system.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        // Like any other new file; the user's mask applies.
        Builder::new()
            .prefix(".summary")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder(&self.path))
    }

    /// A terminal or a pipe, such as `/dev/stdout`, is written and not replaced.
    fn is_special(&self) -> bool {
        self.path
            .metadata()
            .is_ok_and(|metadata| !metadata.is_file())
    }

    fn error(&self, source: io::Error) -> ReportError {
        ReportError::new(format!("`{}`", self.path.display()), source)
    }
}

impl Reporter for SummaryFile {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        match &event.kind {
            EventKind::ContestFinished { summary, .. } => self.save(summary),
            EventKind::ContestStarted { .. }
            | EventKind::ContestResumed { .. }
            | EventKind::GameStarted { .. }
            | EventKind::GameFinished { .. }
            | EventKind::EngineStartFailed { .. }
            | EventKind::Warned { .. }
            | EventKind::EngineRestarted { .. }
            | EventKind::FaultRecorded { .. }
            | EventKind::Draining { .. } => Ok(()),
        }
    }
}
