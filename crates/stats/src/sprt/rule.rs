//! When a sequential test stops.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::hypotheses::ErrorRates;
use crate::curved::{Design, Prior};

/// When a sequential test stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Constant bounds: Wald's sequential probability ratio test. The shortest possible mean when
    /// the truth is `elo0` or `elo1`, long tails between them.
    Wald,
    /// Bounds that move with the information gathered and meet in the end: a shorter mean where a
    /// test is longest, and much shorter tails, at the same error rates.
    Curved(Preset),
}

/// For what curved bounds are best: the prior of the truth under which their mean length is least.
///
/// Simulated with exact log-likelihood ratios (`cargo bench -p stats --bench stop_rules`; 20,000
/// tests of [0, 10] at α = β = 0.05, looks after 8 pairs, engines and book of the law `uho`),
/// pairs relative to constant bounds with the same overshoot correction:
///
/// | preset | α | β | at `elo0` | middle | at `elo1` | 95 % in the middle | 99 % |
/// |---|---|---|---|---|---|---|---|
/// | (`wald`) | 0.0501 | 0.0499 | 3195 pairs | 5184 pairs | 3200 pairs | | |
/// | `general` | 0.0502 | 0.0501 | 1.011 | 0.938 | 1.011 | 0.78 | 0.63 |
/// | `gain` | 0.0501 | 0.0500 | 1.012 | 0.945 | 1.014 | 0.79 | 0.64 |
/// | `non-regression` | 0.0500 | 0.0501 | 1.020 | 0.909 | 1.018 | 0.72 | 0.58 |
/// | `deadline` | 0.0501 | 0.0500 | 1.059 | 0.893 | 1.057 | 0.63 | 0.50 |
///
/// The ratios have standard errors of about 0.007; in the limit of many pairs those of the middle
/// are 0.931, 0.936, 0.901 and 0.887. The laws `ltc`, `balanced` and `weak` give the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// The truth is anywhere around the hypotheses. Mean length −7 % in the middle, at most +2 %
    /// elsewhere.
    #[default]
    General,
    /// Most candidates fail: the truth is mostly at `elo0` and below. −2 to −11 % there.
    Gain,
    /// The truth is mostly between the hypotheses. −10 % in the middle, +2 % at the hypotheses.
    NonRegression,
    /// The shortest worst case that any test can have (Kiefer and Weiss 1957). −11 % in the middle,
    /// +6 % at the hypotheses, +20 % beyond.
    Deadline,
}

impl Default for Rule {
    fn default() -> Self {
        Self::Curved(Preset::default())
    }
}

impl Rule {
    /// The name in configurations and reports; the preset has its own.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wald => "wald",
            Self::Curved(_) => "curved",
        }
    }

    /// The preset of curved bounds.
    #[must_use]
    pub fn preset(self) -> Option<Preset> {
        match self {
            Self::Wald => None,
            Self::Curved(preset) => Some(preset),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A rule that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a rule: allowed are `curved` and `wald`")]
pub struct UnknownRule(
    /// The name as written.
    pub String,
);

impl FromStr for Rule {
    type Err = UnknownRule;

    /// Reads the name; curved bounds are of the preset `general`.
    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        let rules = [Self::Wald, Self::default()];
        rules
            .into_iter()
            .find(|rule| rule.name() == name)
            .ok_or_else(|| UnknownRule(name.to_owned()))
    }
}

impl Preset {
    /// All presets, the default first.
    pub const ALL: [Self; 4] = [
        Self::General,
        Self::Gain,
        Self::NonRegression,
        Self::Deadline,
    ];

    /// The name in configurations and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Gain => "gain",
            Self::NonRegression => "non-regression",
            Self::Deadline => "deadline",
        }
    }

    /// The prior of the drift θ: −½ at `elo0`, +½ at `elo1` (reference page on statistics, 2.4).
    #[must_use]
    pub fn prior(self) -> Prior {
        let (mean, deviation) = match self {
            Self::General => (0.0, 1.0),
            Self::Gain => (-0.5, 1.0),
            Self::NonRegression => (0.0, 0.5),
            Self::Deadline => (0.0, 0.0),
        };
        Prior { mean, deviation }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A preset that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a preset: allowed are `general`, `gain`, `non-regression` and `deadline`")]
pub struct UnknownPreset(
    /// The name as written.
    pub String,
);

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, UnknownPreset> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| UnknownPreset(name.to_owned()))
    }
}

/// Why a test that asked for curved bounds has constant ones.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum Fallback {
    /// Error rates for which curved bounds are not designed.
    #[error(
        "curved bounds are designed for `alpha` and `beta` from {RATE_MIN} to {RATE_MAX}, and these \
         are {alpha} and {beta}: the test has constant bounds (rule `wald`)"
    )]
    Rates {
        /// P(H1 accepted) under H0.
        alpha: f64,
        /// P(H0 accepted) under H1.
        beta: f64,
    },
    /// The design missed its error rates.
    #[error(
        "no curved bounds were found that have `alpha` and `beta` to 0.1 %: the test has constant \
         bounds (rule `wald`)"
    )]
    NotCalibrated,
}

/// Error rates for which curved bounds are designed. Below, the grids get too coarse; above, tests
/// are so short that Brownian motion is a bad picture of them.
const RATE_MIN: f64 = 0.001;
const RATE_MAX: f64 = 0.2;

pub(super) fn design(preset: Preset, rates: ErrorRates) -> Result<Design, Fallback> {
    let (alpha, beta) = (rates.alpha(), rates.beta());
    let allowed = RATE_MIN..=RATE_MAX;
    if !(allowed.contains(&alpha) && allowed.contains(&beta)) {
        return Err(Fallback::Rates { alpha, beta });
    }
    Design::new(preset.prior(), rates).ok_or(Fallback::NotCalibrated)
}
