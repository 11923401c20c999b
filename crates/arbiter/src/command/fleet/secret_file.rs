//! Files that only their owner reads.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::failure::Failure;

#[derive(Debug, Error)]
#[error("failed to write `{}`", path.display())]
pub(super) struct Unkept {
    pub(super) path: PathBuf,
    pub(super) source: io::Error,
}

/// Puts `text` at `path`, whole or not at all, for its owner alone.
pub(super) fn keep(path: &Path, text: &str) -> Result<(), Failure> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let written = || {
        let _left_by_a_crash = fs::remove_file(&new);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    written().map_err(|source| {
        let path = path.to_owned();
        Failure::usage(Unkept { path, source })
    })
}
