//! How the process ends. The codes are part of the interface: scripts and CI branch on them.

use std::process::ExitCode;

/// What happened, as a number for the shell.
///
/// A bug is a panic, which ends with 101 and a message that asks to report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything that was asked for was done.
    Done = 0,
    /// It was done, and a check failed: a wrong perft count, a game that breaks the laws of chess, a
    /// machine that would falsify a test, a ledger that is not what is shown, a test that was watched
    /// and not accepted.
    CheckFailed = 1,
    /// The command line, the configuration or an input file is wrong. Nothing was started.
    Usage = 2,
    /// An engine could not be started, or has had as many faults as `--max-faults` allows.
    EngineUnusable = 3,
    /// It stopped before its end, because a result could not be written, a game could not be
    /// completed or the host spoilt too many games. What was played is reported and saved.
    Stopped = 4,
    /// The coordinator cannot be reached, or cannot answer at present. Nothing was changed there.
    Unreachable = 5,
    /// Interrupted by Ctrl-C or SIGTERM. What was played is reported and saved.
    Interrupted = 130,
}

/// The table for `arbiter --help`, with blanks before and no line end behind.
pub(crate) const TABLE: &str = concat!(
    "  0    done\n",
    "  1    a check failed (perft, pgn check, check, doctor, recount), or a watched test was\n",
    "       rejected or undecided\n",
    "  2    wrong command line, configuration or input file; nothing was started\n",
    "  3    an engine could not be started, or had too many faults (--max-faults)\n",
    "  4    stopped early: a result could not be written, the host spoilt too many games, or\n",
    "       somebody stopped the test that was watched\n",
    "  5    the coordinator cannot be reached or cannot answer at present\n",
    "  130  interrupted; what was played is reported and saved",
);

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
