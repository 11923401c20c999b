//! What a sequential test is about.

use thiserror::Error;

use crate::elo::{NELO_PER_T, excess_of_elo};
use crate::llr::{BayesElo, DrawElo, ELO_BOUND_MAX, Model};
use crate::results::Results;

/// Two strengths between which a test decides: H0: `elo0`, H1: `elo1`.
///
/// # Invariant
///
/// `elo0 < elo1`, at least 0.001 apart, both within ±[`ELO_BOUND_MAX`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    model: Model,
    elo0: f64,
    elo1: f64,
}

/// The probabilities of wrong decisions.
///
/// # Invariant
///
/// Both are above 0, and their sum is below 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorRates {
    alpha: f64,
    beta: f64,
}

/// The least distance of two hypotheses: a test at it would take 500 billion pairs.
const WIDTH_MIN: f64 = 0.001;

/// Why numbers are not a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// Hypotheses in the wrong order, or the same.
    #[error("`elo0` is {elo0} and `elo1` is {elo1}: `elo0` must be the smaller one")]
    Order {
        /// The weaker hypothesis as given.
        elo0: f64,
        /// The stronger one as given.
        elo1: f64,
    },
    /// Hypotheses that no number of games could tell apart.
    #[error("`elo0` is {elo0} and `elo1` is {elo1}: they must be at least {WIDTH_MIN} apart")]
    Width {
        /// The weaker hypothesis as given.
        elo0: f64,
        /// The stronger one as given.
        elo1: f64,
    },
    /// A hypothesis that is no number or far out of range.
    #[error("`{name}` is {value}: allowed are {min} to {max}", min = -ELO_BOUND_MAX, max = ELO_BOUND_MAX)]
    Elo {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// An error rate that is no probability.
    #[error("`{name}` is {value}: allowed are probabilities above 0 and below 1")]
    Rate {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Error rates that a coin would satisfy.
    #[error("`alpha` {alpha} and `beta` {beta} add up to 1 or more: no games are needed for that")]
    RatesSum {
        /// P(H1 accepted) under H0.
        alpha: f64,
        /// P(H0 accepted) under H1.
        beta: f64,
    },
}

impl Hypotheses {
    /// H0: `elo0`, H1: `elo1`, on the scale of `model`.
    ///
    /// # Errors
    ///
    /// [`SprtError::Elo`], [`SprtError::Order`] or [`SprtError::Width`] unless the invariant of the type holds.
    pub fn new(model: Model, elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if value.is_nan() || value.abs() > ELO_BOUND_MAX {
                return Err(SprtError::Elo { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        if elo1 - elo0 < WIDTH_MIN {
            return Err(SprtError::Width { elo0, elo1 });
        }
        Ok(Self { model, elo0, elo1 })
    }

    /// What Elo means.
    #[must_use]
    pub fn model(self) -> Model {
        self.model
    }

    /// Elo under H0.
    #[must_use]
    pub fn elo0(self) -> f64 {
        self.elo0
    }

    /// Elo under H1.
    #[must_use]
    pub fn elo1(self) -> f64 {
        self.elo1
    }

    /// The mean scores under H0 and H1, each minus ½, given the variance (and for BayesElo the
    /// draws) of the results.
    pub(crate) fn excesses(self, results: Results) -> [f64; 2] {
        let of_elo = |elo: f64| match (self.model, results) {
            (Model::Normalized, _) => elo / NELO_PER_T * results.regularised().sigma_per_game(),
            (Model::Bayesian, Results::Games(games)) => excess_of_elo(
                BayesElo {
                    elo,
                    draw_elo: DrawElo::of(games),
                }
                .to_logistic(),
            ),
            (Model::Logistic | Model::Bayesian, _) => excess_of_elo(elo),
        };
        [of_elo(self.elo0), of_elo(self.elo1)]
    }

    /// Information a result, δ²: the squared distance of H0 and H1 in standard deviations of a
    /// result (reference page on statistics, 2.1).
    ///
    /// Under the normalized model it is known. Otherwise it rests on the variance seen so far, to
    /// which one imaginary result of variance ⅛ (all five pair scores alike) is added: ten pairs
    /// that happened to be drawn would else look like more information than the whole test needs.
    pub(crate) fn information_per_result(self, results: Results) -> f64 {
        if self.model == Model::Normalized {
            let t = (self.elo1 - self.elo0) / NELO_PER_T;
            return t * t * results.games_per_result() as f64;
        }
        let [excess0, excess1] = self.excesses(results);
        let seen = results.regularised();
        let variance = (seen.count * seen.variance + 0.125) / (seen.count + 1.0);
        (excess1 - excess0).powi(2) / variance
    }
}

impl ErrorRates {
    /// P(H1 accepted) = `alpha` under H0, P(H0 accepted) = `beta` under H1.
    ///
    /// # Errors
    ///
    /// [`SprtError::Rate`] or [`SprtError::RatesSum`] unless the invariant of the type holds.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, SprtError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(0.0 < value && value < 1.0) {
                return Err(SprtError::Rate { name, value });
            }
        }
        if alpha + beta < 1.0 {
            Ok(Self { alpha, beta })
        } else {
            Err(SprtError::RatesSum { alpha, beta })
        }
    }

    /// P(H1 accepted) under H0.
    #[must_use]
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// P(H0 accepted) under H1.
    #[must_use]
    pub fn beta(self) -> f64 {
        self.beta
    }

    /// The bounds of the LLR in a test without overshoot: ln(β/(1−α)) and ln((1−β)/α) (Wald,
    /// *Sequential Analysis*, 1947).
    #[must_use]
    pub fn wald_bounds(self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }
}

impl Default for ErrorRates {
    /// 5 % each, as all testers of engines have it.
    fn default() -> Self {
        Self {
            alpha: 0.05,
            beta: 0.05,
        }
    }
}
