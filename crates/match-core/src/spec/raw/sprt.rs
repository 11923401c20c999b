//! A sequential test as people write it.

use serde::Deserialize;
use stats::{ELO_BOUND_MAX, Model};

use crate::spec::SprtSpec;
use crate::spec::error::SpecError;
use crate::spec::notice::Notice;
use crate::spec::raw::{value, words};

/// A sequential test, as far as it was said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawSprt {
    /// Elo of the hypothesis that the first engine is not stronger.
    #[serde(deserialize_with = "value::number")]
    pub elo0: Option<f64>,
    /// Elo of the hypothesis that it is.
    #[serde(deserialize_with = "value::number")]
    pub elo1: Option<f64>,
    /// How often the second is accepted where the first is true.
    #[serde(deserialize_with = "value::number")]
    pub alpha: Option<f64>,
    /// How often the first is accepted where the second is true.
    #[serde(deserialize_with = "value::number")]
    pub beta: Option<f64>,
    /// What Elo means: `normalized`, `logistic` or `bayesian`.
    #[serde(deserialize_with = "value::one_of")]
    pub model: Option<Model>,
}

/// The error rates that everybody uses.
const ERROR_RATE_DEFAULT: f64 = 0.05;

/// A test that errs in every second case is a coin.
const ERROR_RATE_END: f64 = 0.5;

impl RawSprt {
    /// Reads the words of `flag`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        words::read(flag, text, None)
    }

    pub(super) fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        } = stronger;
        Self {
            elo0: elo0.or(self.elo0),
            elo1: elo1.or(self.elo1),
            alpha: alpha.or(self.alpha),
            beta: beta.or(self.beta),
            model: model.or(self.model),
        }
    }

    pub(in crate::spec) fn resolve(
        self,
        engines: usize,
        notices: &mut Vec<Notice>,
    ) -> Result<SprtSpec, SpecError> {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        } = self;
        if engines != 2 {
            return Err(SpecError::SprtEngines { engines });
        }
        let elo0 = elo0.ok_or(SpecError::SprtHypothesis { key: "elo0" })?;
        let elo1 = elo1.ok_or(SpecError::SprtHypothesis { key: "elo1" })?;
        for (key, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if elo.abs() > ELO_BOUND_MAX {
                return Err(SpecError::SprtElo { key, found: elo });
            }
        }
        if elo0 >= elo1 {
            return Err(SpecError::SprtOrder { elo0, elo1 });
        }
        let mut error_rate = |rate: Option<f64>, key| match rate {
            Some(rate) if rate > 0.0 && rate < ERROR_RATE_END => Ok(rate),
            Some(found) => Err(SpecError::SprtErrorRate { key, found }),
            None => {
                let value = ERROR_RATE_DEFAULT;
                notices.push(Notice::ErrorRateDefault { key, value });
                Ok(value)
            }
        };
        Ok(SprtSpec {
            elo0,
            elo1,
            alpha: error_rate(alpha, "alpha")?,
            beta: error_rate(beta, "beta")?,
            model: model.unwrap_or_default(),
        })
    }
}

impl value::Named for Model {
    const WHAT: &'static str = "a model of strength";
    const NAMES: &'static [(&'static str, Self)] = &[
        ("normalized", Self::Normalized),
        ("logistic", Self::Logistic),
        ("bayesian", Self::Bayesian),
    ];
}
