//! Results on an equally spaced scale, and what a fixed number of them says.

use crate::elo::{NELO_PER_T, clamped_elo_of_excess};
use crate::estimate::{Estimate, Interval, Undefined};
use crate::normal;
use crate::pentanomial::Pentanomial;
use crate::trinomial::Trinomial;

/// What stands in place of an empty cell, so that every likelihood is finite (fishtest,
/// `LLRcalc.regularize`).
pub const REGULARISATION: f64 = 1e-3;

/// The results of a test: pairs, or single games where pairs are not known.
///
/// The methods answer for a number of games that was fixed beforehand. After a sequential test they
/// are biased and their intervals too narrow (90 % instead of 95 %): ask the test for its estimate
/// instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// Pairs of games: what to use whenever openings were played with both colours.
    Pairs(Pentanomial),
    /// Single games, taken as independent.
    Games(Trinomial),
}

impl From<Pentanomial> for Results {
    fn from(pentanomial: Pentanomial) -> Self {
        Self::Pairs(pentanomial)
    }
}

impl From<Trinomial> for Results {
    fn from(trinomial: Trinomial) -> Self {
        Self::Games(trinomial)
    }
}

impl Results {
    /// The number of independent results: pairs or games.
    #[must_use]
    pub fn count(self) -> u64 {
        match self {
            Self::Pairs(pentanomial) => pentanomial.pairs(),
            Self::Games(trinomial) => trinomial.games(),
        }
    }

    /// The number of games: twice the pairs, or the games themselves.
    #[must_use]
    pub fn games(self) -> u64 {
        self.count() * self.games_per_result()
    }

    pub(crate) fn games_per_result(self) -> u64 {
        match self {
            Self::Pairs(_) => 2,
            Self::Games(_) => 1,
        }
    }

    /// The mean score a game, between 0 and 1.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`] without results.
    pub fn score(self) -> Result<f64, Undefined> {
        self.check_played()?;
        Ok(0.5 + Cells::plain(self).excess())
    }

    /// The variance of one result (the mean score of a pair, or the score of a game) about its
    /// mean: 0 to ¼.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`] without results.
    pub fn variance(self) -> Result<f64, Undefined> {
        self.check_played()?;
        Ok(Cells::plain(self).variance())
    }

    /// The logistic Elo difference with its 95 % interval, as [`Regularised::elo`].
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`], or [`Undefined::PerfectScore`] when all games were won or all lost.
    /// The interval alone is missing when all results are the same.
    pub fn elo(self) -> Result<Estimate, Undefined> {
        self.check_played()?;
        self.check_imperfect()?;
        let (value, interval) = self.regularised().elo();
        Ok(Estimate {
            value,
            ci95: self.check_varied().map(|()| interval),
        })
    }

    /// The normalized Elo difference with its 95 % interval, as [`Regularised::nelo`].
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`], or [`Undefined::OneResult`] when all results are the same.
    pub fn nelo(self) -> Result<Estimate, Undefined> {
        self.check_played()?;
        self.check_varied()?;
        let (value, interval) = self.regularised().nelo();
        Ok(Estimate {
            value,
            ci95: Ok(interval),
        })
    }

    /// The likelihood of superiority, 0 to 1, as [`Regularised::los`]; ½ when all results are even.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`], or [`Undefined::OneResult`] when all results are the same and not
    /// even.
    pub fn los(self) -> Result<f64, Undefined> {
        self.check_played()?;
        let regularised = self.regularised();
        if regularised.excess != 0.0 {
            self.check_varied()?;
        }
        Ok(regularised.los())
    }

    /// The same results with every empty cell at [`REGULARISATION`]: always defined, never
    /// infinite.
    #[must_use]
    pub fn regularised(self) -> Regularised {
        let cells = Cells::regularised(self);
        let (count, excess) = (cells.total(), cells.excess());
        Regularised {
            count,
            excess,
            variance: cells.variance_about(excess),
            games_per_result: self.games_per_result() as f64,
        }
    }

    fn check_played(self) -> Result<(), Undefined> {
        if self.count() == 0 {
            Err(Undefined::NoGames)
        } else {
            Ok(())
        }
    }

    fn check_varied(self) -> Result<(), Undefined> {
        if self.is_varied() {
            Ok(())
        } else {
            Err(Undefined::OneResult)
        }
    }

    /// Whether not all results are the same.
    pub(crate) fn is_varied(self) -> bool {
        let cells = Cells::plain(self);
        let filled = cells.counts().iter().filter(|&&count| count > 0.0);
        filled.count() > 1
    }

    fn check_imperfect(self) -> Result<(), Undefined> {
        let excess = Cells::plain(self).excess();
        if excess.abs() == 0.5 {
            Err(Undefined::PerfectScore)
        } else {
            Ok(())
        }
    }
}

/// Moments of results whose empty cells were set to [`REGULARISATION`], and the report that
/// fishtest derives from them (`stat_util.get_elo`, `LLRcalc.stats`): finite for all counts, but
/// only a convention for the degenerate ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regularised {
    /// Results, with what was added to empty cells.
    pub count: f64,
    /// Mean score minus ½.
    pub excess: f64,
    /// Variance of one result.
    pub variance: f64,
    games_per_result: f64,
}

impl Regularised {
    /// Standard error of the mean score.
    #[must_use]
    pub fn standard_error(self) -> f64 {
        (self.variance / self.count).sqrt()
    }

    /// (mean score − ½) / standard deviation of one result: the quantity that normalized tests are
    /// about (van den Bergh, *Normalized Elo*).
    #[must_use]
    pub fn t_value(self) -> f64 {
        self.excess / self.variance.sqrt()
    }

    /// Standard deviation of a game's score as the results show it: √2 times that of a pair's mean
    /// score.
    #[must_use]
    pub fn sigma_per_game(self) -> f64 {
        (self.variance * self.games_per_result).sqrt()
    }

    /// Logistic Elo with the 95 % interval that belongs to mean score ± 1.96 standard errors;
    /// scores are kept within `0.001..=0.999` (fishtest, `stat_util.get_elo`, whose ± is this
    /// interval's half width).
    #[must_use]
    pub fn elo(self) -> (f64, Interval) {
        let half = normal::Z95 * self.standard_error();
        let interval = Interval::new(
            clamped_elo_of_excess(self.excess - half),
            clamped_elo_of_excess(self.excess + half),
        );
        (clamped_elo_of_excess(self.excess), interval)
    }

    /// Normalized Elo, [`NELO_PER_T`] · (mean score − ½) / [`Self::sigma_per_game`], with its 95 %
    /// interval ± 1.96 · [`NELO_PER_T`] / √games (van den Bergh, *Normalized Elo*; fishtest,
    /// `stat_util.get_elo`).
    #[must_use]
    pub fn nelo(self) -> (f64, Interval) {
        let value = NELO_PER_T * self.excess / self.sigma_per_game() + 0.0;
        let half = normal::Z95 * NELO_PER_T / (self.count * self.games_per_result).sqrt();
        (value, Interval::new(value - half, value + half))
    }

    /// Likelihood of superiority, Φ((mean score − ½) / standard error) (fishtest,
    /// `stat_util.get_elo`).
    #[must_use]
    pub fn los(self) -> f64 {
        normal::cdf(self.excess / self.standard_error())
    }
}

/// Counts as numbers: three cells at the scores 0, ½, 1 or five at 0, ¼, ½, ¾, 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    counts: [f64; 5],
    len: usize,
}

impl Cells {
    pub(crate) fn plain(results: Results) -> Self {
        match results {
            Results::Pairs(Pentanomial(counts)) => Self {
                counts: counts.map(|count| count as f64),
                len: 5,
            },
            Results::Games(Trinomial {
                wins,
                draws,
                losses,
            }) => Self {
                counts: [losses as f64, draws as f64, wins as f64, 0.0, 0.0],
                len: 3,
            },
        }
    }

    pub(crate) fn regularised(results: Results) -> Self {
        let mut cells = Self::plain(results);
        for count in &mut cells.counts[..cells.len] {
            if *count == 0.0 {
                *count = REGULARISATION;
            }
        }
        cells
    }

    pub(crate) fn counts(&self) -> &[f64] {
        &self.counts[..self.len]
    }

    pub(crate) fn total(&self) -> f64 {
        self.counts().iter().sum()
    }

    /// Mean score − ½, summed from the outside in so that symmetric counts give exactly zero.
    pub(crate) fn excess(&self) -> f64 {
        let last = self.len - 1;
        let doubled: f64 = (0..self.len / 2)
            .map(|i| {
                (self.counts[last - i] - self.counts[i]) * (1.0 - 2.0 * i as f64 / last as f64)
            })
            .sum();
        doubled / 2.0 / self.total()
    }

    pub(crate) fn variance(&self) -> f64 {
        self.variance_about(self.excess())
    }

    fn variance_about(&self, excess: f64) -> f64 {
        let last = (self.len - 1) as f64;
        let deviation = |i: usize| i as f64 / last - 0.5 - excess;
        let squares = self
            .counts()
            .iter()
            .enumerate()
            .map(|(i, count)| count * deviation(i).powi(2));
        squares.sum::<f64>() / self.total()
    }
}
