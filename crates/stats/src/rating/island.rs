//! Players that are linked by games.

use super::components::strongly_connected;
use super::covariance::{Errors, Variation, about_mean, sandwich};
use super::fit::{Field, information};
use super::matrix::Matrix;
use super::{Anchor, Encounter, PLAYERS_MAX, PRIOR_DRAWS, RatingError};

/// Players that are linked by games, directly or through others. Ratings of different islands
/// cannot be compared.
#[derive(Clone, Debug)]
pub struct Island {
    /// The players, in ascending order.
    pub players: Vec<usize>,
    /// The parts of it within which there are chains of points taken in both directions. If there
    /// is more than one, no finite ratings explain the results. Of two that met, the one that took
    /// all the points comes first.
    pub classes: Vec<Class>,
    /// For every player.
    pub(super) ratings: Vec<f64>,
    /// Of ratings about what is fixed on this island.
    pub(super) covariance: Matrix,
    /// The anchored players by their places.
    anchored: Vec<usize>,
    /// With places for players.
    encounters: Vec<Encounter>,
    /// Before the anchors moved them.
    fitted: Vec<f64>,
}

/// Players who took points from each other, directly or through others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The players, in ascending order.
    pub players: Vec<usize>,
    /// Nobody outside of the class took points from it, though there are others on the island: its
    /// ratings have no upper limit.
    pub is_unbeaten: bool,
    /// The class took no points from outside: its ratings have no lower limit.
    pub is_pointless: bool,
}

impl Island {
    /// Whether finite ratings exist only with the help of virtual games, [`PRIOR_DRAWS`] drawn by
    /// every player against a player of rating 0 (as BayesElo has them). Differences between
    /// classes are then little more than a convention, and errors of results that were all alike
    /// are those of the model, since the results show none.
    #[must_use]
    pub fn has_prior(&self) -> bool {
        1 < self.classes.len()
    }

    /// The covariances of the ratings in Elo², in the order of [`Self::players`]: against the mean
    /// of the island, or with a prior against the virtual player; whatever the anchors are.
    #[must_use]
    pub fn covariance(&self, errors: Errors) -> Vec<Vec<f64>> {
        let bread = self.field().inverse_information(&self.fitted);
        let matrix = match errors {
            Errors::Binomial => bread,
            Errors::Clustered => {
                let observed = self.variations(|_| false);
                sandwich(&bread, &observed, &vec![0.0; self.players.len()])
            }
        };
        matrix.rows().map(<[f64]>::to_vec).collect()
    }

    /// Whether the rating at this place is given and nothing else.
    pub(super) fn is_fixed(&self, place: usize) -> bool {
        self.anchored == [place]
    }

    fn new(
        players: Vec<usize>,
        encounters: Vec<Encounter>,
        anchors: &[(usize, f64)],
    ) -> Result<Self, RatingError> {
        let found = players.len();
        if PLAYERS_MAX < found {
            return Err(RatingError::TooManyPlayers { found });
        }
        let classes = classes(found, &encounters);
        let mut island = Self {
            players,
            classes,
            ratings: Vec::new(),
            covariance: Matrix::filled(0, 0.0),
            anchored: anchors.iter().map(|&(place, _)| place).collect(),
            encounters,
            fitted: Vec::new(),
        };
        island.fitted = island.field().fit();
        island.covariance = island.published_covariance();
        let shifts = anchors
            .iter()
            .map(|&(place, rating)| rating - island.fitted[place]);
        let shift = shifts.sum::<f64>() / anchors.len().max(1) as f64;
        island.ratings = island.fitted.iter().map(|rating| rating + shift).collect();
        for class in &mut island.classes {
            for place in &mut class.players {
                *place = island.players[*place];
            }
        }
        Ok(island)
    }

    fn field(&self) -> Field<'_> {
        Field {
            players: self.players.len(),
            encounters: &self.encounters,
            prior: if self.has_prior() { PRIOR_DRAWS } else { 0.0 },
        }
    }

    /// About the mean of the anchored players, or of all.
    fn published_covariance(&self) -> Matrix {
        let size = self.players.len();
        let bread = self.field().inverse_information(&self.fitted);
        let mut class_of = vec![0; size];
        for (number, class) in self.classes.iter().enumerate() {
            for &place in &class.players {
                class_of[place] = number;
            }
        }
        let is_one_sided = |met: &Encounter| class_of[met.first] != class_of[met.second];
        let between = self.variations(is_one_sided);
        let alone: Vec<f64> = self
            .fitted
            .iter()
            .map(|&rating| self.field().prior * information(rating))
            .collect();
        let covariance = sandwich(&bread, &between, &alone);
        let mut weights = vec![0.0; size];
        if self.anchored.is_empty() {
            weights.fill(1.0 / size as f64);
        }
        for &place in &self.anchored {
            weights[place] += 1.0 / self.anchored.len() as f64;
        }
        about_mean(covariance, &weights)
    }

    fn variations(&self, is_assumed: impl Fn(&Encounter) -> bool) -> Vec<Variation> {
        self.encounters
            .iter()
            .map(|encounter| {
                let difference = self.fitted[encounter.first] - self.fitted[encounter.second];
                if is_assumed(encounter) {
                    Variation::assumed(encounter, difference)
                } else {
                    Variation::observed(encounter, difference)
                }
            })
            .collect()
    }
}

/// All islands, the largest first.
pub(super) fn all(
    players: usize,
    encounters: &[Encounter],
    anchors: &[Anchor],
) -> Result<Vec<Island>, RatingError> {
    let met = encounters.iter().filter(|encounter| 0 < encounter.played());
    let mut links = vec![Vec::new(); players];
    for encounter in met.clone() {
        links[encounter.first].push(encounter.second);
        links[encounter.second].push(encounter.first);
    }
    let mut groups = strongly_connected(&links);
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    let mut places = vec![(0, 0); players];
    for (number, group) in groups.iter().enumerate() {
        for (place, &player) in group.iter().enumerate() {
            places[player] = (number, place);
        }
    }
    let mut encounters_of = vec![Vec::new(); groups.len()];
    for encounter in met {
        let (number, first) = places[encounter.first];
        let (_, second) = places[encounter.second];
        encounters_of[number].push(Encounter {
            first,
            second,
            ..*encounter
        });
    }
    let mut anchors_of = vec![Vec::new(); groups.len()];
    for anchor in anchors {
        let (number, place) = places[anchor.player];
        anchors_of[number].push((place, anchor.rating));
    }
    groups
        .into_iter()
        .zip(encounters_of)
        .zip(anchors_of)
        .map(|((group, encounters), anchors)| Island::new(group, encounters, &anchors))
        .collect()
}

/// The classes of an island, with places for players.
fn classes(size: usize, encounters: &[Encounter]) -> Vec<Class> {
    // Who took points from whom.
    let mut took = vec![Vec::new(); size];
    for encounter in encounters {
        let Encounter { first, second, .. } = *encounter;
        for (winner, loser, points) in [
            (first, second, encounter.points()),
            (
                second,
                first,
                encounter.played() as f64 - encounter.points(),
            ),
        ] {
            if 0.0 < points {
                took[winner].push(loser);
            }
        }
    }
    let components = strongly_connected(&took);
    let mut component_of = vec![0; size];
    for (number, component) in components.iter().enumerate() {
        for &place in component {
            component_of[place] = number;
        }
    }
    let mut is_beaten = vec![false; components.len()];
    let mut has_points = vec![false; components.len()];
    for (winner, losers) in took.iter().enumerate() {
        for &loser in losers {
            let (winner, loser) = (component_of[winner], component_of[loser]);
            if winner != loser {
                has_points[winner] = true;
                is_beaten[loser] = true;
            }
        }
    }
    let is_divided = 1 < components.len();
    let class = |(number, players): (usize, Vec<usize>)| Class {
        players,
        is_unbeaten: is_divided && !is_beaten[number],
        is_pointless: is_divided && !has_points[number],
    };
    components.into_iter().enumerate().map(class).collect()
}
