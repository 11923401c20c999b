//! What a contest needs to know of the program and the machine it runs in.

use std::ffi::OsString;
use std::path::PathBuf;

/// The host of a contest.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// Our own binary: it answers [`launch::SUBCOMMAND`](crate::launch::SUBCOMMAND) and
    /// [`guard::SUBCOMMAND`](crate::guard::SUBCOMMAND). `/proc/self/exe` stays right when the file is
    /// replaced while a contest runs. Without it engines are started directly and may survive a
    /// SIGKILL of ours.
    pub binary: Option<PathBuf>,
    /// How to start the built-in engine.
    pub sparring: Option<Program>,
    /// Whether records keep the last `info string` of each move, which says nothing to anybody but who
    /// knows the engine.
    pub keeps_remarks: bool,
}

/// A program with its first arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// An absolute path.
    pub path: PathBuf,
    /// What comes before all other arguments.
    pub args: Vec<OsString>,
}
