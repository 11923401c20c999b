//! Counts of pair scores.

use std::fmt;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use thiserror::Error;

use crate::estimate::Undefined;

/// Counts of pairs by their score 0, ½, 1, 1½, 2 from the first engine's side: `[LL, LD, DD+WL, WD,
/// WW]`.
///
/// A pair is two games of one opening with colours swapped. Its two results are dependent (the
/// opening favours the same colour in both), which is why pairs and not games are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// The number of pairs.
    #[must_use]
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of games: two a pair.
    #[must_use]
    pub fn games(self) -> u64 {
        2 * self.pairs()
    }

    /// Counts one more pair, whose score is `half_points` halves of a point.
    ///
    /// # Panics
    ///
    /// If `half_points` is above 4: two games are worth at most four half points.
    pub fn count(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The same pairs seen from the other engine's side.
    #[must_use]
    pub fn reversed(self) -> Self {
        let [ll, ld, even, wd, ww] = self.0;
        Self([ww, wd, even, ld, ll])
    }

    /// The share of pairs that neither engine won, (DD+WL) / pairs, as fastchess and fishtest print
    /// it.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`] without pairs.
    pub fn draw_ratio(self) -> Result<f64, Undefined> {
        match self.pairs() {
            0 => Err(Undefined::NoGames),
            pairs => Ok(self.0[2] as f64 / pairs as f64),
        }
    }

    /// Pairs won per pair lost, (WD+WW) / (LL+LD), as fastchess and fishtest print it.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`] without pairs, [`Undefined::NoLostPairs`] when none was lost.
    pub fn pairs_ratio(self) -> Result<f64, Undefined> {
        let [ll, ld, _, wd, ww] = self.0;
        match (self.pairs(), ll + ld) {
            (0, _) => Err(Undefined::NoGames),
            (_, 0) => Err(Undefined::NoLostPairs),
            (_, lost) => Ok((wd + ww) as f64 / lost as f64),
        }
    }
}

impl Add for Pentanomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ll, ld, even, wd, ww] = self.0;
        write!(f, "[{ll}, {ld}, {even}, {wd}, {ww}]")
    }
}

/// Why a text is not a pentanomial.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParsePentanomialError {
    /// Not five numbers.
    #[error("`{text}` has {found} counts: a pentanomial has 5, LL,LD,DD+WL,WD,WW")]
    Length {
        /// The whole text.
        text: String,
        /// How many counts it has.
        found: usize,
    },
    /// A count that is not a whole number.
    #[error("`{text}` is not a count of pairs: allowed are whole numbers from 0 to {MAX_COUNT}")]
    Count {
        /// The count as written.
        text: String,
    },
}

/// The largest count that is read: sums of five and their products with small integers stay exact
/// in an `f64`.
pub(crate) const MAX_COUNT: u64 = 1_000_000_000_000;

impl FromStr for Pentanomial {
    type Err = ParsePentanomialError;

    /// Reads `LL,LD,DD+WL,WD,WW`, with or without brackets and blanks.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let counts = parse_counts(text).map_err(|text| ParsePentanomialError::Count { text })?;
        let found = counts.len();
        let counts = counts
            .try_into()
            .map_err(|_| ParsePentanomialError::Length {
                text: text.to_owned(),
                found,
            })?;
        Ok(Self(counts))
    }
}

/// The numbers of a comma-separated list; the first text that is no count as the error.
pub(crate) fn parse_counts(text: &str) -> Result<Vec<u64>, String> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    inner
        .split(',')
        .map(|count| {
            let count = count.trim();
            count
                .parse()
                .ok()
                .filter(|&count| count <= MAX_COUNT)
                .ok_or_else(|| count.to_owned())
        })
        .collect()
}
