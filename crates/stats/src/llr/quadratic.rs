//! Closed approximations of the log-likelihood ratio.

use super::Model;
use crate::elo::{NELO_PER_T, excess_of_elo};
use crate::llr::{BayesElo, DrawElo};
use crate::results::Results;

/// The log-likelihood ratio to second order in the hypotheses, as fishtest and its web page have it
/// beside the exact one: for *estimates* after a test, which need its mean and variance under any
/// truth, not for decisions.
///
/// For normalized Elo N/2 · ln((1 + (t − t0)²) / (1 + (t − t1)²)), with t per game and N games
/// (fishtest, `LLRcalc.LLR_normalized_alt`); otherwise n (s − (s0 + s1)/2) (s1 − s0) / variance
/// (`LLRcalc.LLR_alt2`).
#[must_use]
pub fn approximate_llr(model: Model, elo0: f64, elo1: f64, results: impl Into<Results>) -> f64 {
    let results = results.into();
    let seen = results.regularised();
    let excess = |elo: f64| match results {
        Results::Games(games) if model == Model::Bayesian => excess_of_elo(
            BayesElo {
                elo,
                draw_elo: DrawElo::of(games),
            }
            .to_logistic(),
        ),
        _ => excess_of_elo(elo),
    };
    if model == Model::Normalized {
        let t = seen.excess / seen.sigma_per_game();
        let square = |elo: f64| (t - elo / NELO_PER_T).powi(2);
        let games = seen.count * results.games_per_result() as f64;
        return 0.5 * games * (square(elo0).ln_1p() - square(elo1).ln_1p()) + 0.0;
    }
    let (excess0, excess1) = (excess(elo0), excess(elo1));
    seen.count * (seen.excess - 0.5 * (excess0 + excess1)) * (excess1 - excess0) / seen.variance
        + 0.0
}
