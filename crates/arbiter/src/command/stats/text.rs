//! Strength for people, as in the report of a match.

use match_core::summary::SprtSummary;
use stats::{Fixed, Results, Trinomial};

use super::record::{Players, Record};
use crate::strength::{self, Line};
use crate::table::labelled;

/// Lines without a last line end.
pub(super) fn of(record: &Record, test: Option<&SprtSummary>) -> String {
    let mut lines = vec![("games", games(record))];
    lines.extend(score(record));
    lines.extend(strength::of_results(record.results()));
    lines.extend(test.into_iter().flat_map(strength::of_test));
    let lines = lines
        .into_iter()
        .map(|(label, text)| labelled(label, &text));
    lines.collect::<Vec<_>>().join("\n")
}

fn games(record: &Record) -> String {
    let games = record.total_games();
    match (record.results(), record.single.games()) {
        (Results::Games(_), _) => format!("{games}, taken as independent of each other"),
        (Results::Pairs(pairs), 0) => format!("{games}, {} complete pairs", pairs.pairs()),
        (Results::Pairs(pairs), single) => {
            let pairs = pairs.pairs();
            format!("{games}, {pairs} complete pairs and {single} without a partner, left out")
        }
    }
}

fn score(record: &Record) -> Option<Line> {
    let score = record.results().score().ok()?;
    let who = record.players.as_ref().map(who).unwrap_or_default();
    let counts = record.games.map(counts).unwrap_or_default();
    let percent = Fixed(100.0 * score, 2);
    Some(("score", format!("{who}{counts}{percent} %")))
}

fn who(players: &Players) -> String {
    let Players { engine, opponents } = players;
    match opponents.as_slice() {
        [opponent] => format!("{engine} against {opponent}: "),
        opponents => format!("{engine} against {} others: ", opponents.len()),
    }
}

fn counts(games: Trinomial) -> String {
    let Trinomial {
        wins,
        draws,
        losses,
    } = games;
    format!("+{wins} -{losses} ={draws}, ")
}
