//! The rating list for people.

use stats::{Fixed, Trinomial};

use super::RateArgs;
use super::data::{List, Row};
use super::field::Field;
use crate::table::{aligned, labelled};

/// The list and the tables that were asked for, lines without a last line end.
pub(super) fn of(list: &List, field: &Field, args: &RateArgs) -> String {
    let mut lines = aligned(&standings(list));
    lines.push(String::new());
    if args.crosstable {
        lines.extend(aligned(&crosstable(list, field)));
        lines.push(String::new());
    }
    if args.los {
        lines.extend(aligned(&superiority(list)));
        lines.push(String::new());
    }
    let single = list.games - 2 * list.pairs;
    lines.push(labelled(
        "games",
        &format!(
            "{} (pairs {}, single games {single})",
            list.games, list.pairs
        ),
    ));
    lines.push(labelled("white", &white(list)));
    lines.join("\n")
}

fn standings(list: &List) -> Vec<Vec<String>> {
    let head = ["ratings", "elo", "±", "games", "%", "draws %", "opponents"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for row in &list.ratings {
        if list.starts_group(row) {
            rows.push(Vec::new());
        }
        rows.push(vec![
            name(row),
            Fixed(row.elo.value.unwrap_or_default(), 1).to_string(),
            error(row),
            row.games.to_string(),
            Fixed(100.0 * row.score, 1).to_string(),
            Fixed(100.0 * row.draw_ratio, 1).to_string(),
            Fixed(row.opponents_elo, 1).to_string(),
        ]);
    }
    rows
}

fn error(row: &Row) -> String {
    match row.error() {
        Some(0.0) => "given".to_owned(),
        Some(error) => Fixed(error, 1).to_string(),
        None => "?".to_owned(),
    }
}

fn crosstable(list: &List, field: &Field) -> Vec<Vec<String>> {
    square(list, "points against", |row, column| {
        let Some(games) = field.between(row.player, column.player) else {
            return "-".to_owned();
        };
        let Trinomial { wins, draws, .. } = games;
        let points = wins as f64 + draws as f64 / 2.0;
        format!("{}/{}", Fixed(points, 1), games.games())
    })
}

fn superiority(list: &List) -> Vec<Vec<String>> {
    square(list, "los % against", |row, column| {
        let los = list.los[row.rank - 1][column.rank - 1];
        match los {
            Some(los) if row.rank != column.rank => Fixed(100.0 * los, 1).to_string(),
            _ => "-".to_owned(),
        }
    })
}

/// A table of all players against all players.
fn square(list: &List, title: &str, cell: impl Fn(&Row, &Row) -> String) -> Vec<Vec<String>> {
    let columns = list.ratings.iter().map(|column| column.rank.to_string());
    let head = std::iter::once(title.to_owned()).chain(columns).collect();
    let row = |row: &Row| {
        let cells = list.ratings.iter().map(|column| cell(row, column));
        std::iter::once(name(row)).chain(cells).collect()
    };
    std::iter::once(head)
        .chain(list.ratings.iter().map(row))
        .collect()
}

fn name(row: &Row) -> String {
    format!("{} {}", row.rank, row.name)
}

fn white(list: &List) -> String {
    let percent = Fixed(100.0 * list.white.score, 1);
    let worth = match list.white.elo.value {
        Some(elo) => format!("{} Elo", Fixed(elo, 1)),
        None => "no finite Elo".to_owned(),
    };
    format!("{percent} % of the points, worth {worth}")
}
