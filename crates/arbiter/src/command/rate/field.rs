//! Who did what against whom.

use std::collections::BTreeMap;

use match_core::pair_finder::{Cluster, FinishedGame};
use stats::{Encounter, Trinomial};

/// All games, as counts between two players.
#[derive(Debug, Default)]
pub(super) struct Field {
    /// By the numbers of two players, the smaller one first, whose side the counts are from.
    meetings: BTreeMap<(usize, usize), Meeting>,
    /// All games from White's side.
    white: Trinomial,
}

/// The games between two players.
#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    clusters: Encounter,
    games: Trinomial,
}

impl Field {
    pub(super) fn add(&mut self, cluster: &Cluster) {
        let FinishedGame { white, black, .. } = cluster.game;
        let (first, second) = (white.min(black), white.max(black));
        let meeting = self.meetings.entry((first, second)).or_default();
        meeting.clusters.first = first;
        meeting.clusters.second = second;
        let half_points = cluster.game.half_points(first);
        match cluster.partner {
            Some(partner) => {
                let half_points = half_points + partner.half_points(first);
                meeting.clusters.pairs.count(half_points);
            }
            None => meeting.clusters.games += one(half_points),
        }
        for game in std::iter::once(cluster.game).chain(cluster.partner) {
            meeting.games += one(game.half_points(first));
            self.white += one(game.half_points(game.white));
        }
    }

    /// What ratings follow from.
    pub(super) fn encounters(&self) -> Vec<Encounter> {
        let meetings = self.meetings.values();
        meetings.map(|meeting| meeting.clusters).collect()
    }

    /// All games from White's side.
    pub(super) fn white(&self) -> Trinomial {
        self.white
    }

    /// The games of every two players who met, from the first one's side.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (Encounter, Trinomial)> {
        let meetings = self.meetings.values();
        meetings.map(|meeting| (meeting.clusters, meeting.games))
    }

    /// The games of one player against another, from his side.
    pub(super) fn between(&self, player: usize, opponent: usize) -> Option<Trinomial> {
        let met = (player.min(opponent), player.max(opponent));
        let games = self.meetings.get(&met)?.games;
        Some(if player < opponent {
            games
        } else {
            games.reversed()
        })
    }
}

/// One game.
fn one(half_points: usize) -> Trinomial {
    let is = |wanted| u64::from(half_points == wanted);
    Trinomial {
        wins: is(2),
        draws: is(1),
        losses: is(0),
    }
}
