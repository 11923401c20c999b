//! Taking away what programs of others have made, whatever modes they gave it.
//!
//! Whoever owns a folder may change its mode, and nobody else can look into one that is closed. Recipes
//! leave such folders without malice: Go's cache of modules is read-only.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};
use tempfile::TempDir;

/// Deletes a file, a link or a folder with all in it. What is gone already is no error.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let delete = || match path.symlink_metadata()?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    let deleted = match delete() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            unlock_all(path)?;
            delete()
        }
        deleted => deleted,
    };
    match deleted {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        deleted => deleted,
    }
}

/// Allows us to list and change a folder of ours. A link is not followed, not even one that is put there
/// meanwhile.
pub(crate) fn unlock(folder: &Path) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let held = open(folder, flags, Mode::empty())?;
    // Such a descriptor needs no right to the folder, and its mode can only be changed by this name.
    let held_name = PathBuf::from(format!("/proc/self/fd/{}", held.as_raw_fd()));
    let mode = fs::metadata(&held_name)?.permissions().mode();
    fs::set_permissions(&held_name, Permissions::from_mode(mode & 0o7777 | 0o700))
}

/// Unlocks a folder and all below it.
fn unlock_all(folder: &Path) -> io::Result<()> {
    unlock(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            unlock_all(&entry.path())?;
        }
    }
    Ok(())
}

/// A folder for programs of others, which goes with all that they have made in it.
#[derive(Debug)]
pub(crate) struct Workplace(TempDir);

impl Workplace {
    /// A new one in `folder`.
    pub(crate) fn new_in(folder: &Path) -> io::Result<Self> {
        tempfile::tempdir_in(folder).map(Self)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // Where that fails too the next life tries again, and says so.
        let _it_stays = remove(self.0.path());
    }
}
