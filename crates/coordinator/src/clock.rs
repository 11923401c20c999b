//! The coordinator's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fleet_core::timestamp::Timestamp;
use rustix::time::{ClockId, clock_gettime};

/// Where a coordinator has its time from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's, as it was when this was made; from then on it is steady, whoever sets the machine's.
    Steady {
        /// When the machine was started, since 1970-01-01 UTC.
        booted: Duration,
    },
    /// Somebody's who simulates: milliseconds since 1970-01-01 UTC.
    Told(Arc<AtomicU64>),
}

impl Clock {
    /// The machine's clock as it is now, going on steadily.
    pub fn start() -> Self {
        let showed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self::Steady {
            booted: showed.saturating_sub(since_boot()),
        }
    }

    /// Now.
    pub(crate) fn now(&self) -> Timestamp {
        match self {
            Self::Steady { booted } => Timestamp(0) + (*booted + since_boot()),
            Self::Told(millis) => Timestamp(millis.load(Ordering::Relaxed)),
        }
    }
}

/// How long ago the machine was started. While it sleeps workers play on, so this goes on too, which
/// `Instant` does not.
fn since_boot() -> Duration {
    Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A machine that has slept shows the difference; one that has not cannot.
    #[test]
    fn the_time_goes_on_while_the_machine_sleeps() {
        let stat = fs::read_to_string("/proc/stat").expect("Linux has it");
        let line = stat.lines().find_map(|line| line.strip_prefix("btime "));
        let booted: u64 = line.expect("a line").trim().parse().expect("seconds");
        let Clock::Steady { booted: found } = Clock::start() else {
            panic!("it is the machine's");
        };
        let off = found.abs_diff(Duration::from_secs(booted));
        assert!(off < Duration::from_secs(5), "{found:?} and {booted} s");
    }
}
