//! Ratings of many players on one scale.

mod components;
mod covariance;
mod fit;
mod island;
mod matrix;

use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

pub use covariance::Errors;
pub use island::{Class, Island};

use crate::estimate::{Estimate, Interval, Undefined};
use crate::normal::{self, Z95};
use crate::pentanomial::Pentanomial;
use crate::trinomial::Trinomial;

/// How many virtual games every player of an island draws against a player of rating 0, where
/// [`Island::has_prior`].
pub const PRIOR_DRAWS: f64 = 2.0;

/// How many players one island may have: the covariances of so many take 600 MB and a minute.
pub const PLAYERS_MAX: usize = 5000;

/// A standard error below this many Elo comes from data without any spread.
const STANDARD_ERROR_MIN: f64 = 1e-6;

/// The games between two players, seen from the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encounter {
    /// One player.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Their complete pairs.
    pub pairs: Pentanomial,
    /// Their games that belong to no complete pair, taken as independent.
    pub games: Trinomial,
}

impl Encounter {
    /// All games, in pairs or not.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.pairs.games() + self.games.games()
    }

    /// The points of the first player.
    #[must_use]
    pub fn points(&self) -> f64 {
        let [_, ld, even, wd, ww] = self.pairs.0;
        let Trinomial { wins, draws, .. } = self.games;
        (ld + 2 * even + 3 * wd + 4 * ww + draws + 2 * wins) as f64 / 2.0
    }
}

/// A player whose rating is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The player.
    pub player: usize,
    /// The rating in Elo; finite.
    pub rating: f64,
}

/// Why players cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RatingError {
    /// The matrix would not fit into memory.
    #[error("{found} players are linked by games: at most {PLAYERS_MAX} can be rated together")]
    TooManyPlayers {
        /// How many there are.
        found: usize,
    },
}

/// Ratings by the model of Bradley and Terry (1952) on expected scores: a game between i and j is
/// worth 1 / (1 + 10^((rⱼ − rᵢ)/400)) to i in the mean, with a draw as half a point.
///
/// The ratings solve the equations "points scored = points expected", so that they do not depend on
/// how often games are drawn or won by White (whose advantage cancels within pairs). The
/// covariance is the sandwich A⁺ B A⁺ with the results of a *pair* as one observation, since the
/// opening makes its two games dependent; errors that take games as independent are 1.5 to 2 times
/// too wide (reference page on statistics, 4).
///
/// Finite ratings exist if any two players are linked by a chain in which each took points from
/// the next. Where they are not, see [`Island`].
#[derive(Clone, Debug)]
pub struct Ratings {
    islands: Vec<Island>,
    /// For every player its island and its place in it.
    places: Vec<(usize, usize)>,
}

impl Ratings {
    /// Rates `players` players, numbered from 0, by the games between them.
    ///
    /// On an island without anchors the mean rating is 0 (with a prior: the rating of the virtual
    /// player is). One anchor keeps its rating exactly. Several may contradict the games: then all
    /// ratings are shifted to where the anchored ones fit best by least squares, and their
    /// differences remain those of the games.
    ///
    /// # Errors
    ///
    /// [`RatingError::TooManyPlayers`] beyond [`PLAYERS_MAX`] on one island.
    ///
    /// # Panics
    ///
    /// If an encounter or an anchor names a player that does not exist, if someone plays against
    /// himself, or if an anchor is not finite.
    pub fn new(
        players: usize,
        encounters: &[Encounter],
        anchors: &[Anchor],
    ) -> Result<Self, RatingError> {
        for encounter in encounters {
            let Encounter { first, second, .. } = *encounter;
            assert!(first != second, "player {first} cannot meet himself");
            assert!(first.max(second) < players, "there are {players} players");
        }
        for anchor in anchors {
            assert!(anchor.player < players, "there are {players} players");
            assert!(anchor.rating.is_finite(), "a rating is a number");
        }
        let islands = island::all(players, encounters, anchors)?;
        let mut places = vec![(0, 0); players];
        for (number, island) in islands.iter().enumerate() {
            for (place, &player) in island.players.iter().enumerate() {
                places[player] = (number, place);
            }
        }
        Ok(Self { islands, places })
    }

    /// The rating of a player in Elo; finite.
    #[must_use]
    pub fn value(&self, player: usize) -> f64 {
        let (island, place) = self.place(player);
        island.ratings[place]
    }

    /// The rating of a player with its 95 % interval: against the mean of the island, or against
    /// the anchors.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`] for a player without games. The interval alone is missing, as
    /// [`Undefined::NoSpread`], when the results fit without the least residual.
    pub fn estimate(&self, player: usize) -> Result<Estimate, Undefined> {
        let (island, place) = self.place(player);
        if island.players.len() == 1 {
            return Err(Undefined::NoGames);
        }
        let value = island.ratings[place] + 0.0;
        let error = island.covariance.get(place, place).max(0.0).sqrt();
        let half = Z95 * error;
        let ci95 = if island.is_fixed(place) {
            Ok(Interval::new(value, value))
        } else if error < STANDARD_ERROR_MIN {
            Err(Undefined::NoSpread)
        } else {
            Ok(Interval::new(value - half, value + half))
        };
        Ok(Estimate { value, ci95 })
    }

    /// How likely it is that `player` is stronger than `other`, 0 to 1: Φ(difference / its standard
    /// error). ½ for a player against himself and for equal ratings.
    ///
    /// # Errors
    ///
    /// [`Undefined::Unconnected`] for players of different islands, [`Undefined::NoSpread`] when
    /// their results fit without the least residual.
    pub fn los(&self, player: usize, other: usize) -> Result<f64, Undefined> {
        let ((island, place), (other_island, other_place)) =
            (self.place(player), self.place(other));
        if !std::ptr::eq(island, other_island) {
            return Err(Undefined::Unconnected);
        }
        let difference = island.ratings[place] - island.ratings[other_place];
        let error = island
            .covariance
            .difference(place, other_place)
            .max(0.0)
            .sqrt();
        if STANDARD_ERROR_MIN <= error {
            Ok(normal::cdf(difference / error))
        } else if difference.abs() < STANDARD_ERROR_MIN {
            Ok(0.5)
        } else {
            Err(Undefined::NoSpread)
        }
    }

    /// The groups of players that are linked by games; each has a scale of its own. The largest
    /// first.
    #[must_use]
    pub fn islands(&self) -> &[Island] {
        &self.islands
    }

    fn place(&self, player: usize) -> (&Island, usize) {
        let (island, place) = self.places[player];
        (&self.islands[island], place)
    }
}

/// What to multiply errors by when few results were to explain each rating: the sandwich takes the
/// residuals for the errors that they estimate, and its limits for those of a normal law.
///
/// With `results` independent ones a free rating it is t/z · √(n / (n − 1)), t the quantile of
/// Student's law with n − 1 degrees of freedom (the corrections HC1 and Satterthwaite of
/// econometrics): 1.06 with 30, 1.2 with 10. The reference page on statistics, 4, bootstraps below
/// 30 pairs an encounter, which agrees. Nothing for one result and less, which say nothing.
#[must_use]
pub fn few_results_factor(results: f64) -> Option<f64> {
    let freedom = results - 1.0;
    if !(freedom > 0.0 && freedom.is_finite()) {
        return None;
    }
    let law = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let factor = law.inverse_cdf(0.975) / Z95 * (results / freedom).sqrt();
    factor.is_finite().then_some(factor)
}
