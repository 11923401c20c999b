//! The ratings as a picture: a row for every player, a point at the rating and a line over its 95 %
//! interval.

use stats::Fixed;

use super::data::{List, Row};
use crate::chart::{Anchor, Chart, Ink, Scale};

const ROW_HEIGHT: f64 = 24.0;
/// Between groups that cannot be compared.
const GROUP_GAP: f64 = 12.0;
/// What a character takes in the fonts that browsers choose, rather too much than too little.
const CHARACTER_WIDTH: f64 = 7.5;
/// Longer names are cut.
const NAME_CHARACTERS_MAX: usize = 40;
const PLOT_WIDTH: f64 = 560.0;
/// For the numbers on the right.
const NUMBERS_WIDTH: f64 = 120.0;
const MARGIN: f64 = 16.0;
/// Below the title.
const TOP: f64 = 48.0;
/// For the axis.
const BOTTOM: f64 = 52.0;

/// The file.
pub(super) fn draw(list: &List) -> String {
    let names = list.ratings.iter().map(|row| label(row).chars().count());
    let names_width = names.max().unwrap_or(0) as f64 * CHARACTER_WIDTH;
    let left = MARGIN + names_width + 12.0;
    let right = left + PLOT_WIDTH;
    let gaps = list.groups.len().saturating_sub(1) as f64 * GROUP_GAP;
    let bottom = TOP + list.ratings.len() as f64 * ROW_HEIGHT + gaps;
    let title = format!(
        "Ratings of {} players in {} games",
        list.ratings.len(),
        list.games
    );
    let mut chart = Chart::new(right + NUMBERS_WIDTH, bottom + BOTTOM, title);
    let scale = Scale::new(range(list), [left, right]);
    chart.axis_below(scale, [TOP, bottom], "Elo, with 95 % intervals");
    for row in &list.ratings {
        let above = (row.rank - 1) as f64 * ROW_HEIGHT + (row.group - 1) as f64 * GROUP_GAP;
        let y = TOP + above + ROW_HEIGHT / 2.0;
        if list.starts_group(row) {
            let line = y - (ROW_HEIGHT + GROUP_GAP) / 2.0;
            chart.dashes((MARGIN, line), (right, line), Ink::Faint);
        }
        chart.text((left - 12.0, y + 4.5), Anchor::End, Ink::Text, label(row));
        draw_row(&mut chart, row, scale, y);
        chart.text(
            (right + 12.0, y + 4.5),
            Anchor::Start,
            Ink::Faint,
            numbers(row),
        );
    }
    chart.finish()
}

fn draw_row(chart: &mut Chart, row: &Row, scale: Scale, y: f64) {
    const CAP: f64 = 4.0;
    if let Some([low, high]) = row.elo.ci95.map(|ends| ends.map(|elo| scale.at(elo))) {
        chart.rule((low, y), (high, y), Ink::Blue, 1.5);
        for end in [low, high] {
            chart.rule((end, y - CAP), (end, y + CAP), Ink::Blue, 1.5);
        }
    }
    if let Some(elo) = row.elo.value {
        chart.dot((scale.at(elo), y), Ink::Blue);
    }
}

/// All intervals, with some room beside them.
fn range(list: &List) -> [f64; 2] {
    let ends = list.ratings.iter().flat_map(|row| {
        let value = row.elo.value.unwrap_or_default();
        row.elo.ci95.unwrap_or([value; 2])
    });
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), end| {
        (low.min(end), high.max(end))
    });
    let room = 0.03 * (high - low);
    [low - room, high + room]
}

fn label(row: &Row) -> String {
    let Row { rank, name, .. } = row;
    if name.chars().count() <= NAME_CHARACTERS_MAX {
        return format!("{rank} {name}");
    }
    let kept: String = name.chars().take(NAME_CHARACTERS_MAX - 1).collect();
    format!("{rank} {kept}…")
}

fn numbers(row: &Row) -> String {
    let elo = Fixed(row.elo.value.unwrap_or_default(), 1);
    match row.error() {
        Some(error) if 0.0 < error => format!("{elo} ± {}", Fixed(error, 1)),
        _ => elo.to_string(),
    }
}
