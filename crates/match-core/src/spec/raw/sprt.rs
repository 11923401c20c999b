//! A sequential test as people write it.

use serde::Deserialize;
use stats::{ErrorRates, Hypotheses, Model, Preset, Rule};

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
    /// The shape of the bounds: `curved` or `wald`.
    #[serde(deserialize_with = "value::one_of")]
    pub rule: Option<BoundShape>,
    /// What curved bounds are best for: `general`, `gain`, `non-regression` or `deadline`.
    #[serde(deserialize_with = "value::one_of")]
    pub preset: Option<Preset>,
}

/// The shape of a test's bounds: a [`Rule`] of which the preset is said elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundShape {
    /// They move with the number of pairs and meet in the end.
    Curved,
    /// They stay where they are.
    Wald,
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
            rule,
            preset,
        } = stronger;
        Self {
            elo0: elo0.or(self.elo0),
            elo1: elo1.or(self.elo1),
            alpha: alpha.or(self.alpha),
            beta: beta.or(self.beta),
            model: model.or(self.model),
            rule: rule.or(self.rule),
            preset: preset.or(self.preset),
        }
    }

    /// The whole test; `notices` gains what a person should know about how it was filled in.
    ///
    /// # Errors
    ///
    /// Whatever makes no test, as the `Sprt…` variants of [`SpecError`] list it.
    pub fn resolve(self, notices: &mut Vec<Notice>) -> Result<SprtSpec, SpecError> {
        Ok(SprtSpec {
            hypotheses: self.resolve_hypotheses()?,
            rates: self.resolve_rates(notices)?,
            rule: self.resolve_rule()?,
        })
    }

    fn resolve_hypotheses(self) -> Result<Hypotheses, SpecError> {
        let given = |elo: Option<f64>, key| {
            // The sum is never a negative zero, which would be shown as `-0`.
            elo.map_or(Err(SpecError::SprtHypothesis { key }), |elo| Ok(elo + 0.0))
        };
        let elo0 = given(self.elo0, "elo0")?;
        let elo1 = given(self.elo1, "elo1")?;
        Hypotheses::new(self.model.unwrap_or_default(), elo0, elo1)
            .map_err(SpecError::SprtHypotheses)
    }

    fn resolve_rates(self, notices: &mut Vec<Notice>) -> Result<ErrorRates, SpecError> {
        let mut given = |rate: Option<f64>, key| match rate {
            Some(rate) if rate > 0.0 && rate < ERROR_RATE_END => Ok(rate),
            Some(found) => Err(SpecError::SprtErrorRate { key, found }),
            None => {
                let value = ERROR_RATE_DEFAULT;
                notices.push(Notice::ErrorRateDefault { key, value });
                Ok(value)
            }
        };
        let alpha = given(self.alpha, "alpha")?;
        let beta = given(self.beta, "beta")?;
        Ok(ErrorRates::new(alpha, beta).expect("both are above 0 and below a half"))
    }

    fn resolve_rule(self) -> Result<Rule, SpecError> {
        match (self.rule, self.preset) {
            (Some(BoundShape::Wald), Some(preset)) => Err(SpecError::SprtPreset { preset }),
            (Some(BoundShape::Wald), None) => Ok(Rule::Wald),
            (Some(BoundShape::Curved) | None, preset) => {
                Ok(Rule::Curved(preset.unwrap_or_default()))
            }
        }
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

impl value::Named for BoundShape {
    const WHAT: &'static str = "a rule for stopping";
    const NAMES: &'static [(&'static str, Self)] =
        &[("curved", Self::Curved), ("wald", Self::Wald)];
}

impl value::Named for Preset {
    const WHAT: &'static str = "a preset of curved bounds";
    const NAMES: &'static [(&'static str, Self)] = &[
        ("general", Self::General),
        ("gain", Self::Gain),
        ("non-regression", Self::NonRegression),
        ("deadline", Self::Deadline),
    ];
}
