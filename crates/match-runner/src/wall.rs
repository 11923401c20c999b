//! The real clock: the one place where it is read.

use std::time::{Duration, Instant};

use match_core::moment::Moment;
use rustix::event::Timespec;

/// Gives moments since the start of the contest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall(Instant);

impl Wall {
    /// A clock whose origin is now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn now(self) -> Moment {
        Moment::ZERO + self.elapsed()
    }

    /// How long it runs.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// How long it is until `due`; zero if it has passed.
    pub(crate) fn until(self, due: Moment) -> Duration {
        due.since(self.now())
    }
}

/// A duration as `poll` takes it.
pub(crate) fn timespec(span: Duration) -> Timespec {
    // Beyond the range of the kernel's type it is for ever anyway.
    Timespec::try_from(span).unwrap_or(Timespec {
        tv_sec: i64::MAX,
        tv_nsec: 0,
    })
}
