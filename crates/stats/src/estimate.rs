//! A number with its interval, or the reason why there is none.

use std::fmt;

use thiserror::Error;

/// A point estimate with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate; finite.
    pub value: f64,
    /// The two-sided 95 % interval, or why there is none although there is a value.
    pub ci95: Result<Interval, Undefined>,
}

/// A closed interval; `low <= high`, both finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// The interval with these limits; negative zeros become zeros.
    #[must_use]
    pub fn new(low: f64, high: f64) -> Self {
        debug_assert!(low <= high, "`{low}..{high}` is not an interval");
        Self {
            low: low + 0.0,
            high: high + 0.0,
        }
    }

    /// Half of the width: the number that engine testers write after `±`.
    #[must_use]
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies in the interval.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Why a quantity has no value. Printed and written to JSON in place of NaN or an infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Undefined {
    /// Nothing was played.
    #[error("no games")]
    NoGames,
    /// Every result is the same, so the data show no variance.
    #[error("all results are the same")]
    OneResult,
    /// Every game was won, or every game was lost: the difference has no bound on that side.
    #[error("perfect score")]
    PerfectScore,
    /// No pair was lost, so there is nothing to divide by.
    #[error("no lost pairs")]
    NoLostPairs,
    /// The results are exactly what the estimate expects, so they do not show how they vary.
    #[error("the results show no spread")]
    NoSpread,
    /// Two players have not met, and no chain of others links them.
    #[error("no games link them")]
    Unconnected,
}

/// Displays a number with a fixed count of decimals and without the sign of a negative zero.
///
/// `format!("{:.2}", -0.001)` is `-0.00`, which looks like a loss; this is `0.00`.
///
/// ```
/// assert_eq!(stats::Fixed(-0.001, 2).to_string(), "0.00");
/// assert_eq!(stats::Fixed(-0.005_1, 2).to_string(), "-0.01");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fixed(
    /// The number.
    pub f64,
    /// Decimals after the point.
    pub usize,
);

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.*}", self.1, self.0);
        let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
        f.pad(if is_zero {
            text.trim_start_matches('-')
        } else {
            &text
        })
    }
}
