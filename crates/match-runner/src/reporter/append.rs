//! A file that grows by whole pieces or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::ReportError;

/// A file to which whole pieces are appended.
#[derive(Debug)]
pub(crate) struct Appended {
    path: PathBuf,
    file: File,
}

/// What becomes of what is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    Keep,
    Replace,
}

impl Appended {
    /// Opens the file, and makes it if it is missing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn open(path: &Path, existing: Existing) -> Result<Self, ReportError> {
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
            Err(source) => Err(failed(path, source)),
        }
    }

    /// Sees whether the file can be opened; does not make it if it is missing.
    ///
    /// # Errors
    /// When it cannot be written, or its folder is missing.
    pub(crate) fn probe(path: &Path) -> Result<(), ReportError> {
        let opened = OpenOptions::new().append(true).open(path);
        let probed = match opened {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                folder(path).metadata().map(drop)
            }
            opened => opened.map(drop),
        };
        probed.map_err(|source| failed(path, source))
    }

    /// Goes on with a file that is open for appending.
    pub(crate) fn on(path: &Path, file: File) -> Self {
        Self {
            path: path.into(),
            file,
        }
    }

    /// Appends a piece with one call. What the disk took of a piece that does not fit is taken back.
    ///
    /// # Errors
    /// When the piece could not be written, or the file was deleted under way.
    pub(crate) fn append(&mut self, piece: &[u8]) -> Result<(), ReportError> {
        self.try_append(piece).map_err(|source| self.error(source))
    }

    fn try_append(&mut self, piece: &[u8]) -> io::Result<()> {
        let metadata = self.file.metadata()?;
        if !metadata.is_file() {
            return self.file.write_all(piece);
        }
        if metadata.nlink() == 0 {
            return Err(io::Error::other(
                "it was deleted while it was being written",
            ));
        }
        // `write_all` makes a second call only if the first was cut short.
        self.file.write_all(piece).inspect_err(|_| {
            let _the_first_error_counts = self.file.set_len(metadata.len());
        })
    }

    /// That something went wrong with it.
    pub(crate) fn error(&self, source: io::Error) -> ReportError {
        failed(&self.path, source)
    }
}

/// Where a file is or is to be.
pub(crate) fn folder(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn failed(path: &Path, source: io::Error) -> ReportError {
    ReportError::new(format!("`{}`", path.display()), source)
}
