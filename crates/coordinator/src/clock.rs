//! The coordinator's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use fleet_core::timestamp::Timestamp;

/// Where a coordinator has its time from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's, as it was at `since`; from then on it is steady, whoever sets the machine's.
    Steady {
        /// When it was looked at.
        since: Instant,
        /// What it showed, since 1970-01-01 UTC.
        showed: Duration,
    },
    /// Somebody's who simulates: milliseconds since 1970-01-01 UTC.
    Told(Arc<AtomicU64>),
}

impl Clock {
    /// The machine's clock as it is now, going on steadily.
    pub fn start() -> Self {
        Self::Steady {
            since: Instant::now(),
            showed: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default(),
        }
    }

    /// Now.
    pub(crate) fn now(&self) -> Timestamp {
        match self {
            Self::Steady { since, showed } => Timestamp(0) + (*showed + since.elapsed()),
            Self::Told(millis) => Timestamp(millis.load(Ordering::Relaxed)),
        }
    }
}
