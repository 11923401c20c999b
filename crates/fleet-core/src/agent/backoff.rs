//! How long to wait after a call that failed.

use std::time::Duration;

use match_core::moment::Moment;

/// After the first failure.
const FIRST: Duration = Duration::from_millis(250);

/// So long at most: a coordinator that comes back after hours has its fleet back within a minute.
const LONGEST: Duration = Duration::from_secs(60);

/// Waits that double, each shortened at random by up to a half, so that a fleet that failed together
/// does not come back together.
#[derive(Clone, Debug)]
pub(super) struct Backoff {
    failures: u32,
    not_before: Moment,
}

impl Backoff {
    /// Nothing has failed.
    pub(super) const fn new() -> Self {
        Self {
            failures: 0,
            not_before: Moment::ZERO,
        }
    }

    /// When to try again.
    pub(super) const fn not_before(&self) -> Moment {
        self.not_before
    }

    /// It worked.
    pub(super) fn succeeded(&mut self) {
        *self = Self::new();
    }

    /// It failed at `at`; whoever was asked wants to be left alone for `least`.
    pub(super) fn failed(&mut self, at: Moment, least: Option<Duration>, dice: &mut Dice) {
        let doubled = FIRST.saturating_mul(1 << self.failures.min(16));
        self.failures = self.failures.saturating_add(1);
        let wait = dice.shorten(doubled.min(LONGEST));
        let wait = wait.max(least.map_or(Duration::ZERO, |least| least + dice.up_to(least / 4)));
        self.not_before = at + wait;
    }
}

/// Chance from a seed: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// The throws that `seed` decides.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next throw, uniform over all 64-bit values.
    pub(super) const fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A span from 0 to `most`.
    pub(super) fn up_to(&mut self, most: Duration) -> Duration {
        // The upper 32 bits, as a fraction of 2^32.
        most.mul_f64((self.throw() >> 32) as f64 / 4_294_967_296.0)
    }

    /// A span from a half of `span` to all of it.
    pub(super) fn shorten(&mut self, span: Duration) -> Duration {
        span / 2 + self.up_to(span / 2)
    }
}
