//! A program that is run to its end: git, a recipe, a bench. Bounded in time and in what it leaves on
//! the disk, and stopped at once when the worker is. What it has started itself goes with it.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use match_runner::{Errand, Interrupts, Leash, Watch};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use thiserror::Error;

use crate::room::{Room, Surveyor};

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
    #[error("{what} failed ({status}){said}")]
    Failed {
        what: String,
        status: ExitStatus,
        said: Said,
    },
    /// It took too long.
    #[error("{what} was not done after {} s{said}", limit.as_secs())]
    Slow {
        what: String,
        limit: Duration,
        said: Said,
    },
    /// It fills the disk.
    #[error("{what} took more than {} MiB of the disk{said}", bytes >> 20)]
    Big {
        what: String,
        bytes: u64,
        said: Said,
    },
    /// Somebody wants us to stop.
    #[error("interrupted")]
    Interrupted,
}

/// A program and how it is run.
#[derive(Debug)]
pub(crate) enum Task<'a> {
    /// With all our rights, guarded by this program if there is one.
    Plain(Command, Option<&'a Path>),
    /// In a sandbox, started through this program.
    Confined(Errand, &'a Path),
}

/// What is known of a program that has ended. Displayed as the end of a sentence about it.
#[derive(Debug)]
pub(crate) struct Said {
    /// The end of what it said.
    pub(crate) tail: String,
    /// What its sandbox has kept it from.
    kept_from: Vec<String>,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.kept_from.is_empty() {
            write!(
                f,
                "; its sandbox kept it from {}",
                self.kept_from.join(", ")
            )?;
        }
        write!(f, "; its last words:\n{}", self.tail)
    }
}

/// Runs `task`, which people know as `what`, for at most `limit`, while what it leaves in `room` fits there.
/// `scratch` is a folder for its log, which counts.
pub(crate) fn run(
    what: impl Into<String>,
    task: Task<'_>,
    limit: Duration,
    room: Room<'_>,
    scratch: &Path,
    interrupts: &Interrupts,
) -> Result<Said, JobError> {
    let what = what.into();
    let started = Instant::now();
    let begin = || -> io::Result<(File, Child, Hold)> {
        let log = tempfile::tempfile_in(scratch)?;
        let (child, hold) = start(task, &log)?;
        Ok((log, child, hold))
    };
    let (log, child, hold) = match begin() {
        Ok(started) => started,
        Err(source) => return Err(JobError::Start { what, source }),
    };
    let group = Pid::from_child(&child);
    let watch = match &hold {
        Hold::Watch(watch) => Some(Arc::clone(watch)),
        Hold::Leash(_) => None,
    };
    let ends = wait(child, hold);
    let said = || Said {
        tail: tail(&log),
        kept_from: watch
            .as_ref()
            .map_or_else(Vec::new, |watch| watch.kept_from()),
    };
    let mut surveyor = Surveyor::new(room);
    loop {
        match ends.recv_timeout(LOOK_UP) {
            Ok(Ok(status)) => {
                let said = said();
                return match status.success() {
                    true => Ok(said),
                    false => Err(JobError::Failed { what, status, said }),
                };
            }
            Ok(Err(source)) => return Err(JobError::Start { what, source }),
            Err(RecvTimeoutError::Disconnected) => unreachable!("it says how the child ended"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let is_slow = limit <= started.elapsed();
        let is_big = surveyor.is_full(|| log.metadata().map_or(0, |log| log.len()));
        if is_slow || is_big || interrupts.count() > 0 {
            // With whatever it has started itself: it has a group of its own.
            let _it_may_just_have_ended = kill_process_group(group, Signal::KILL);
            let _its_end = ends.recv();
            let said = said();
            return Err(match (is_slow, is_big) {
                (true, _) => JobError::Slow { what, limit, said },
                (false, true) => JobError::Big {
                    what,
                    bytes: room.bytes,
                    said,
                },
                (false, false) => JobError::Interrupted,
            });
        }
    }
}

/// Who sees to it that all of it ends.
enum Hold {
    Leash(Leash),
    Watch(Arc<Watch>),
}

/// Starts it with a file for all that it says.
fn start(task: Task<'_>, log: &File) -> io::Result<(Child, Hold)> {
    match task {
        Task::Plain(mut command, binary) => {
            command
                .stdin(Stdio::null())
                .stdout(log.try_clone()?)
                .stderr(log.try_clone()?)
                .process_group(0);
            let (child, leash) = Leash::start(command, binary)?;
            Ok((child, Hold::Leash(leash)))
        }
        Task::Confined(errand, binary) => {
            let (child, watch) = errand.start(binary, log)?;
            Ok((child, Hold::Watch(Arc::new(watch))))
        }
    }
}

/// Says how the child ended, when it has and all that it left behind is killed: its group while its number,
/// which is the group's, is nobody else's, and then who has left the group.
fn wait(mut child: Child, hold: Hold) -> mpsc::Receiver<io::Result<ExitStatus>> {
    let (say, ends) = mpsc::channel();
    thread::spawn(move || {
        let group = Pid::from_child(&child);
        let unreaped = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        if waitid(WaitId::Pid(group), unreaped).is_ok() {
            let _nothing_was_left = kill_process_group(group, Signal::KILL);
        }
        match &hold {
            Hold::Leash(leash) => leash.ended(),
            Hold::Watch(watch) => watch.ended(),
        }
        let status = child.wait();
        drop(hold);
        let _nobody_may_want_to_know = say.send(status);
        // What lost its parent became ours, if we are there for that.
        while let Ok(Some(_)) = waitid(WaitId::Pgid(Some(group)), WaitIdOptions::EXITED) {}
    });
    ends
}

fn tail(log: &File) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let length = log.metadata()?.len();
        let kept = length.min(TAIL_BYTES);
        let mut bytes = vec![0; kept as usize];
        log.read_exact_at(&mut bytes, length - kept)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
        Err(error) => format!("(they cannot be read: {error})"),
    }
}
