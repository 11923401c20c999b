//! What a sandboxed engine may use.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use crate::spec::options;

/// The bounds of one engine's sandbox. Whatever the bounds, it has no network, cannot leave its process
/// group, and reads and writes no file but those of its own folder, the system's libraries and what its
/// options name (of a [stranger](Self::stranger) less); see `match_runner::sandbox`.
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
    /// It comes from somebody whom the owner of this machine does not know. Then neither the folder in
    /// which its program lies nor its working folder nor what its options name is its own, and it does
    /// not see our environment: it has its program and what `read` and `write` say. No key sets this; a
    /// worker does.
    pub stranger: bool,
}

/// The usual limit of a login session.
const FILES: NonZeroU32 = NonZeroU32::new(1024).expect("not 0");

const PROCESSES: NonZeroU32 = NonZeroU32::new(16).expect("not 0");

const MEBIBYTE: u64 = 1 << 20;

/// Networks take up to some hundred megabytes, and an interpreter as much again.
const MEMORY_MEBIBYTES: u64 = 2048;

/// A thread's tables (some 20 MiB in today's strongest engines), its stack, its share of the allocator.
const MEMORY_MEBIBYTES_BY_THREAD: u64 = 64;

impl Sandbox {
    /// The bounds of an engine with these UCI options when nothing else is said.
    pub fn usual(options: &[(String, String)]) -> Self {
        let hash = options::number(options, options::HASH).unwrap_or(0);
        let threads = options::number(options, options::THREADS).unwrap_or(1);
        let mebibytes = threads
            .saturating_mul(MEMORY_MEBIBYTES_BY_THREAD)
            .saturating_add(hash)
            .saturating_add(MEMORY_MEBIBYTES);
        Self {
            memory: NonZeroU64::new(mebibytes.saturating_mul(MEBIBYTE))
                .expect("at least two thousand mebibytes"),
            files: FILES,
            processes: PROCESSES,
            read: Vec::new(),
            write: Vec::new(),
            stranger: false,
        }
    }
}
