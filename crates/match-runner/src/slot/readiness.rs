//! The one place where a slot waits.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use crate::process::Process;
use crate::wall::timespec;

/// What an engine's pipes are ready for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ready {
    pub(super) output: bool,
    pub(super) errors: bool,
    /// The process has ended.
    pub(super) ended: bool,
    pub(super) input: bool,
}

/// An engine to wait for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Awaited<'a> {
    pub(super) process: &'a Process,
    /// Something is to be written as soon as the pipe takes it.
    pub(super) has_unsent: bool,
}

/// Waits until the bell rings, an engine is ready for something, or the time is over.
///
/// A signal handler that ran meanwhile looks like time that is over; the caller looks at the clock anyway.
pub(super) fn wait(
    bell: BorrowedFd<'_>,
    engines: [Option<Awaited<'_>>; 2],
    timeout: Option<Duration>,
) -> (bool, [Ready; 2]) {
    fn watch<'a>(bell: BorrowedFd<'a>, fd: Option<BorrowedFd<'a>>, flags: PollFlags) -> PollFd<'a> {
        match fd {
            Some(fd) => PollFd::from_borrowed_fd(fd, flags),
            // A place that stays empty.
            None => PollFd::from_borrowed_fd(bell, PollFlags::empty()),
        }
    }
    fn input(engine: Awaited<'_>) -> Option<BorrowedFd<'_>> {
        engine.process.input_fd().filter(|_| engine.has_unsent)
    }
    let [first, second] = engines;
    let mut fds = [
        PollFd::from_borrowed_fd(bell, PollFlags::IN),
        watch(
            bell,
            first.and_then(|engine| engine.process.output_fd()),
            PollFlags::IN,
        ),
        watch(
            bell,
            second.and_then(|engine| engine.process.output_fd()),
            PollFlags::IN,
        ),
        watch(
            bell,
            first.and_then(|engine| engine.process.errors_fd()),
            PollFlags::IN,
        ),
        watch(
            bell,
            second.and_then(|engine| engine.process.errors_fd()),
            PollFlags::IN,
        ),
        watch(
            bell,
            first.and_then(|engine| engine.process.end_fd()),
            PollFlags::IN,
        ),
        watch(
            bell,
            second.and_then(|engine| engine.process.end_fd()),
            PollFlags::IN,
        ),
        watch(bell, first.and_then(input), PollFlags::OUT),
        watch(bell, second.and_then(input), PollFlags::OUT),
    ];
    // Hardly ever is anything unsent, and every entry costs the kernel a little.
    let unsent = engines
        .into_iter()
        .flatten()
        .any(|engine| engine.has_unsent);
    let count = if unsent { fds.len() } else { fds.len() - 2 };
    let _errors_are_seen_by_the_reads = poll(&mut fds[..count], timeout.map(timespec).as_ref());
    let ready = |index: usize| !fds[index].revents().is_empty();
    let of = |engine: usize| Ready {
        output: ready(1 + engine),
        errors: ready(3 + engine),
        ended: ready(5 + engine),
        input: ready(7 + engine),
    };
    (ready(0), [of(0), of(1)])
}
