//! The log-likelihood ratio of two hypotheses about strength.
//!
//! All models but the legacy one are *generalised*: the outcome probabilities are not given by a
//! model but estimated by maximum likelihood under each hypothesis (van den Bergh, *A practical
//! introduction to the GSPRT*). The likelihoods are exact, not the quadratic approximation.

mod bayesian;
mod logistic;
mod normalized;
mod quadratic;
mod secular;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::elo::{NELO_PER_T, excess_of_elo};
use crate::results::{Cells, Results};

pub use bayesian::{BayesElo, DrawElo};
pub use quadratic::approximate_llr;

/// What the Elo of a hypothesis means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Model {
    /// Normalized Elo: the mean score in standard deviations. A test then needs the same number of
    /// pairs whatever the openings and the draw rate.
    #[default]
    Normalized,
    /// Logistic Elo: the mean score itself.
    Logistic,
    /// BayesElo with the draw rate of the sample, on single games: the likelihood of older tools,
    /// kept to compare with them.
    Bayesian,
}

impl Model {
    /// The name in configurations and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
            Self::Bayesian => "bayesian",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A model that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a model: allowed are `normalized`, `logistic` and `bayesian`")]
pub struct UnknownModel(
    /// The name as written.
    pub String,
);

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        [Self::Normalized, Self::Logistic, Self::Bayesian]
            .into_iter()
            .find(|model| model.name() == name)
            .ok_or_else(|| UnknownModel(name.to_owned()))
    }
}

/// Why there is no likelihood ratio for these results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LlrError {
    /// BayesElo gives probabilities to games, and pairs do not say how many games were drawn.
    #[error("model `bayesian` needs wins, draws and losses of single games, and found pairs")]
    BayesianPairs,
}

/// The largest size of an Elo in a hypothesis. Scores beyond are 0 or 1 to ten digits.
pub const ELO_BOUND_MAX: f64 = 4_000.0;

/// ln(likelihood under `elo1` / likelihood under `elo0`), with empty cells at
/// [`REGULARISATION`](crate::REGULARISATION); that makes it 0 to five digits, not exactly, when
/// nothing was played.
///
/// Accurate to max(1e-9, 1e-11 |llr|) up to ten million results, perfect scores included.
///
/// ```
/// use stats::{Model, Pentanomial, llr};
///
/// let llr = llr(Model::Normalized, 0.0, 2.0, Pentanomial([12, 150, 300, 170, 18]))?;
/// assert_eq!(format!("{llr:.4}"), "0.2954");
/// # Ok::<(), stats::LlrError>(())
/// ```
///
/// # Errors
///
/// [`LlrError::BayesianPairs`] when the model and the kind of results do not fit.
///
/// # Panics
///
/// If a bound is not within ±[`ELO_BOUND_MAX`].
pub fn llr(
    model: Model,
    elo0: f64,
    elo1: f64,
    results: impl Into<Results>,
) -> Result<f64, LlrError> {
    for elo in [elo0, elo1] {
        assert!(
            elo.abs() <= ELO_BOUND_MAX,
            "`{elo}` is not within ±{ELO_BOUND_MAX}"
        );
    }
    let results = results.into();
    let sample = Sample::new(results);
    let difference = match (model, results) {
        (Model::Normalized, _) => {
            let t = |nelo: f64| nelo / NELO_PER_T * (results.games_per_result() as f64).sqrt();
            normalized::log_likelihood(&sample, t(elo1))
                - normalized::log_likelihood(&sample, t(elo0))
        }
        (Model::Logistic, _) => {
            logistic::log_likelihood(&sample, excess_of_elo(elo1))
                - logistic::log_likelihood(&sample, excess_of_elo(elo0))
        }
        (Model::Bayesian, Results::Games(_)) => bayesian::log_likelihood_ratio(&sample, elo0, elo1),
        (Model::Bayesian, Results::Pairs(_)) => return Err(LlrError::BayesianPairs),
    };
    Ok(sample.total * difference + 0.0)
}

/// Regularised frequencies of results. Three results leave the last two places with frequency 0,
/// so that every loop has five turns and none depends on the kind of results.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// How many results, with what was added to empty cells.
    total: f64,
    /// The share of each result.
    share: [f64; 5],
    /// The score of each result minus ½.
    excess: [f64; 5],
}

impl Sample {
    fn new(results: Results) -> Self {
        let cells = Cells::regularised(results);
        let (total, last) = (cells.total(), (cells.counts().len() - 1) as f64);
        let (mut share, mut excess) = ([0.0; 5], [0.0; 5]);
        for (i, count) in cells.counts().iter().enumerate() {
            share[i] = count / total;
            excess[i] = i as f64 / last - 0.5;
        }
        Self {
            total,
            share,
            excess,
        }
    }
}
