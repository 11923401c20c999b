//! The one place where a slot waits: for both engines, for orders, and for the time.
//!
//! What `poll` with a timeout does in one call is done here with `epoll` and a timer that stays armed,
//! because the kernel does most of the work of `poll` anew in every call. With the seven descriptors
//! of a slot, `poll` costs a ply 1.4 us more than a bare blocking read does, half a microsecond of it
//! for the timeout; this way it is 0.4 us.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use engine_core::{ByColor, Color};
use match_core::moment::Moment;
use rustix::event::Timespec;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

use crate::process::Process;
use crate::wall::{Wall, timespec};

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Until something is ready or the time has come, if there is one.
    Until(Option<Moment>),
    /// Not at all: there is something to do already.
    Never,
}

/// What became ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ready {
    /// Orders wait.
    pub(super) bell: bool,
    pub(super) engines: ByColor<EngineReady>,
}

/// What an engine's pipes are ready for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EngineReady {
    pub(super) output: bool,
    pub(super) errors: bool,
    /// The process has ended.
    pub(super) ended: bool,
    pub(super) input: bool,
}

/// A descriptor among those that are watched.
#[derive(Clone, Copy, Debug)]
enum Source {
    Bell,
    Timer,
    Output(Color),
    Errors(Color),
    End(Color),
    Input(Color),
}

/// All that a slot waits for. A descriptor that is closed is no longer among it.
#[derive(Debug)]
pub(super) struct Watch {
    epoll: OwnedFd,
    timer: OwnedFd,
    /// When the timer will fire. Earlier than anybody wants is fine: then it is set anew.
    armed: Option<Moment>,
}

impl Watch {
    /// Watches `bell` and nothing else.
    ///
    /// # Errors
    /// When there are no descriptors to be had.
    pub(super) fn new(bell: BorrowedFd<'_>) -> io::Result<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        let watch = Self {
            epoll,
            timer,
            armed: None,
        };
        watch.set(bell, Source::Bell, EventFlags::IN)?;
        watch.set(watch.timer.as_fd(), Source::Timer, EventFlags::IN)?;
        Ok(watch)
    }

    /// Watches an engine, which has this colour from now on.
    ///
    /// # Errors
    /// When the kernel's limit of watched descriptors is reached.
    pub(super) fn add(&self, color: Color, process: &Process) -> io::Result<()> {
        let sources = [
            // Told once, the kernel need not look again at the next wait.
            (
                process.output_fd(),
                Source::Output(color),
                EventFlags::IN | EventFlags::ET,
            ),
            (process.errors_fd(), Source::Errors(color), EventFlags::IN),
            (process.end_fd(), Source::End(color), EventFlags::IN),
        ];
        for (fd, source, flags) in sources {
            if let Some(fd) = fd {
                self.set(fd, source, flags)?;
            }
        }
        Ok(())
    }

    /// Watches an engine no longer.
    pub(super) fn remove(&self, process: &Process) {
        let fds = [
            process.output_fd(),
            process.errors_fd(),
            process.end_fd(),
            process.input_fd(),
        ];
        for fd in fds.into_iter().flatten() {
            let _it_was_not_there = epoll::delete(&self.epoll, fd);
        }
    }

    /// Watches whether the pipe to an engine has room, or no longer.
    pub(super) fn watch_input(
        &self,
        color: Color,
        process: &Process,
        is_wanted: bool,
    ) -> io::Result<()> {
        match process.input_fd() {
            Some(fd) if is_wanted => self.set(fd, Source::Input(color), EventFlags::OUT),
            Some(fd) => Ok(epoll::delete(&self.epoll, fd)?),
            None => Ok(()),
        }
    }

    /// Waits. It may end for no reason: a signal handler ran, or the timer was still set for something
    /// earlier.
    ///
    /// Output is told once for what has come; who has not read all of it reads on without being told
    /// (see [`Process::has_more`]).
    pub(super) fn wait(&mut self, wait: Wait, wall: Wall) -> Ready {
        const AT_ONCE: Timespec = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let timeout = match wait {
            Wait::Never => Some(&AT_ONCE),
            Wait::Until(due) => {
                if let Some(due) = due
                    && self.armed.is_none_or(|armed| due < armed)
                {
                    self.arm(due, wall);
                }
                None
            }
        };
        let mut events = [const { std::mem::MaybeUninit::uninit() }; Source::ALL.len()];
        let mut ready = Ready::default();
        // Errors are interruptions.
        let Ok((events, _)) = epoll::wait(&self.epoll, &mut events[..], timeout) else {
            return ready;
        };
        for event in events {
            match Source::ALL[event.data.u64() as usize] {
                Source::Bell => ready.bell = true,
                Source::Timer => self.silence(),
                Source::Output(color) => ready.engines[color].output = true,
                Source::Errors(color) => ready.engines[color].errors = true,
                Source::End(color) => ready.engines[color].ended = true,
                Source::Input(color) => ready.engines[color].input = true,
            }
        }
        ready
    }

    fn arm(&mut self, due: Moment, wall: Wall) {
        // Zero would mean never.
        let left = wall.until(due).max(Duration::from_nanos(1));
        let once = Itimerspec {
            it_interval: timespec(Duration::ZERO),
            it_value: timespec(left),
        };
        timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once)
            .expect("a timer and a time in its range");
        self.armed = Some(due);
    }

    fn silence(&mut self) {
        let mut count = [0; 8];
        let _it_was_set_anew_meanwhile = rustix::io::read(&self.timer, &mut count[..]);
        self.armed = None;
    }

    fn set(&self, fd: BorrowedFd<'_>, source: Source, flags: EventFlags) -> io::Result<()> {
        let data = EventData::new_u64(source.token());
        // It is nearly always there from the game before, with the other colour.
        match epoll::modify(&self.epoll, fd, data, flags) {
            Err(Errno::NOENT) => Ok(epoll::add(&self.epoll, fd, data, flags)?),
            result => Ok(result?),
        }
    }
}

impl Source {
    /// By their tokens.
    const ALL: [Self; 10] = [
        Self::Bell,
        Self::Timer,
        Self::Output(Color::White),
        Self::Output(Color::Black),
        Self::Errors(Color::White),
        Self::Errors(Color::Black),
        Self::End(Color::White),
        Self::End(Color::Black),
        Self::Input(Color::White),
        Self::Input(Color::Black),
    ];

    const fn token(self) -> u64 {
        match self {
            Self::Bell => 0,
            Self::Timer => 1,
            Self::Output(color) => 2 + color.index() as u64,
            Self::Errors(color) => 4 + color.index() as u64,
            Self::End(color) => 6 + color.index() as u64,
            Self::Input(color) => 8 + color.index() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_where_its_token_says() {
        for (token, source) in Source::ALL.into_iter().enumerate() {
            assert_eq!(source.token(), token as u64);
        }
    }

    #[test]
    fn a_later_deadline_does_not_hide_an_earlier_one_and_the_timer_fires_for_both() {
        let wall = Wall::start();
        let (bell, _ringer) = io::pipe().expect("a pipe");
        let mut watch = Watch::new(bell.as_fd()).expect("descriptors");
        let soon = wall.now() + Duration::from_millis(20);
        let later = wall.now() + Duration::from_millis(60);
        for due in [later, soon, later] {
            watch.arm_for_test(due, wall);
        }
        for due in [soon, later] {
            while wall.now() < due {
                assert_eq!(watch.wait(Wait::Until(Some(due)), wall), Ready::default());
            }
        }
    }

    impl Watch {
        fn arm_for_test(&mut self, due: Moment, wall: Wall) {
            if self.armed.is_none_or(|armed| due < armed) {
                self.arm(due, wall);
            }
        }
    }
}
