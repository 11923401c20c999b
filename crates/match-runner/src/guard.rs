//! What is left when we are killed with SIGKILL: a process of our own binary that kills all engines.
//!
//! An engine dies with us anyway, by its parent-death signal. A process that the engine started does
//! not, and neither does an engine behind a wrapper script. The guard knows the process groups of all
//! engines that run, and when its input ends without a word of ours it kills them. Then it kills what
//! bears the mark of our engines; see `orphans.rs`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::orphans;

/// The subcommand of our binary that calls [`main`].
pub const SUBCOMMAND: &str = "__guard";

/// Runs the guard until its input ends; the word after the subcommand is our engines' mark.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    // It has its own process group, so that Ctrl-C does not reach it before it reaches us.
    for group in survivors(io::stdin().lock()) {
        let _it_ended_meanwhile = kill_process_group(group, Signal::KILL);
    }
    if let Some(mark) = words.into_iter().next() {
        orphans::kill_all(&mark.to_string_lossy());
    }
    ExitCode::SUCCESS
}

/// The groups that were announced by `+ID` and not taken back by `-ID`.
fn survivors(words: impl BufRead) -> Vec<Pid> {
    let mut groups = BTreeSet::new();
    for line in words.lines().map_while(Result::ok) {
        let Some((sign, id)) = line.split_at_checked(1) else {
            continue;
        };
        let Ok(id) = id.parse::<i32>() else { continue };
        match sign {
            "+" => groups.insert(id),
            _ => groups.remove(&id),
        };
    }
    groups.into_iter().filter_map(Pid::from_raw).collect()
}

/// Our end of the guard.
#[derive(Debug)]
pub(crate) struct Guard {
    child: Child,
    words: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts the guard.
    ///
    /// # Errors
    /// When the binary cannot be started.
    pub(crate) fn start(binary: &Path, mark: &str) -> io::Result<Self> {
        let mut child = Command::new(binary)
            .arg0("arbiter")
            .args([SUBCOMMAND, mark])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let words = Mutex::new(child.stdin.take());
        Ok(Self { child, words })
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// A group lives from now on.
    pub(crate) fn watch(&self, group: u32) {
        self.say(&format!("+{group}\n"));
    }

    /// A group is gone; to be said before its leader is reaped, while the number is nobody else's.
    pub(crate) fn forget(&self, group: u32) {
        self.say(&format!("-{group}\n"));
    }

    fn say(&self, word: &str) {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(input) = words.as_mut() {
            // A guard that was killed guards nothing; the contest goes on without it.
            let _guard_is_gone = input.write_all(word.as_bytes());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let _it_has_nothing_left_to_do = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_were_not_taken_back_survive() {
        let groups = survivors("+12\n+7\n-12\nnonsense\n+\n+30\n".as_bytes());
        assert_eq!(
            groups
                .iter()
                .map(|group| group.as_raw_pid())
                .collect::<Vec<_>>(),
            [7, 30]
        );
    }
}
