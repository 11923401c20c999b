//! Solving the score equations.

use super::Encounter;
use super::matrix::{Cholesky, Matrix};

/// ln 10 / 400: natural units per Elo.
pub(super) const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// Newton's steps are cut to this many Elo: beyond it the curvature at the start says nothing.
const STEP_MAX: f64 = 200.0;

/// The last step is shorter than this, in Elo; its square is what remains.
const STEP_LAST: f64 = 1e-8;

/// Five to eight steps are usual, and one more for each 200 Elo; beyond this the last digits dance.
const STEPS_MAX: usize = 200;

/// Linked players with numbers of their own, from 0, and what they scored.
#[derive(Debug)]
pub(super) struct Field<'a> {
    pub(super) players: usize,
    pub(super) encounters: &'a [Encounter],
    /// Virtual draws of each player against rating 0. Without any the mean rating is 0.
    pub(super) prior: f64,
}

/// Between two players, or a player and the virtual one.
struct Tally {
    games: f64,
    points: f64,
}

impl From<&Encounter> for Tally {
    fn from(encounter: &Encounter) -> Self {
        Self {
            games: encounter.played() as f64,
            points: encounter.points(),
        }
    }
}

impl Tally {
    /// The logarithm of the (quasi-)likelihood of these points at this difference.
    fn log_likelihood(&self, difference: f64) -> f64 {
        let ln_p = |elo: f64| -(-PER_ELO * elo).exp().ln_1p();
        self.points * ln_p(difference) + (self.games - self.points) * ln_p(-difference)
    }

    /// Its derivative.
    fn slope(&self, difference: f64) -> f64 {
        PER_ELO * (self.points - self.games * expected(difference))
    }

    /// Its second derivative, negated.
    fn information(&self, difference: f64) -> f64 {
        self.games * information(difference)
    }
}

/// The expected score of a game.
pub(super) fn expected(difference: f64) -> f64 {
    crate::elo::score_of_elo(difference)
}

/// What a game says of the difference, in Elo⁻².
pub(super) fn information(difference: f64) -> f64 {
    PER_ELO * PER_ELO * expected(difference) * expected(-difference)
}

impl Field<'_> {
    /// The ratings that solve the equations.
    ///
    /// Newton's method; the function is concave, and a step that does not climb is halved.
    pub(super) fn fit(&self) -> Vec<f64> {
        let mut ratings = vec![0.0; self.players];
        let mut height = self.log_likelihood(&ratings);
        for _ in 0..STEPS_MAX {
            let step = self.factor(&ratings).solve(&self.slopes(&ratings));
            let longest = step
                .iter()
                .fold(0.0, |most: f64, step| most.max(step.abs()));
            let mut scale = (STEP_MAX / longest).min(1.0);
            loop {
                let next: Vec<f64> = std::iter::zip(&ratings, &step)
                    .map(|(rating, step)| rating + scale * step)
                    .collect();
                let next_height = self.log_likelihood(&next);
                // Near the top heights differ by their rounding only.
                let is_climb = height - 1e-12 * height.abs() <= next_height;
                if is_climb || scale * longest < STEP_LAST {
                    (ratings, height) = (next, next_height);
                    break;
                }
                scale /= 2.0;
            }
            if scale * longest < STEP_LAST {
                break;
            }
        }
        ratings
    }

    /// A⁺, the covariance if all games were independent and without draws; A⁻¹ with a prior.
    pub(super) fn inverse_information(&self, ratings: &[f64]) -> Matrix {
        let mut inverse = self.factor(ratings).inverse();
        if self.prior == 0.0 {
            // Take the mean out again that `factor` put in.
            let mean = inverse
                .rows()
                .map(|row| row.iter().sum::<f64>())
                .sum::<f64>()
                / (self.players as f64).powi(2);
            for i in 0..self.players {
                inverse[i].iter_mut().for_each(|cell| *cell -= mean);
            }
        }
        inverse
    }

    /// A, factored. Without a prior A says nothing of the mean rating, so it is given weight there:
    /// the mean then stays what it is, since the slopes add up to zero.
    fn factor(&self, ratings: &[f64]) -> Cholesky {
        let mut matrix = Matrix::filled(self.players, 0.0);
        for (encounter, difference) in self.differences(ratings) {
            let information = Tally::from(encounter).information(difference);
            matrix.add_difference(encounter.first, encounter.second, information);
        }
        if self.prior == 0.0 {
            let trace: f64 = (0..self.players).map(|i| matrix[i][i]).sum();
            // A player alone has no trace.
            let weight = if 0.0 < trace {
                trace / (self.players as f64).powi(2)
            } else {
                1.0
            };
            for i in 0..self.players {
                matrix[i].iter_mut().for_each(|cell| *cell += weight);
            }
        } else {
            for (i, &rating) in ratings.iter().enumerate() {
                matrix[i][i] += self.virtual_games().information(rating);
            }
        }
        matrix.cholesky()
    }

    fn slopes(&self, ratings: &[f64]) -> Vec<f64> {
        let mut slopes: Vec<f64> = ratings
            .iter()
            .map(|&rating| self.virtual_games().slope(rating))
            .collect();
        for (encounter, difference) in self.differences(ratings) {
            let slope = Tally::from(encounter).slope(difference);
            slopes[encounter.first] += slope;
            slopes[encounter.second] -= slope;
        }
        slopes
    }

    fn log_likelihood(&self, ratings: &[f64]) -> f64 {
        let prior: f64 = ratings
            .iter()
            .map(|&rating| self.virtual_games().log_likelihood(rating))
            .sum();
        self.differences(ratings)
            .fold(prior, |sum, (encounter, difference)| {
                sum + Tally::from(encounter).log_likelihood(difference)
            })
    }

    fn virtual_games(&self) -> Tally {
        Tally {
            games: self.prior,
            points: self.prior / 2.0,
        }
    }

    fn differences(&self, ratings: &[f64]) -> impl Iterator<Item = (&Encounter, f64)> {
        self.encounters.iter().map(|encounter| {
            (
                encounter,
                ratings[encounter.first] - ratings[encounter.second],
            )
        })
    }
}
