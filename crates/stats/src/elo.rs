//! The logistic Elo scale and the normalized one.

use crate::estimate::Undefined;

/// Normalized Elo per unit of the `t_value` of a *game*: 800 / ln 10, so that one normalized Elo
/// and one logistic Elo agree when the score of a game has the variance ¼ (van den Bergh,
/// *Normalized Elo*).
pub const NELO_PER_T: f64 = 347.435_585_522_601_47;

/// The largest Elo difference that is ever reported, that of a score of 0.999: scores are kept
/// within `0.001..=0.999` as in fishtest's `stat_util.elo`.
pub const ELO_MAX: f64 = 1_199.826_195_290_393;

const SCORE_EXCESS_MAX: f64 = 0.499;

/// The expected score, between 0 and 1, of a player who is `elo` stronger: 1 / (1 + 10^(−elo/400))
/// (Elo, *The Rating of Chessplayers*, 1978, with the logistic curve).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    0.5 + excess_of_elo(elo)
}

/// The Elo difference that explains `score`: the inverse of [`score_of_elo`], with no limit to its
/// size.
///
/// # Errors
///
/// [`Undefined::PerfectScore`] unless `0 < score < 1`.
pub fn elo_of_score(score: f64) -> Result<f64, Undefined> {
    if 0.0 < score && score < 1.0 {
        Ok(elo_of_excess(score - 0.5))
    } else {
        Err(Undefined::PerfectScore)
    }
}

/// `score_of_elo(elo) − ½` without the cancellation near equality: ½ tanh(elo ln 10 / 800).
pub(crate) fn excess_of_elo(elo: f64) -> f64 {
    0.5 * (elo / NELO_PER_T).tanh()
}

/// The Elo of a score of ½ + `excess`, where |`excess`| < ½.
pub(crate) fn elo_of_excess(excess: f64) -> f64 {
    NELO_PER_T * (2.0 * excess).atanh() + 0.0
}

/// [`elo_of_excess`] of a score kept within `0.001..=0.999`.
pub(crate) fn clamped_elo_of_excess(excess: f64) -> f64 {
    elo_of_excess(excess.clamp(-SCORE_EXCESS_MAX, SCORE_EXCESS_MAX))
}
