//! Whether a book suits a time control.

use std::fmt;

use crate::estimate::{Estimate, Fixed, Interval, Undefined};
use crate::normal::Z95;
use crate::pentanomial::Pentanomial;

/// Below this rate of decisive pairs a book is too drawish for its time control (reference page on
/// statistics, 3).
pub const DECISIVE_RATE_MIN: f64 = 0.40;

/// The rate that an ideal book comes to: White wins half of the games, so half of the pairs
/// between equal engines are a win and a draw.
pub const DECISIVE_RATE_BEST: f64 = 0.50;

/// How many of the pairs from a book had a winner.
///
/// Between nearly equal engines the signal and the variance of a pair are both proportional to this
/// rate, so it is also the information per pair: a book with half the rate needs twice the games.
/// It is a property of book and time control together, since longer games are drawn more often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decisiveness {
    /// Complete pairs.
    pub pairs: u64,
    /// Pairs that one engine won: their score is not 1.
    pub decisive: u64,
    /// Even pairs of two decisive games: the opening won both.
    pub traded: u64,
}

impl Decisiveness {
    /// Counts decisive pairs. `traded` of the even ones were a win each; 0 if that is not known.
    #[must_use]
    pub fn new(pairs: Pentanomial, traded: u64) -> Self {
        Self {
            pairs: pairs.pairs(),
            decisive: pairs.pairs() - pairs.0[2],
            traded,
        }
    }

    /// The share of decisive pairs, 0 to 1, with the interval of Wilson (1927), which keeps its 95 %
    /// also for few pairs and rates near 0.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`] without pairs.
    pub fn rate(self) -> Result<Estimate, Undefined> {
        if self.pairs == 0 {
            return Err(Undefined::NoGames);
        }
        let n = self.pairs as f64;
        let rate = self.decisive as f64 / n;
        let square = Z95 * Z95;
        let centre = (rate + square / (2.0 * n)) / (1.0 + square / n);
        let half =
            Z95 / (1.0 + square / n) * (rate * (1.0 - rate) / n + square / (4.0 * n * n)).sqrt();
        let [low, high] = [centre - half, centre + half].map(|limit| limit.clamp(0.0, 1.0));
        Ok(Estimate {
            value: rate,
            ci95: Ok(Interval::new(low.min(rate), high.max(rate))),
        })
    }

    /// What is wrong with the book, if fewer than [`DECISIVE_RATE_MIN`] of the pairs are decisive.
    #[must_use]
    pub fn warning(self) -> Option<TooEven> {
        let Estimate { value, ci95 } = self.rate().ok()?;
        let ci95 = ci95.ok()?;
        let even = self.pairs - self.decisive;
        (value < DECISIVE_RATE_MIN).then_some(TooEven {
            rate: value,
            ci95,
            is_certain: ci95.high < DECISIVE_RATE_MIN,
            is_one_sided: even < 2 * self.traded,
        })
    }
}

/// A book with too many even pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooEven {
    /// The share of decisive pairs, 0 to 1.
    pub rate: f64,
    /// Its 95 % interval.
    pub ci95: Interval,
    /// Whether the whole interval lies below [`DECISIVE_RATE_MIN`].
    pub is_certain: bool,
    /// Whether most even pairs are a win each: the openings are not too drawish but too one-sided.
    pub is_one_sided: bool,
}

impl TooEven {
    /// How many times the games of a book with [`DECISIVE_RATE_BEST`] this one needs for the same
    /// certainty; nothing if no pair was decisive.
    #[must_use]
    pub fn cost(self) -> Option<f64> {
        (0.0 < self.rate).then(|| DECISIVE_RATE_BEST / self.rate)
    }
}

impl fmt::Display for TooEven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| Fixed(100.0 * share, 1);
        let fault = if self.is_one_sided {
            "too one-sided"
        } else {
            "too drawish"
        };
        let verdict = if self.is_certain { "is" } else { "may be" };
        write!(
            f,
            "the book {verdict} {fault} for this time control: {} % of its pairs are decisive (95 %: {} to \
             {}), and it should be {} % at least",
            percent(self.rate),
            percent(self.ci95.low),
            percent(self.ci95.high),
            Fixed(100.0 * DECISIVE_RATE_MIN, 0),
        )?;
        match self.cost() {
            Some(cost) => write!(
                f,
                "; it takes {} times the games of a book with {} %",
                Fixed(cost, 1),
                Fixed(100.0 * DECISIVE_RATE_BEST, 0),
            ),
            None => Ok(()),
        }
    }
}
