//! When something happened, for machines that do not share a clock.

use std::ops::{Add, Sub};
use std::time::Duration;

/// Milliseconds since 1970-01-01 UTC by the coordinator's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub u64);

impl Add<Duration> for Timestamp {
    type Output = Self;

    /// Later by `span`, in whole milliseconds.
    fn add(self, span: Duration) -> Self {
        let millis = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(millis))
    }
}

impl Sub for Timestamp {
    type Output = Duration;

    /// How long before this `earlier` was; nothing if it was not, for clocks are set back.
    fn sub(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}
