//! How often the five pair scores come.

use std::str::FromStr;

use thiserror::Error;

use crate::elo::{NELO_PER_T, excess_of_elo};
use crate::llr::Model;
use crate::pentanomial::{ParsePentanomialError, Pentanomial};
use crate::results::Results;
use crate::root;

/// The probabilities of the pair scores 0, ½, 1, 1½, 2.
///
/// # Invariant
///
/// All are above 0, and their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law([f64; 5]);

/// Why there is no such law.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LawError {
    /// Neither a name nor counts.
    #[error(
        "not a law of pairs: allowed are `uho`, `balanced`, `weak`, `ltc` and counts like 5,240,510,240,5"
    )]
    Unknown(#[source] ParsePentanomialError),
    /// Counts of nothing.
    #[error("`{0}` has no pairs: a law needs counts of pairs that were played")]
    Empty(
        /// The counts.
        Pentanomial,
    ),
    /// A strength that these pairs cannot show.
    #[error("no tilt of this law has {model} Elo {elo}: it is too far from equality")]
    OutOfReach {
        /// What Elo means.
        model: Model,
        /// The strength asked for.
        elo: f64,
    },
}

impl Law {
    /// Engines near the top at a short time control, with a book of openings that favour White:
    /// nearly half of the pairs are decisive. (Like the following: reference page on statistics,
    /// 2.3, from the records of testing sites.)
    pub const UHO: Self = Self([0.005, 0.24, 0.51, 0.24, 0.005]);

    /// The same at a long time control.
    pub const LTC: Self = Self([0.001, 0.19, 0.618, 0.19, 0.001]);

    /// Strong engines with a book of balanced openings: few decisive pairs.
    pub const BALANCED: Self = Self([0.0005, 0.06, 0.879, 0.06, 0.0005]);

    /// Weak engines: anything happens.
    pub const WEAK: Self = Self([0.115, 0.206, 0.358, 0.206, 0.115]);

    /// The shares of counted pairs, with what stands for empty cells.
    ///
    /// # Errors
    ///
    /// [`LawError::Empty`] without pairs.
    pub fn of(pairs: Pentanomial) -> Result<Self, LawError> {
        if pairs.pairs() == 0 {
            return Err(LawError::Empty(pairs));
        }
        let cells = crate::results::Cells::regularised(Results::Pairs(pairs));
        let total = cells.total();
        Ok(Self(std::array::from_fn(|i| cells.counts()[i] / total)))
    }

    /// The probabilities.
    #[must_use]
    pub fn probabilities(self) -> [f64; 5] {
        self.0
    }

    /// Mean score of a pair's games minus ½.
    #[must_use]
    pub fn excess(self) -> f64 {
        let [ll, ld, _, wd, ww] = self.0;
        0.5 * (ww - ll) + 0.25 * (wd - ld)
    }

    /// Variance of a pair's mean score.
    #[must_use]
    pub fn variance(self) -> f64 {
        let [ll, ld, _, wd, ww] = self.0;
        0.25 * (ww + ll) + 0.0625 * (wd + ld) - self.excess().powi(2)
    }

    /// The share of pairs that one engine won.
    #[must_use]
    pub fn decisive(self) -> f64 {
        1.0 - self.0[2]
    }

    /// The law of the same pairs between engines that are `elo` apart: each probability multiplied
    /// by exp(λ · score), which changes the mean and as little else as possible.
    ///
    /// # Errors
    ///
    /// [`LawError::OutOfReach`] where no such law exists.
    pub fn tilted_to(self, model: Model, elo: f64) -> Result<Self, LawError> {
        let miss = |law: Self| match model {
            Model::Normalized => law.excess() / (2.0 * law.variance()).sqrt() - elo / NELO_PER_T,
            Model::Logistic | Model::Bayesian => law.excess() - excess_of_elo(elo),
        };
        let tilt = root::of_rising(|tilt| miss(self.tilted(tilt)), -TILT_MAX, TILT_MAX);
        let law = self.tilted(tilt);
        if miss(law).abs() < 1e-9 {
            Ok(law)
        } else {
            Err(LawError::OutOfReach { model, elo })
        }
    }

    fn tilted(self, tilt: f64) -> Self {
        let weights: [f64; 5] =
            std::array::from_fn(|i| self.0[i] * (tilt * (i as f64 / 4.0 - 0.5)).exp());
        let total: f64 = weights.iter().sum();
        Self(weights.map(|weight| weight / total))
    }
}

/// Beyond it one of the outer scores has all the weight.
const TILT_MAX: f64 = 60.0;

impl FromStr for Law {
    type Err = LawError;

    /// Reads a name or the counts of a pentanomial.
    fn from_str(text: &str) -> Result<Self, LawError> {
        match text.trim() {
            "uho" => Ok(Self::UHO),
            "ltc" => Ok(Self::LTC),
            "balanced" => Ok(Self::BALANCED),
            "weak" => Ok(Self::WEAK),
            counts => Self::of(counts.parse().map_err(LawError::Unknown)?),
        }
    }
}
