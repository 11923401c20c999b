//! What a sandboxed engine may use.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

/// The bounds of one engine's sandbox. Whatever the bounds, it has no network, cannot leave its process
/// group, and reads and writes no file but those of its own folder, the system's libraries and what its
/// options name; see `match_runner::sandbox`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// Bytes of memory that a process of it may have of its own. By default 2 GiB, its `Hash`, and 64
    /// MiB for each of its `Threads`.
    pub memory: NonZeroU64,
    /// Files that a process of it may have open. Default 1024.
    pub files: NonZeroU32,
    /// Processes that it may consist of, itself included; threads do not count. Default 16: engines are
    /// one, with a wrapper script two.
    pub processes: NonZeroU32,
    /// Files and folders that it may read and execute beside its own.
    pub read: Vec<PathBuf>,
    /// Files and folders that it may read and write.
    pub write: Vec<PathBuf>,
}
