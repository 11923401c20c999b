//! Time scaled to a reference speed: so that a slow machine and a fast one play the same chess.
//!
//! A test may say how many nodes a second its base engine is to search (`reference-nps`). A worker
//! measures what it searches there, and all times of the test are multiplied by reference over measured:
//! base, increment and fixed time a move, but not margins and patience, which are about machines and
//! not about chess. Both sides compute the factor from the same two numbers, in whole thousandths.

use std::num::NonZeroU64;
use std::time::Duration;

use match_core::limits::{Limits, TimeControl};
use match_core::spec::Spec;
use thiserror::Error;

/// By how much times are multiplied, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Factor(u32);

/// Four times faster than the reference: engines' and our own latencies would weigh four times as much.
const MIN: u64 = 250;

/// Four times slower: a machine of ten years ago, or one that is lent out twice.
const MAX: u64 = 4_000;

/// A machine on which a test cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{measured} nodes a second were measured and {reference} are the reference: a quarter of it to four times as much is allowed"
)]
pub struct OutOfRange {
    /// Of the test.
    pub reference: NonZeroU64,
    /// Of the machine.
    pub measured: u64,
}

impl Factor {
    /// The largest that there is.
    pub const LARGEST: Self = Self(MAX as u32);

    /// That of a machine whose base engine searches `measured` nodes a second.
    ///
    /// # Errors
    /// [`OutOfRange`].
    pub fn of(reference: NonZeroU64, measured: u64) -> Result<Self, OutOfRange> {
        let out_of_range = || OutOfRange {
            reference,
            measured,
        };
        let measured_wide = u128::from(measured);
        if measured == 0 {
            return Err(out_of_range());
        }
        let thousandths = (u128::from(reference.get()) * 1000 + measured_wide / 2) / measured_wide;
        match u64::try_from(thousandths) {
            Ok(factor @ MIN..=MAX) => Ok(Self(factor as u32)),
            Ok(_) | Err(_) => Err(out_of_range()),
        }
    }

    /// As a number, 1 on the reference machine.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// `spec` with all times multiplied.
    #[must_use]
    pub fn scaled(self, spec: &Spec) -> Spec {
        let mut spec = spec.clone();
        for engine in &mut spec.engines {
            engine.limits = self.limits(&engine.limits);
        }
        spec
    }

    fn limits(self, limits: &Limits) -> Limits {
        Limits {
            clock: limits.clock.map(|clock| TimeControl {
                moves: clock.moves,
                base: self.time(clock.base),
                increment: self.time(clock.increment),
            }),
            move_time: limits.move_time.map(|time| self.time(time)),
            ..limits.clone()
        }
    }

    /// Whole milliseconds, as engines are told; what was something does not become nothing.
    fn time(self, time: Duration) -> Duration {
        if time.is_zero() {
            return time;
        }
        let micros = time.as_micros().saturating_mul(u128::from(self.0)) / 1000;
        let millis = u64::try_from((micros + 500) / 1000).unwrap_or(u64::MAX);
        Duration::from_millis(millis.max(1))
    }
}
