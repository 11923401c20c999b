//! Passwords: from a terminal that does not show them, from a file or from standard input; never from the
//! command line, which everybody on the machine can read.

use std::fs::{self, File};
use std::io::{self, BufRead, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use fleet_api::Secret;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use thiserror::Error;

use crate::exit::Exit;
use crate::failure::Failure;

#[derive(Debug, Error)]
enum PasswordError {
    #[error("failed to read the password file `{}`", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("failed to read the password")]
    Read(#[source] io::Error),
    #[error("the two passwords differ")]
    Differ,
    #[error("the password is empty")]
    Empty,
}

/// Reads a password. From a terminal it is asked for by `words`, twice if it is a new one.
pub(super) fn read(file: Option<&Path>, words: &str, is_new: bool) -> Result<Secret, Failure> {
    let text = match file {
        Some(path) if path != Path::new("-") => fs::read_to_string(path).map_err(|source| {
            let path = path.to_owned();
            Failure::usage(PasswordError::File { path, source })
        })?,
        None if io::stdin().is_terminal() => {
            let read = |words: &str| unseen(words).map_err(failed);
            let once = read(words)?;
            if is_new && once != read("again: ")? {
                return Err(Failure::usage(PasswordError::Differ));
            }
            once
        }
        Some(_) | None => {
            let mut line = String::new();
            io::stdin().lock().read_line(&mut line).map_err(failed)?;
            line
        }
    };
    // An editor ends a file with a line end, which is no part of a password.
    let password = text.trim_end_matches(['\r', '\n']);
    match password.is_empty() {
        true => Err(Failure::usage(PasswordError::Empty)),
        false => Ok(Secret(password.to_owned())),
    }
}

fn failed(error: io::Error) -> Failure {
    Failure::new(Exit::Usage, PasswordError::Read(error))
}

/// Reads a line from the terminal, which does not show it.
fn unseen(words: &str) -> io::Result<String> {
    let mut terminal = File::options().read(true).write(true).open("/dev/tty")?;
    write!(terminal, "{words}")?;
    let quiet = Quiet::begin(&terminal)?;
    let mut line = String::new();
    let read = io::BufReader::new(&terminal).read_line(&mut line);
    drop(quiet);
    writeln!(terminal)?;
    read.map(|_| line)
}

/// A terminal that shows nothing of what is typed, until this is dropped.
struct Quiet<'t> {
    terminal: &'t File,
    before: Termios,
}

impl<'t> Quiet<'t> {
    fn begin(terminal: &'t File) -> io::Result<Self> {
        let before = tcgetattr(terminal.as_fd())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(terminal.as_fd(), OptionalActions::Flush, &silent)?;
        Ok(Self { terminal, before })
    }
}

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        let _terminal_is_gone =
            tcsetattr(self.terminal.as_fd(), OptionalActions::Flush, &self.before);
    }
}
