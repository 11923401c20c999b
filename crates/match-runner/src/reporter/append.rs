//! A file that grows by whole pieces or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::ReportError;

/// A file to which whole pieces are appended.
#[derive(Debug)]
pub(super) struct Appended {
    path: PathBuf,
    file: File,
}

/// What becomes of what is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    Keep,
    Replace,
}

impl Appended {
    /// Opens the file, and makes it if it is missing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn open(path: &Path, existing: Existing) -> Result<Self, ReportError> {
        let opened = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .and_then(|file| {
                // Pipes and terminals have no length to set.
                if existing == Existing::Replace && file.metadata()?.is_file() {
                    file.set_len(0)?;
                }
                Ok(file)
            });
        match opened {
            Ok(file) => Ok(Self {
                path: path.into(),
                file,
            }),
            Err(source) => Err(Self::error(path, source)),
        }
    }

    /// Appends a piece with one call. What the disk took of a piece that does not fit is taken back.
    ///
    /// # Errors
    /// When the piece could not be written, or the file was deleted under way.
    pub(super) fn append(&mut self, piece: &[u8]) -> Result<(), ReportError> {
        self.try_append(piece)
            .map_err(|source| Self::error(&self.path, source))
    }

    fn try_append(&mut self, piece: &[u8]) -> io::Result<()> {
        let metadata = self.file.metadata()?;
        if !metadata.is_file() {
            return self.file.write_all(piece);
        }
        // `write_all` makes a second call only if the first was cut short.
        self.file.write_all(piece).inspect_err(|_| {
            let _the_first_error_counts = self.file.set_len(metadata.len());
        })
    }

    fn error(path: &Path, source: io::Error) -> ReportError {
        ReportError::new(format!("`{}`", path.display()), source)
    }
}
