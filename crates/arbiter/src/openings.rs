//! `arbiter stats --by-opening`: how the openings of games in PGN files did, and whether the book
//! suits the time control.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::AddAssign;
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

/// An opening and the number of a time control: how drawish an opening is depends on both.
type Place = (Opening, usize);

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
    /// What is wrong with the book, at the first time control at which something is.
    warning: Option<String>,
    /// All openings together at each time control, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    time_controls: Vec<Row>,
    /// The most frequent first.
    openings: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    /// FEN without counters, moves of the book, or both with `; ` between.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    /// The tag of the games, if they have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_control: Option<String>,
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
    let mut openings: BTreeMap<Place, Tally> = BTreeMap::new();
    let found = games::read(files, printer, |cluster| {
        let place = (cluster.opening.clone(), cluster.game.time_control);
        openings.entry(place).or_default().add(&cluster);
    })?;
    let report = Report::new(openings, &found.time_controls);
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

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.traded += other.traded;
        self.games += other.games;
        self.half_points += other.half_points;
    }
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
    fn new(openings: BTreeMap<Place, Tally>, time_controls: &[String]) -> Self {
        let mut total = Tally::default();
        let mut each = vec![Tally::default(); time_controls.len()];
        for (&(_, time_control), tally) in &openings {
            total += *tally;
            each[time_control] += *tally;
        }
        let is_mixed = 1 < each.iter().filter(|tally| 0 < tally.games).count();
        let named = |number: usize| {
            is_mixed.then(|| match time_controls[number].as_str() {
                "" => "unknown".to_owned(),
                name => name.to_owned(),
            })
        };
        let mut rows: Vec<Row> = (openings.iter())
            .map(|((opening, at), tally)| Row::new(Some(opening.to_string()), named(*at), tally))
            .collect();
        rows.sort_by_key(|row| Reverse((row.pairs, row.games)));
        let warning = (0..each.len()).find_map(|number| {
            let warning = each[number].decisiveness().warning()?;
            Some(match named(number) {
                Some(name) => format!("time control {name}: {warning}"),
                None => warning.to_string(),
            })
        });
        let summed = (0..each.len()).filter(|&number| is_mixed && 0 < each[number].games);
        let mut time_controls: Vec<Row> = summed
            .map(|number| Row::new(None, named(number), &each[number]))
            .collect();
        time_controls.sort_by_key(|row| Reverse((row.pairs, row.games)));
        Self {
            warning,
            total: Row::new(None, None, &total),
            time_controls,
            openings: rows,
        }
    }

    fn text(&self) -> String {
        let head = ["opening", "games", "pairs", "decisive %", "95 %", "white %"];
        let rows = std::iter::once(head.map(str::to_owned).to_vec())
            .chain(self.openings.iter().map(Row::cells))
            .chain(self.time_controls.iter().map(Row::cells))
            .chain([self.total.cells()]);
        aligned(&rows.collect::<Vec<_>>()).join("\n")
    }
}

impl Row {
    fn new(opening: Option<String>, time_control: Option<String>, tally: &Tally) -> Self {
        let Decisiveness {
            pairs,
            decisive,
            traded,
        } = tally.decisiveness();
        Self {
            opening,
            time_control,
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
        let opening = self.opening.as_deref().unwrap_or("all");
        let name = match &self.time_control {
            Some(time_control) => format!("{opening} at {time_control}"),
            None => opening.to_owned(),
        };
        vec![
            name,
            self.games.to_string(),
            self.pairs.to_string(),
            value.map_or("-".to_owned(), percent),
            interval.unwrap_or_else(|| "-".to_owned()),
            percent(self.white_score),
        ]
    }
}
