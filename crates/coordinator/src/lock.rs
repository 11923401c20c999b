//! A folder with a SQLite database is one coordinator's alone: two would not hear of each other.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of a coordinator that was killed is waited for.
const LAST_BREATH: Duration = Duration::from_secs(3);

/// How often it is looked for.
const GLANCE: Duration = Duration::from_millis(20);

/// Locks `folder` as long as the file lives; none if somebody else has.
pub(crate) fn take(folder: &Path) -> io::Result<Option<File>> {
    let lock = File::create(folder.join("lock"))?;
    let until = Instant::now() + LAST_BREATH;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Some(lock)),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(GLANCE),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
