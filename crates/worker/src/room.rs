//! How much of the disk something takes, and may.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::removal::unlock;

/// The shortest time between two looks.
const LOOK_UP: Duration = Duration::from_millis(500);

/// Between two looks is so many times as long as one took.
const REST: u32 = 20;

/// Of the mode of a folder: its owner can list it and look at what is in it.
const READABLE: u32 = 0o500;

/// A bound on all that lies in a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'a> {
    pub(crate) folder: &'a Path,
    /// At most, in bytes.
    pub(crate) bytes: u64,
}

/// Looks now and then whether a room is full.
#[derive(Debug)]
pub(crate) struct Surveyor<'a> {
    room: Room<'a>,
    next: Instant,
}

impl<'a> Surveyor<'a> {
    pub(crate) fn new(room: Room<'a>) -> Self {
        Self {
            room,
            next: Instant::now() + LOOK_UP,
        }
    }

    /// Whether there is more than may be, `elsewhere` bytes included; not looked at again too soon.
    pub(crate) fn is_full(&mut self, elsewhere: impl FnOnce() -> u64) -> bool {
        let begun = Instant::now();
        if begun < self.next {
            return false;
        }
        let is_full = taken(self.room.folder) + elsewhere() > self.room.bytes;
        let looked = begun.elapsed();
        self.next = begun + looked + LOOK_UP.max(REST * looked);
        is_full
    }
}

/// Bytes of the disk that a file takes, or a folder with all in it. What goes away meanwhile takes none. A
/// folder of ours that is closed is opened, or anything could be hidden in one.
pub(crate) fn taken(path: &Path) -> u64 {
    let Ok(metadata) = path.symlink_metadata() else {
        return 0;
    };
    // By definition of `st_blocks`.
    let own = 512 * metadata.blocks();
    if !metadata.is_dir() {
        return own;
    }
    if metadata.mode() & READABLE != READABLE {
        let _it_may_not_be_ours = unlock(path);
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    own + entries.map(|entry| taken(&entry.path())).sum::<u64>()
}
