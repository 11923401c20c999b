//! Counts of game results.

use std::ops::{Add, AddAssign};
use std::str::FromStr;

use thiserror::Error;

use crate::pentanomial::{MAX_COUNT, parse_counts};

/// Counts of single games from the first engine's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Trinomial {
    /// The number of games.
    #[must_use]
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The same games seen from the other engine's side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

impl Add for Trinomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Why a text is not a win-draw-loss count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseTrinomialError {
    /// Not three numbers.
    #[error("`{text}` has {found} counts: wins, draws and losses are 3, W,D,L")]
    Length {
        /// The whole text.
        text: String,
        /// How many counts it has.
        found: usize,
    },
    /// A count that is not a whole number.
    #[error("`{text}` is not a count of games: allowed are whole numbers from 0 to {MAX_COUNT}")]
    Count {
        /// The count as written.
        text: String,
    },
}

impl FromStr for Trinomial {
    type Err = ParseTrinomialError;

    /// Reads `W,D,L`, with or without brackets and blanks.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let counts = parse_counts(text).map_err(|text| ParseTrinomialError::Count { text })?;
        match counts[..] {
            [wins, draws, losses] => Ok(Self {
                wins,
                draws,
                losses,
            }),
            _ => Err(ParseTrinomialError::Length {
                text: text.to_owned(),
                found: counts.len(),
            }),
        }
    }
}
