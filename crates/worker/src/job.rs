//! A program that is run to its end: git, a recipe, a bench. Bounded in time, and stopped at once when
//! the worker is.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use match_runner::Interrupts;
use rustix::process::{Pid, Signal, kill_process_group};
use thiserror::Error;

/// How often it is looked whether somebody wants us to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// How much of what a program said is kept: its end, where the error is.
const TAIL_BYTES: u64 = 16 * 1024;

/// Why a program did not do what it was to do.
#[derive(Debug, Error)]
pub(crate) enum JobError {
    /// It is not there, or cannot be run.
    #[error("{what} cannot be started")]
    Start { what: String, source: io::Error },
    /// It says that it failed.
    #[error("{what} failed ({status}); its last words:\n{tail}")]
    Failed {
        what: String,
        status: ExitStatus,
        tail: String,
    },
    /// It took too long.
    #[error("{what} was not done after {} s; its last words:\n{tail}", limit.as_secs())]
    Slow {
        what: String,
        limit: Duration,
        tail: String,
    },
    /// Somebody wants us to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Runs `command`, which people know as `what`, for at most `limit`, and gives the end of what it said.
/// `scratch` is a folder for its log.
pub(crate) fn run(
    what: impl Into<String>,
    mut command: Command,
    limit: Duration,
    scratch: &Path,
    interrupts: &Interrupts,
) -> Result<String, JobError> {
    let what = what.into();
    let started = Instant::now();
    let (child, mut log) = match start(&mut command, scratch) {
        Ok(started) => started,
        Err(source) => return Err(JobError::Start { what, source }),
    };
    let group = Pid::from_child(&child);
    let ends = wait(child);
    loop {
        match ends.recv_timeout(LOOK_UP) {
            Ok(Ok(status)) if status.success() => return Ok(tail(&mut log)),
            Ok(Ok(status)) => {
                let tail = tail(&mut log);
                return Err(JobError::Failed { what, status, tail });
            }
            Ok(Err(source)) => return Err(JobError::Start { what, source }),
            Err(RecvTimeoutError::Disconnected) => unreachable!("it says how the child ended"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let is_slow = limit <= started.elapsed();
        if is_slow || interrupts.count() > 0 {
            // With whatever it has started itself: it has a group of its own.
            let _it_may_just_have_ended = kill_process_group(group, Signal::KILL);
            let _its_end = ends.recv();
            let tail = tail(&mut log);
            return Err(match is_slow {
                true => JobError::Slow { what, limit, tail },
                false => JobError::Interrupted,
            });
        }
    }
}

/// Starts it with a file for all that it says.
fn start(command: &mut Command, scratch: &Path) -> io::Result<(Child, File)> {
    let log = tempfile::tempfile_in(scratch)?;
    let child = command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log.try_clone()?)
        .process_group(0)
        .spawn()?;
    Ok((child, log))
}

/// Says how the child ended, when it has.
fn wait(mut child: Child) -> mpsc::Receiver<io::Result<ExitStatus>> {
    let (say, ends) = mpsc::channel();
    thread::spawn(move || {
        let _nobody_may_want_to_know = say.send(child.wait());
    });
    ends
}

fn tail(log: &mut File) -> String {
    let read = |log: &mut File| -> io::Result<Vec<u8>> {
        let len = log.seek(SeekFrom::End(0))?;
        log.seek(SeekFrom::Start(len.saturating_sub(TAIL_BYTES)))?;
        let mut bytes = Vec::new();
        log.take(TAIL_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read(log) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
        Err(error) => format!("(they cannot be read: {error})"),
    }
}
