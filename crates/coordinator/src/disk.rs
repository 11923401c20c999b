//! Room on the disk: files are refused first, then tests, then work is lent no more; results come last.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;
use uuid::Uuid;

/// The folder with what must not be lost, and how much of its disk is kept free.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    /// Bytes below which the first thing is refused.
    reserve: u64,
    free: Free,
}

#[derive(Clone, Debug)]
enum Free {
    /// As the kernel says.
    Measured,
    /// As somebody says who tries what happens: bytes.
    Told(Arc<AtomicU64>),
}

/// What is to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// A file, of any length.
    File,
    /// Tests, users, tokens.
    Words,
    /// Pairs that are lent will be reported.
    Lease,
}

/// There is too little room for it.
#[derive(Debug, Error)]
#[error(
    "the disk of the coordinator is nearly full: {free} MiB are free, and {wanted} MiB are kept for {what}"
)]
pub(crate) struct Full {
    free: u64,
    wanted: u64,
    what: &'static str,
}

impl Disk {
    /// The disk of `folder`, of which `reserve` bytes are to stay free.
    pub fn new(folder: PathBuf, reserve: u64) -> Self {
        Self {
            folder,
            reserve,
            free: Free::Measured,
        }
    }

    /// The same with as many bytes free as `free` says.
    #[must_use]
    pub fn told(self, free: Arc<AtomicU64>) -> Self {
        Self {
            free: Free::Told(free),
            ..self
        }
    }

    /// Bytes that are free. A disk that does not say has room, until a write fails.
    pub(crate) fn free(&self) -> u64 {
        match &self.free {
            Free::Told(free) => free.load(Ordering::Relaxed),
            Free::Measured => rustix::fs::statvfs(&self.folder).map_or(u64::MAX, |found| {
                found.f_bavail.saturating_mul(found.f_frsize)
            }),
        }
    }

    /// Whether there is room for `load`.
    pub(crate) fn has_room_for(&self, load: Load) -> Result<(), Full> {
        let (wanted, what) = match load {
            Load::File => (self.reserve, "tests and results"),
            Load::Words => (self.reserve / 2, "results"),
            Load::Lease => (self.reserve / 4, "results of pairs that are lent"),
        };
        let free = self.free();
        match free >= wanted {
            true => Ok(()),
            false => Err(Full {
                free: free >> 20,
                wanted: wanted >> 20,
                what,
            }),
        }
    }

    /// Writes something, as a proof that one can.
    pub(crate) fn probe(&self) -> io::Result<()> {
        // Of a name that nobody else's has: several coordinators may share a folder.
        let path = self.folder.join(format!(".probe-{}", Uuid::new_v4()));
        let written = fs::write(&path, "can you keep this?\n");
        let removed = fs::remove_file(path);
        written.and(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_refused_first_then_words_then_leases() {
        let free = Arc::new(AtomicU64::new(0));
        let disk = Disk::new(PathBuf::from("/"), 1000).told(Arc::clone(&free));
        let refused = |bytes| {
            free.store(bytes, Ordering::Relaxed);
            [Load::File, Load::Words, Load::Lease].map(|load| disk.has_room_for(load).is_err())
        };
        assert_eq!(refused(1000), [false, false, false]);
        assert_eq!(refused(999), [true, false, false]);
        assert_eq!(refused(499), [true, true, false]);
        assert_eq!(refused(0), [true, true, true]);
    }
}
