//! Answers what sandboxed engines ask, and keeps what they were refused.
//!
//! A thread that sleeps until an engine opens a file, a socket or a process. About files it decides
//! nothing, Landlock does; it only says what Landlock will refuse, so that the contest can say so.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};

use super::Cell;
use super::confine::{give_descriptor, take_descriptor};
use super::judge::Judge;
use super::kernel;
use super::refusal::Refusals;

/// The thread, from the outside.
#[derive(Debug)]
pub(crate) struct Warden {
    /// Absent when the thread is to end.
    wards: Mutex<Option<Sender<Ward>>>,
    bell: io::PipeWriter,
    thread: Option<JoinHandle<()>>,
}

/// An engine that is watched.
#[derive(Debug)]
struct Ward {
    /// To the launcher at first, then what the engine asks on.
    line: Line,
    judge: Judge,
    refusals: Arc<Refusals>,
}

#[derive(Debug)]
enum Line {
    Launcher(UnixStream),
    Listener(OwnedFd),
}

impl Warden {
    /// Starts the thread.
    ///
    /// # Errors
    /// When there is no thread or no pipe to be had.
    pub(crate) fn start() -> io::Result<Self> {
        let (ring, bell) = io::pipe()?;
        let (wards, new) = channel();
        let thread = thread::Builder::new()
            .name("warden".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || watch(&new, &ring))?;
        Ok(Self {
            wards: Mutex::new(Some(wards)),
            bell,
            thread: Some(thread),
        })
    }

    /// Watches an engine that was just started as the launcher, with the other end of `launcher` as its
    /// standard input; hands it `input`, which is to be that instead.
    ///
    /// # Errors
    /// When the launcher has ended already.
    pub(crate) fn admit(
        &self,
        launcher: UnixStream,
        input: BorrowedFd<'_>,
        group: u32,
        cell: &Arc<Cell>,
    ) -> io::Result<Arc<Refusals>> {
        give_descriptor(launcher.as_fd(), input)?;
        let refusals = Arc::new(Refusals::default());
        let ward = Ward {
            line: Line::Launcher(launcher),
            judge: Judge::new(Arc::clone(cell), group),
            refusals: Arc::clone(&refusals),
        };
        if let Some(wards) = &*self.wards.lock().unwrap_or_else(PoisonError::into_inner) {
            let _it_panicked_and_that_goes_on = wards.send(ward);
        }
        self.ring();
        Ok(refusals)
    }

    fn ring(&self) {
        let _it_rings_already = rustix::io::write(&self.bell, b"!");
    }
}

/// It goes a few frames deep with small buffers.
const STACK_BYTES: usize = 256 * 1024;

impl Drop for Warden {
    fn drop(&mut self) {
        *self.wards.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.ring();
        if let Some(thread) = self.thread.take() {
            let _it_has_nothing_left_to_say = thread.join();
        }
    }
}

/// The thread's work, until nobody can bring new wards.
fn watch(new: &Receiver<Ward>, bell: &io::PipeReader) {
    let mut wards: Vec<Ward> = Vec::new();
    loop {
        let ready: Vec<PollFlags> = {
            let fds = wards.iter().map(|ward| ward.line.as_fd());
            let mut fds: Vec<PollFd<'_>> = std::iter::once(bell.as_fd())
                .chain(fds)
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
                .collect();
            let _interrupted_is_as_good = poll(&mut fds, None);
            fds.iter().map(PollFd::revents).collect()
        };
        let mut flags = ready[1..].iter();
        wards.retain_mut(|ward| {
            let ready = flags.next().expect("one for each ward");
            ready.is_empty() || ward.attend(*ready)
        });
        if !ready[0].is_empty() {
            let mut rings = [0; 64];
            let _it_is_looked_at_either_way = rustix::io::read(bell, &mut rings[..]);
            loop {
                match new.try_recv() {
                    Ok(ward) => wards.push(ward),
                    Err(std::sync::mpsc::TryRecvError::Empty) => break,
                    Err(std::sync::mpsc::TryRecvError::Disconnected) => return,
                }
            }
        }
    }
}

impl Ward {
    /// Does what is to be done; says whether there may be more.
    fn attend(&mut self, ready: PollFlags) -> bool {
        if !ready.contains(PollFlags::IN) {
            return false;
        }
        match &self.line {
            Line::Launcher(socket) => match take_descriptor(socket.as_fd()) {
                Ok(listener) => {
                    self.line = Line::Listener(listener);
                    true
                }
                // It ended; why, it has said on its stderr.
                Err(_) => false,
            },
            Line::Listener(listener) => {
                if let Some(request) = kernel::receive(listener.as_fd()) {
                    let (answer, refusal) = self.judge.judge(&request);
                    // What was read belonged to the one who asks only if they still wait.
                    if let Some(refusal) = refusal
                        && kernel::is_waiting(listener.as_fd(), &request)
                    {
                        self.refusals.add(refusal);
                    }
                    kernel::answer(listener.as_fd(), &request, answer);
                }
                true
            }
        }
    }
}

impl Line {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Launcher(socket) => socket.as_fd(),
            Self::Listener(listener) => listener.as_fd(),
        }
    }
}
