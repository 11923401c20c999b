//! The rating list as data.

use std::collections::BTreeMap;

use match_core::summary::Measured;
use serde::Serialize;
use stats::{Anchor, Encounter, Fixed, Ratings, Results, Trinomial};

use super::field::Field;
use crate::games::Found;

/// All that `arbiter rate` found out, the strongest player first. Serialized, it is the answer to
/// `--json`: its names are part of the interface.
#[derive(Debug, Serialize)]
pub(super) struct List {
    /// Games that count.
    pub(super) games: u64,
    /// How many of these are in pairs.
    pub(super) pairs: u64,
    /// Games left out, by reason.
    pub(super) omitted: BTreeMap<String, u64>,
    /// White's results.
    pub(super) white: White,
    pub(super) ratings: Vec<Row>,
    /// Names of the players of each group that no games link to others, the largest group first.
    pub(super) groups: Vec<Group>,
    /// Every two players that met, from the side of the stronger one.
    pub(super) crosstable: Vec<Meeting>,
    /// How likely it is that the player of the row is stronger than that of the column, 0 to 1;
    /// empty if nobody asked.
    pub(super) los: Vec<Vec<Option<f64>>>,
}

/// A player.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    #[serde(skip)]
    pub(super) player: usize,
    pub(super) rank: usize,
    pub(super) name: String,
    /// Its group, from 1.
    pub(super) group: usize,
    pub(super) elo: Measured,
    /// Whether the rating was given.
    pub(super) anchored: bool,
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// Points a game, 0 to 1.
    pub(super) score: f64,
    /// Draws a game, 0 to 1.
    pub(super) draw_ratio: f64,
    /// The mean rating of the opponents over all games.
    pub(super) opponents_elo: f64,
}

/// Players that are linked by games.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    pub(super) names: Vec<String>,
    /// Whether everybody got virtual draws because no finite ratings explain the games.
    pub(super) virtual_draws: bool,
}

/// The games of two players.
#[derive(Debug, Serialize)]
pub(super) struct Meeting {
    pub(super) engine: String,
    pub(super) opponent: String,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// Complete pairs by the score 0, ½, 1, 1½, 2.
    pub(super) pentanomial: [u64; 5],
}

/// All games from White's side.
#[derive(Debug, Serialize)]
pub(super) struct White {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// Of a game, 0 to 1.
    pub(super) score: f64,
    /// What the score is worth, games taken as independent.
    pub(super) elo: Measured,
}

impl List {
    pub(super) fn new(
        field: &Field,
        found: &Found,
        ratings: &Ratings,
        anchors: &[Anchor],
        with_los: bool,
    ) -> Self {
        let order = order(ratings);
        let rows = rows(&order, field, found, ratings, anchors);
        let groups = ratings.islands().iter().enumerate();
        let groups = groups.map(|(index, island)| Group {
            names: (rows.iter())
                .filter(|row| row.group == index + 1)
                .map(|row| row.name.clone())
                .collect(),
            virtual_draws: island.has_prior(),
        });
        let los = |&player: &usize| {
            let against = |&opponent: &usize| ratings.los(player, opponent).ok();
            order.iter().map(against).collect()
        };
        let pairs = field.meetings().map(|(clusters, _)| clusters.pairs.pairs());
        Self {
            games: field.white().games(),
            pairs: pairs.sum(),
            omitted: (found.omitted.iter())
                .map(|(omission, &count)| (omission.to_string(), count))
                .collect(),
            white: White::new(field.white()),
            groups: groups.collect(),
            crosstable: crosstable(&rows, field),
            los: if with_los {
                order.iter().map(los).collect()
            } else {
                Vec::new()
            },
            ratings: rows,
        }
    }

    /// Whether a row is the first of a group, and not of all.
    pub(super) fn starts_group(&self, row: &Row) -> bool {
        let before = row.rank.checked_sub(2).map(|index| &self.ratings[index]);
        before.is_some_and(|before| before.group != row.group)
    }

    /// One line of JSON.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("strings and finite numbers are always JSON")
    }

    /// A head and a line for each player, as RFC 4180 has them but for the line ends.
    pub(super) fn csv(&self) -> String {
        let mut lines = vec![
            "rank,name,group,elo,low,high,games,wins,draws,losses,score,draw_ratio,opponents_elo"
                .to_owned(),
        ];
        lines.extend(self.ratings.iter().map(Row::csv));
        lines.join("\n")
    }
}

impl Row {
    /// Half of the width of the interval.
    pub(super) fn error(&self) -> Option<f64> {
        self.elo.ci95.map(|[low, high]| (high - low) / 2.0)
    }

    fn csv(&self) -> String {
        let elo = |number: Option<f64>| number.map_or(String::new(), |it| Fixed(it, 2).to_string());
        let [low, high] = [0, 1].map(|end| self.elo.ci95.map(|ends| ends[end]));
        let cells = [
            self.rank.to_string(),
            quoted(&self.name),
            self.group.to_string(),
            elo(self.elo.value),
            elo(low),
            elo(high),
            self.games.to_string(),
            self.wins.to_string(),
            self.draws.to_string(),
            self.losses.to_string(),
            Fixed(self.score, 4).to_string(),
            Fixed(self.draw_ratio, 4).to_string(),
            elo(Some(self.opponents_elo)),
        ];
        cells.join(",")
    }
}

impl White {
    fn new(games: Trinomial) -> Self {
        let Trinomial {
            wins,
            draws,
            losses,
        } = games;
        Self {
            wins,
            draws,
            losses,
            score: score(games),
            elo: Measured::from(Results::from(games).elo()),
        }
    }
}

/// The players by group and rating.
fn order(ratings: &Ratings) -> Vec<usize> {
    let mut order = Vec::new();
    for island in ratings.islands() {
        let mut players = island.players.clone();
        players.sort_by(|&a, &b| ratings.value(b).total_cmp(&ratings.value(a)));
        order.extend(players);
    }
    order
}

fn rows(
    order: &[usize],
    field: &Field,
    found: &Found,
    ratings: &Ratings,
    anchors: &[Anchor],
) -> Vec<Row> {
    let players = found.players.len();
    let mut results = vec![Trinomial::default(); players];
    let mut opponents = vec![0.0; players];
    for (Encounter { first, second, .. }, games) in field.meetings() {
        results[first] += games;
        results[second] += games.reversed();
        opponents[first] += games.games() as f64 * ratings.value(second);
        opponents[second] += games.games() as f64 * ratings.value(first);
    }
    let mut group_of = vec![0; players];
    for (index, island) in ratings.islands().iter().enumerate() {
        for &player in &island.players {
            group_of[player] = index + 1;
        }
    }
    let row = |(index, &player): (usize, &usize)| {
        let games = results[player];
        Row {
            player,
            rank: index + 1,
            name: found.players[player].clone(),
            group: group_of[player],
            elo: Measured::from(ratings.estimate(player)),
            anchored: anchors.iter().any(|anchor| anchor.player == player),
            games: games.games(),
            wins: games.wins,
            draws: games.draws,
            losses: games.losses,
            score: score(games),
            draw_ratio: games.draws as f64 / games.games().max(1) as f64,
            opponents_elo: opponents[player] / games.games().max(1) as f64,
        }
    };
    order.iter().enumerate().map(row).collect()
}

fn crosstable(rows: &[Row], field: &Field) -> Vec<Meeting> {
    let mut row_of = vec![0; rows.len()];
    for (index, row) in rows.iter().enumerate() {
        row_of[row.player] = index;
    }
    let mut meetings: Vec<_> = field.meetings().collect();
    for (clusters, games) in &mut meetings {
        if row_of[clusters.second] < row_of[clusters.first] {
            std::mem::swap(&mut clusters.first, &mut clusters.second);
            clusters.pairs = clusters.pairs.reversed();
            *games = games.reversed();
        }
    }
    meetings.sort_by_key(|(clusters, _)| (row_of[clusters.first], row_of[clusters.second]));
    let meeting = |(clusters, games): (Encounter, Trinomial)| Meeting {
        engine: rows[row_of[clusters.first]].name.clone(),
        opponent: rows[row_of[clusters.second]].name.clone(),
        wins: games.wins,
        draws: games.draws,
        losses: games.losses,
        pentanomial: clusters.pairs.0,
    };
    meetings.into_iter().map(meeting).collect()
}

/// Points a game; ½ for none.
fn score(games: Trinomial) -> f64 {
    Results::from(games).score().unwrap_or(0.5)
}

/// Quotes around a cell that would be read as more than one.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
