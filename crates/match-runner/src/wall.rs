//! The real clock: the one place where it is read.

use std::time::Duration;

use match_core::moment::Moment;
use rustix::event::Timespec;
use rustix::time::{ClockId, clock_gettime};

/// Gives moments since the start of the contest.
///
/// It is read twice a ply. In nanoseconds from the start that is a subtraction; with `Instant` it is
/// carries, checks and a division more, which show in the bench of the referee's cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    /// On the system's monotonic clock; before its start in a contest older than the machine's uptime.
    origin: u64,
}

impl Wall {
    /// A clock whose origin is now.
    pub(crate) fn start() -> Self {
        Self::start_at(Moment::ZERO)
    }

    /// A clock that now shows `at`: that of a contest goes on where it was interrupted.
    pub(crate) fn start_at(at: Moment) -> Self {
        Self {
            origin: monotonic().wrapping_sub(at.as_nanos()),
        }
    }

    pub(crate) fn now(self) -> Moment {
        Moment::from_nanos(monotonic().wrapping_sub(self.origin))
    }

    /// How long it runs.
    pub(crate) fn elapsed(self) -> Duration {
        self.now().since(Moment::ZERO)
    }

    /// How long it is until `due`; zero if it has passed.
    pub(crate) fn until(self, due: Moment) -> Duration {
        due.since(self.now())
    }
}

/// Nanoseconds since the machine started.
fn monotonic() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// A duration as `poll` takes it.
pub(crate) fn timespec(span: Duration) -> Timespec {
    // Beyond the range of the kernel's type it is for ever anyway.
    Timespec::try_from(span).unwrap_or(Timespec {
        tv_sec: i64::MAX,
        tv_nsec: 0,
    })
}
