//! A sequential test as people write it.

use serde::Deserialize;

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
}

/// The error rates that everybody uses.
const ERROR_RATE_DEFAULT: f64 = 0.05;

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
        } = stronger;
        Self {
            elo0: elo0.or(self.elo0),
            elo1: elo1.or(self.elo1),
            alpha: alpha.or(self.alpha),
            beta: beta.or(self.beta),
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
        } = self;
        if engines != 2 {
            return Err(SpecError::SprtEngines { engines });
        }
        let hypothesis = |elo: Option<f64>, key| elo.ok_or(SpecError::SprtHypothesis { key });
        let mut error_rate = |rate: Option<f64>, key| {
            rate.unwrap_or_else(|| {
                notices.push(Notice::ErrorRateDefault {
                    key,
                    value: ERROR_RATE_DEFAULT,
                });
                ERROR_RATE_DEFAULT
            })
        };
        Ok(SprtSpec {
            elo0: hypothesis(elo0, "elo0")?,
            elo1: hypothesis(elo1, "elo1")?,
            alpha: error_rate(alpha, "alpha"),
            beta: error_rate(beta, "beta"),
        })
    }
}
