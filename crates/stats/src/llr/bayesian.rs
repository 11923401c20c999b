//! The BayesElo model of single games.

use crate::elo::{NELO_PER_T, elo_of_excess};
use crate::results::Cells;
use crate::trinomial::Trinomial;

use super::Sample;

/// Strength and propensity to draw in the model of BayesElo: P(win) = L(elo − draw_elo),
/// P(loss) = L(−elo − draw_elo), with L(x) = 1 / (1 + 10^(−x/400)) (Coulom, *BayesElo*; Rao and
/// Kupper 1967).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesElo {
    /// The difference in strength; not on the scale of logistic Elo unless no game is drawn.
    pub elo: f64,
    /// The propensity to draw.
    pub draw_elo: DrawElo,
}

/// BayesElo's propensity to draw, in Elo; not negative. 0: no draws; 200: half of the games between
/// equals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawElo(
    /// The value in Elo.
    pub f64,
);

impl DrawElo {
    /// The propensity that the sample shows, empty cells regularised (fishtest,
    /// `stat_util.draw_elo_calc`).
    #[must_use]
    pub fn of(games: Trinomial) -> Self {
        let cells = Cells::regularised(games.into());
        let total = cells.total();
        BayesElo::from_probabilities(cells.counts()[2] / total, cells.counts()[0] / total).draw_elo
    }
}

impl BayesElo {
    /// The parameters that give the expected score of a logistic Elo difference and this draw
    /// ratio (fishtest, `stat_util.elo_to_bayeselo`); `None` when so many draws are impossible at
    /// that score.
    #[must_use]
    pub fn from_logistic(elo: f64, draw_ratio: f64) -> Option<Self> {
        let win = crate::score_of_elo(elo) - draw_ratio / 2.0;
        let loss = 1.0 - win - draw_ratio;
        (win > 0.0 && loss > 0.0).then(|| Self::from_probabilities(win, loss))
    }

    /// The logistic Elo difference with the same expected score (fishtest,
    /// `stat_util.bayeselo_to_elo`).
    #[must_use]
    pub fn to_logistic(self) -> f64 {
        let [loss, _, win] = self.probabilities();
        elo_of_excess((win - loss) / 2.0)
    }

    /// The probabilities of loss, draw and win.
    #[must_use]
    pub fn probabilities(self) -> [f64; 3] {
        let win = crate::score_of_elo(self.elo - self.draw_elo.0);
        let loss = crate::score_of_elo(-self.elo - self.draw_elo.0);
        [loss, 1.0 - win - loss, win]
    }

    fn from_probabilities(win: f64, loss: f64) -> Self {
        let log_odds_against = |p: f64| ((1.0 - p) / p).log10();
        Self {
            elo: 200.0 * (log_odds_against(loss) - log_odds_against(win)),
            draw_elo: DrawElo(200.0 * (log_odds_against(loss) + log_odds_against(win))),
        }
    }
}

/// The log-likelihood ratio a game under BayesElo with the draw propensity of the sample (cutechess,
/// `sprt.cpp`; fishtest, `LLRlegacy`; OpenBench).
pub(super) fn log_likelihood_ratio(sample: &Sample, elo0: f64, elo1: f64) -> f64 {
    let [loss, _, win, ..] = sample.share;
    let draw_elo = BayesElo::from_probabilities(win, loss).draw_elo;
    let of0 = BayesElo {
        elo: elo0,
        draw_elo,
    }
    .probabilities();
    // ln(p1/p0) from the difference of the probabilities, which keeps its digits where the two are
    // nearly equal: ten million games have to be told apart to ten digits.
    let gain = |from: f64, to: f64| {
        let [from, to] = [from, to].map(|elo| (elo - draw_elo.0) / NELO_PER_T);
        0.5 * (to - from).sinh() / (to.cosh() * from.cosh())
    };
    let (win_gain, loss_gain) = (gain(elo0, elo1), gain(-elo0, -elo1));
    let gains = [loss_gain, -win_gain - loss_gain, win_gain];
    (0..3)
        .map(|i| sample.share[i] * (gains[i] / of0[i]).ln_1p())
        .sum()
}
