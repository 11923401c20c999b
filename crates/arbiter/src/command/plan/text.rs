//! A plan for people.

use stats::Fixed;

use super::data::{Dice, Length, Outlook, Rate, Row};
use crate::strength::rounded;
use crate::table::{aligned, labelled};

/// Lines without a last line end.
pub(super) fn of(outlook: &Outlook) -> String {
    let shares = outlook.law.map(percent);
    let mut lines = vec![
        labelled("question", &outlook.test.question),
        labelled("law", &format!("{} %", shares.join(" / "))),
        String::new(),
    ];
    lines.extend(aligned(&table(outlook)));
    if let Some(most) = outlook.pairs_max {
        lines.push(String::new());
        lines.push(labelled("at most", &format!("{} pairs", pairs(most))));
    }
    if let Some(dice) = &outlook.simulation {
        lines.push(String::new());
        lines.extend(aligned(&dice_table(outlook, dice)));
        lines.push(String::new());
        let Dice {
            tests,
            pairs_per_look,
            seed,
            alpha,
            beta,
            ..
        } = dice;
        lines.push(labelled("alpha", &rate(alpha)));
        lines.push(labelled("beta", &rate(beta)));
        lines.push(labelled(
            "dice",
            &format!("{tests} tests each, looks after every {pairs_per_look}, seed {seed}"),
        ));
    }
    lines.join("\n")
}

fn table(outlook: &Outlook) -> Vec<Vec<String>> {
    let mut head = vec!["true elo", "pass %", "pairs", "95 %", "99 %"];
    if outlook.pairs_per_hour.is_some() {
        head.extend(["hours", "95 %", "99 %"]);
    }
    let row = |row: &Row| {
        let mut cells = vec![outlook.test.elo(row.elo), percent(row.pass)];
        cells.extend(each(row.pairs, pairs));
        let hours = |hours| Fixed(hours, 1).to_string();
        cells.extend(row.hours.into_iter().flat_map(|it| each(it, hours)));
        cells
    };
    let head = head.into_iter().map(str::to_owned).collect();
    std::iter::once(head)
        .chain(outlook.table.iter().map(row))
        .collect()
}

fn dice_table(outlook: &Outlook, dice: &Dice) -> Vec<Vec<String>> {
    let head = ["simulated", "pass %", "±", "pairs", "±", "95 %", "99 %"];
    let rows = dice.table.iter().map(|row| {
        vec![
            outlook.test.elo(row.elo),
            percent(row.pass.value),
            percent(row.pass.error()),
            Fixed(row.pairs.value, 0).to_string(),
            Fixed(row.pairs.error(), 0).to_string(),
            row.p95.to_string(),
            row.p99.to_string(),
        ]
    });
    std::iter::once(head.map(str::to_owned).to_vec())
        .chain(rows)
        .collect()
}

fn each(length: Length, text: impl Fn(f64) -> String) -> [String; 3] {
    [length.mean, length.p95, length.p99].map(text)
}

/// Theory has four digits, and knows of less than a pair.
fn pairs(count: f64) -> String {
    rounded(count.max(1.0), 4).to_string()
}

fn rate(rate: &Rate) -> String {
    let [value, error] = [rate.value, rate.error()].map(|value| Fixed(value, 4));
    format!("{value} ± {error}")
}

fn percent(share: f64) -> String {
    Fixed(100.0 * share, 1).to_string()
}
