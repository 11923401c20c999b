//! What arbiter starts itself as while a contest is played: not for people, and not in the help.

use std::env;
use std::process::ExitCode;

use match_runner::{guard, launch};

/// Plays the part that the first word asks for, if it asks for one.
///
/// This comes before the command line is parsed: every engine is started through it, so it has to
/// be quick, and an engine's arguments are nobody else's business.
pub(crate) fn play() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    match words.next()?.to_str()? {
        launch::SUBCOMMAND => Some(launch::main(words)),
        guard::SUBCOMMAND => Some(guard::main(words)),
        _ => None,
    }
}
