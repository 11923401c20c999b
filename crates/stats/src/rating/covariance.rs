//! How uncertain ratings are.

use super::Encounter;
use super::fit::{PER_ELO, expected, information};
use super::matrix::{Matrix, dot};

/// What is taken to be independent of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Pairs of games (and games without a partner) are independent of each other, and vary as they
    /// were seen to: the sandwich A⁺ B A⁺.
    Clustered,
    /// All games are independent and won or lost: A⁺. Too wide by far, and what many rating tools
    /// show.
    Binomial,
}

/// How much the results between two players vary, in Elo⁻².
#[derive(Clone, Copy, Debug)]
pub(super) struct Variation {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) amount: f64,
}

impl Variation {
    /// As seen: the squares of what pairs, and games without a partner, brought beyond expectation.
    pub(super) fn observed(encounter: &Encounter, difference: f64) -> Self {
        let p = expected(difference);
        let pairs = encounter
            .pairs
            .0
            .iter()
            .enumerate()
            .map(|(half_points, &count)| {
                count as f64 * (half_points as f64 / 2.0 - 2.0 * p).powi(2)
            });
        let games = encounter.games;
        let games = [(games.losses, 0.0), (games.draws, 0.5), (games.wins, 1.0)]
            .map(|(count, score)| count as f64 * (score - p).powi(2));
        let squares = pairs.sum::<f64>() + games.iter().sum::<f64>();
        Self::between(encounter, PER_ELO * PER_ELO * squares)
    }

    /// As the model has it if all games were won or lost. For results of which only one kind was
    /// seen, because the players are too far apart.
    pub(super) fn assumed(encounter: &Encounter, difference: f64) -> Self {
        Self::between(
            encounter,
            encounter.played() as f64 * information(difference),
        )
    }

    fn between(encounter: &Encounter, amount: f64) -> Self {
        Self {
            first: encounter.first,
            second: encounter.second,
            amount,
        }
    }
}

/// `bread` B `bread`, where B is made of what varies between two players, and of what varies
/// between a player and the virtual one.
pub(super) fn sandwich(bread: &Matrix, between: &[Variation], alone: &[f64]) -> Matrix {
    let size = bread.size();
    let mut covariance = Matrix::filled(size, 0.0);
    let mut filling = vec![0.0; size];
    for i in 0..size {
        let row = &bread[i];
        for (filling, (value, amount)) in filling.iter_mut().zip(row.iter().zip(alone)) {
            *filling = value * amount;
        }
        for variation in between {
            let Variation {
                first,
                second,
                amount,
            } = *variation;
            let flow = amount * (row[first] - row[second]);
            filling[first] += flow;
            filling[second] -= flow;
        }
        for j in 0..=i {
            let cell = dot(&filling, &bread[j]);
            covariance[i][j] = cell;
            covariance[j][i] = cell;
        }
    }
    covariance
}

/// The covariance of differences to a weighted mean of all ratings instead of the ratings; weights
/// add up to 1.
pub(super) fn about_mean(mut covariance: Matrix, weights: &[f64]) -> Matrix {
    let with_mean: Vec<f64> = covariance.rows().map(|row| dot(row, weights)).collect();
    let of_mean = dot(&with_mean, weights);
    for (i, with_i) in with_mean.iter().enumerate() {
        for (cell, with_j) in covariance[i].iter_mut().zip(&with_mean) {
            *cell += of_mean - with_i - with_j;
        }
    }
    covariance
}
