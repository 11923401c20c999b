//! How processes end: `quit`, patience, SIGTERM, SIGKILL, and nobody left in their groups.

use std::fmt;
use std::ops::ControlFlow;
use std::os::fd::BorrowedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use match_core::evidence::Testimony;
use match_core::fault::Fault;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, WaitId, WaitIdOptions, waitid};
use signal_hook::consts::SIGKILL;

use super::{Origin, Process};
use crate::census;
use crate::wall::timespec;

/// From SIGTERM to SIGKILL. Whoever handles SIGTERM does so in milliseconds, and whoever waits for us
/// to end was promised the time of `quit` and not twice that.
const TERMINATE_GRACE: Duration = Duration::from_millis(250);

/// How often the end of a process is looked for where there is no pidfd to wait on.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// How a process is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Farewell {
    /// `quit` and the end of its input; SIGTERM to the group after the given time, then SIGKILL.
    Quit(Duration),
    /// SIGKILL to the group.
    Kill,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit {
    status: ExitStatus,
    /// It lived until we killed it.
    by_us: bool,
}

impl Process {
    /// Kills the group and takes the leader's status. Does nothing the second time.
    pub(crate) fn kill(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        let by_us = !self.has_ended();
        self.signal_group(Signal::KILL);
        self.reap(by_us)
    }

    /// Kills the group of a leader that has ended, and tells how it ended, whether well, and what it left
    /// behind in its group.
    pub(crate) fn inquest(&mut self) -> (String, bool, usize) {
        let left = if self.exit.is_none() && self.has_ended() {
            census::living_in(self.group.as_raw_pid().unsigned_abs())
        } else {
            0
        };
        let exit = self.kill();
        (exit.to_string(), exit.status.success(), left)
    }

    /// The end of its stderr.
    pub(crate) fn last_words(&self) -> String {
        self.tail.text()
    }

    /// Whether the leader has ended; its group may live on until [`kill`](Self::kill).
    pub(crate) fn has_ended(&self) -> bool {
        if self.exit.is_some() {
            return true;
        }
        // NOWAIT leaves it unreaped, so that its id stays ours while the rest of the group is killed.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    /// Kills it for a fault and tells how it ended: a line, and below it the end of its stderr.
    pub(crate) fn obituary(&mut self, fault: &Fault) -> String {
        let exit = self.kill();
        let how = match fault {
            // Whoever is about to end is past killing by now; whoever is not, did not want to end.
            Fault::Crash if exit.is_ours() => "closed its output and lived on".into(),
            Fault::Crash => exit.to_string(),
            Fault::Stall { .. } | Fault::TimeLoss { .. } | Fault::IllegalMove { .. } => {
                format!("killed after {fault}")
            }
        };
        let how = how + &self.bounds_met(*fault == Fault::Crash);
        let words = self.tail.text();
        if words.is_empty() {
            return how;
        }
        let indented: Vec<String> = words.lines().map(|line| format!("  {line}")).collect();
        format!("{how}; its last words:\n{}", indented.join("\n"))
    }

    /// What is known of it after a game, told as a witness: of one that `is_gone`, and is killed for
    /// that, or of one that runs on.
    pub(crate) fn testimony(&mut self, is_gone: bool) -> Testimony {
        let end = is_gone.then(|| self.kill());
        if end.is_none() {
            self.drain_errors();
        }
        let bounds_met = self.bounds_met(end.is_some_and(|exit| !exit.is_ours()));
        Testimony {
            end: end.map(|exit| {
                if exit.is_ours() {
                    format!(
                        "the process did not end by itself and was killed by arbiter{bounds_met}"
                    )
                } else {
                    format!("the process {exit}{bounds_met}")
                }
            }),
            errors: self.tail.bytes().to_vec(),
            talk: self.transcript.read(),
        }
    }

    /// What its sandbox may have had to do with its end.
    fn bounds_met(&self, ended_by_itself: bool) -> String {
        let Some(confinement) = &self.confinement else {
            return String::new();
        };
        let refusals: Vec<String> = (confinement.refusals.list().iter())
            .map(ToString::to_string)
            .collect();
        let mut text = String::new();
        if !refusals.is_empty() {
            text += &format!("; its sandbox kept it from {}", refusals.join(", "));
        }
        if ended_by_itself {
            let mebibytes = confinement.cell.bounds.memory >> 20;
            text += &format!("; its sandbox allows {mebibytes} MiB of memory");
        }
        text
    }

    fn reap(&mut self, by_us: bool) -> Exit {
        self.drain_errors();
        if let Some(origin) = &self.origin {
            origin.launcher.guard.forget(self.child.id());
        }
        let exit = Exit {
            status: self.child.wait().unwrap_or_default(),
            by_us,
        };
        self.exit = Some(exit);
        if let Some(Origin {
            launcher,
            mark,
            name,
        }) = &self.origin
        {
            launcher.roster.strike(self.child.id(), mark, name);
        }
        exit
    }

    /// At most a pipe's content: whoever writes on for ever is not waited for.
    fn drain_errors(&mut self) {
        const READS_MAX: usize = 64;
        for _ in 0..READS_MAX {
            let Some(errors) = self.errors_fd() else {
                break;
            };
            let mut fds = [PollFd::from_borrowed_fd(errors, PollFlags::IN)];
            if !matches!(poll(&mut fds, Some(&Timespec::default())), Ok(1..)) {
                break;
            }
            self.read_errors();
        }
    }

    /// Reads once and throws it away.
    pub(crate) fn discard_output(&mut self) {
        self.read_output();
        self.discard_lines();
    }

    /// Throws away whole lines that were read; a line that has begun goes on.
    pub(crate) fn discard_lines(&mut self) {
        while self.lines.next_line().is_some() {}
    }

    /// Whether it runs and can still be heard.
    pub(crate) fn is_usable(&self) -> bool {
        self.output.is_some() && !self.has_ended()
    }
}

/// Ends all of them at the same time; the slowest decides how long it takes. When `hurry` becomes
/// readable, patience is over.
pub(crate) fn end_all(
    mut processes: Vec<&mut Process>,
    farewell: Farewell,
    hurry: Option<BorrowedFd<'_>>,
) {
    let patience = match farewell {
        Farewell::Quit(patience) => patience,
        Farewell::Kill => Duration::ZERO,
    };
    if !patience.is_zero() {
        for process in &mut processes {
            let _it_may_not_listen = process.send(b"quit\n");
            // Whoever does not understand `quit` may understand this.
            process.input = None;
        }
        let quit = Instant::now() + patience;
        if await_ends(&mut processes, quit, hurry).is_continue() {
            for process in &processes {
                process.signal_group(Signal::TERM);
            }
            let _they_are_killed_either_way =
                await_ends(&mut processes, quit + TERMINATE_GRACE, hurry);
        }
    }
    // Everybody is killed before anybody is waited for.
    for process in &processes {
        process.signal_group(Signal::KILL);
    }
    for process in processes {
        process.reap(true);
    }
}

/// Waits until `due` at the latest and takes those that ended out of the list, their groups killed.
/// Breaks off when there is hurry.
fn await_ends(
    processes: &mut Vec<&mut Process>,
    due: Instant,
    hurry: Option<BorrowedFd<'_>>,
) -> ControlFlow<()> {
    loop {
        processes.retain_mut(|process| {
            let ended = process.has_ended();
            if ended {
                process.kill();
            }
            !ended
        });
        let left = due.saturating_duration_since(Instant::now());
        if processes.is_empty() || left.is_zero() {
            return ControlFlow::Continue(());
        }
        wait_for_any(processes, left, hurry)?;
    }
}

/// Waits for an end, or for output that must be drained so that the end can come.
fn wait_for_any(
    processes: &mut [&mut Process],
    left: Duration,
    hurry: Option<BorrowedFd<'_>>,
) -> ControlFlow<()> {
    let mut wait = left;
    let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(1 + 3 * processes.len());
    fds.extend(hurry.map(|bell| PollFd::from_borrowed_fd(bell, PollFlags::IN)));
    for process in processes.iter() {
        let readable = [process.output_fd(), process.errors_fd(), process.end_fd()];
        fds.extend(
            readable
                .into_iter()
                .flatten()
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        if process.end_fd().is_none() {
            wait = wait.min(LOOK_AGAIN);
        }
    }
    let _interrupted_is_as_good = poll(&mut fds, Some(&timespec(wait)));
    let rings = hurry.is_some() && !fds[0].revents().is_empty();
    drop(fds);
    for process in processes {
        process.discard_output();
        process.read_errors();
    }
    if rings {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

impl Exit {
    /// Whether it is our SIGKILL that ended it. One that was past that when it came bears its own end.
    fn is_ours(self) -> bool {
        self.by_us && self.status.signal() == Some(SIGKILL)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => write!(f, "ended with exit code {code}"),
            (None, Some(signal)) => match signal_hook::low_level::signal_name(signal) {
                Some(name) => write!(f, "was killed by {name}"),
                None => write!(f, "was killed by signal {signal}"),
            },
            (None, None) => write!(f, "ended"),
        }
    }
}
