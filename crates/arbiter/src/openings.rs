//! `arbiter stats --by-opening`: how the openings of games in PGN files did, and whether the book
//! suits the time control.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use match_core::pair_finder::{Cluster, Opening};
use match_core::summary::Measured;
use serde::Serialize;
use stats::{Decisiveness, Fixed, Pentanomial};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::games;
use crate::printer::Printer;
use crate::table::aligned;

/// Games of one opening, or of all.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// From the side of the player with the smaller number.
    pairs: Pentanomial,
    /// Even pairs of two wins.
    traded: u64,
    games: u64,
    /// Of White.
    half_points: u64,
}

/// The answer to `--json`. The names are part of the interface.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    total: Row,
    /// What is wrong with the book.
    warning: Option<String>,
    /// The most frequent first.
    openings: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    /// FEN without counters, moves of the book, or both with `; ` between.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    games: u64,
    pairs: u64,
    /// Pairs that one of the players won.
    decisive: u64,
    /// Even pairs of a win each.
    traded: u64,
    /// Of the pairs, 0 to 1.
    decisive_rate: Measured,
    /// White's points a game, 0 to 1.
    white_score: f64,
}

/// Reads the games and prints a line for each opening and one for all together, or JSON.
pub(crate) fn run(files: &[PathBuf], json: bool, printer: &Printer) -> Result<Exit, Failure> {
    let mut openings: BTreeMap<Opening, Tally> = BTreeMap::new();
    let found = games::read(files, |cluster| {
        openings
            .entry(cluster.opening.clone())
            .or_default()
            .add(&cluster);
    })?;
    if let Some(omissions) = found.omissions() {
        printer.note(omissions);
    }
    let report = Report::new(openings);
    if json {
        let json = serde_json::to_string(&report);
        printer.data(json.expect("strings and finite numbers are always JSON"));
    } else {
        printer.data(report.text());
    }
    if let Some(warning) = report.warning {
        printer.warning(warning);
    }
    Ok(Exit::Done)
}

impl Tally {
    fn add(&mut self, cluster: &Cluster) {
        let (game, partner) = (cluster.game, cluster.partner);
        for game in std::iter::once(game).chain(partner) {
            self.games += 1;
            self.half_points += game.half_points(game.white) as u64;
        }
        if let Some(partner) = partner {
            let player = game.white.min(game.black);
            let scores = [game, partner].map(|it| it.half_points(player));
            self.pairs.count(scores[0] + scores[1]);
            self.traded += u64::from(matches!(scores, [0, 2] | [2, 0]));
        }
    }

    fn decisiveness(&self) -> Decisiveness {
        Decisiveness::new(self.pairs, self.traded)
    }
}

impl Report {
    fn new(openings: BTreeMap<Opening, Tally>) -> Self {
        let mut total = Tally::default();
        for tally in openings.values() {
            total.pairs += tally.pairs;
            total.traded += tally.traded;
            total.games += tally.games;
            total.half_points += tally.half_points;
        }
        let mut openings: Vec<Row> = (openings.iter())
            .map(|(opening, tally)| Row::new(Some(opening.to_string()), tally))
            .collect();
        openings.sort_by_key(|row| Reverse((row.pairs, row.games)));
        Self {
            warning: (total.decisiveness().warning()).map(|warning| warning.to_string()),
            total: Row::new(None, &total),
            openings,
        }
    }

    fn text(&self) -> String {
        let head = ["opening", "games", "pairs", "decisive %", "95 %", "white %"];
        let rows = std::iter::once(head.map(str::to_owned).to_vec())
            .chain(self.openings.iter().map(Row::cells))
            .chain([self.total.cells()]);
        aligned(&rows.collect::<Vec<_>>()).join("\n")
    }
}

impl Row {
    fn new(opening: Option<String>, tally: &Tally) -> Self {
        let Decisiveness {
            pairs,
            decisive,
            traded,
        } = tally.decisiveness();
        Self {
            opening,
            games: tally.games,
            pairs,
            decisive,
            traded,
            decisive_rate: Measured::from(tally.decisiveness().rate()),
            white_score: tally.half_points as f64 / (2 * tally.games).max(1) as f64,
        }
    }

    fn cells(&self) -> Vec<String> {
        let percent = |share: f64| Fixed(100.0 * share, 1).to_string();
        let Measured { value, ci95 } = self.decisive_rate;
        let interval = ci95.map(|[low, high]| format!("{} to {}", percent(low), percent(high)));
        vec![
            self.opening.clone().unwrap_or_else(|| "all".to_owned()),
            self.games.to_string(),
            self.pairs.to_string(),
            value.map_or("-".to_owned(), percent),
            interval.unwrap_or_else(|| "-".to_owned()),
            percent(self.white_score),
        ]
    }
}
