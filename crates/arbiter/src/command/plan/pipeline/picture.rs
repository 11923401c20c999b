//! What the `beta` of the short test changes, as a picture.

use stats::PipelineCost;

use super::comparison::{relative_efficiency, with_beta};
use super::{PipelineArgs, Tests};
use crate::chart::{Anchor, Chart, Ink, Place, Scale};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const SIDES: [f64; 2] = [70.0, 650.0];
const PANEL: [f64; 2] = [70.0, 365.0];

/// The betas that are drawn: those for which curved bounds are designed.
const BETAS: [f64; 2] = [0.02, 0.2];
const POINTS: u32 = 19;

/// What is drawn, as a share of what was asked for; nothing where it is not defined.
struct Curve {
    ink: Ink,
    name: &'static str,
    share: fn(PipelineCost, PipelineCost) -> Option<f64>,
}

const CURVES: [Curve; 3] = [
    Curve {
        ink: Ink::Orange,
        name: "cost",
        share: |cost, asked| Some(cost.cost / asked.cost),
    },
    Curve {
        ink: Ink::Red,
        name: "Elo gained",
        share: |cost, asked| (asked.gain != 0.0).then_some(cost.gain / asked.gain),
    },
    Curve {
        ink: Ink::Blue,
        name: "Elo per cost",
        share: relative_efficiency,
    },
];

/// The file.
pub(super) fn of(tests: &Tests, args: &PipelineArgs) -> String {
    let asked = tests.cost(args);
    let costs: Vec<(f64, PipelineCost)> = (0..POINTS)
        .map(|i| {
            let [low, high] = BETAS;
            let beta = low + (high - low) * f64::from(i) / f64::from(POINTS - 1);
            let rates = with_beta(tests.short.rates(), beta);
            (beta, tests.with(rates, tests.long.rates()).cost(args))
        })
        .collect();
    let curves = CURVES.map(|Curve { ink, name, share }| {
        let shares = costs.iter();
        let shares: Vec<(f64, f64)> = shares
            .filter_map(|&(beta, cost)| Some((beta, 100.0 * share(cost, asked)?)))
            .collect();
        (ink, name, shares)
    });

    let shares = || curves.iter().flat_map(|(.., shares)| shares).map(|it| it.1);
    let low = shares().fold(100.0, f64::min);
    let high = shares().fold(100.0, f64::max);
    let across = Scale::new(BETAS, SIDES);
    let up = Scale::new([low - 5.0, high + 5.0], [PANEL[1], PANEL[0]]);
    let title = "What the beta of the short test changes, in per cent of what was asked for";
    let mut chart = Chart::new(WIDTH, HEIGHT, title);
    chart.axis_left(up, SIDES, " %");
    chart.axis_below(across, PANEL, "beta of the short test");
    let mut names: Vec<(f64, &str)> = Vec::new();
    for (ink, name, shares) in curves {
        let place = |(beta, share): (f64, f64)| (across.at(beta), up.at(share));
        let places: Vec<Place> = shares.into_iter().map(place).collect();
        names.extend(places.last().map(|&(_, y)| (y, name)));
        chart.curve(places, ink);
    }
    for (y, name) in apart(names) {
        chart.text((SIDES[1] + 6.0, y + 4.0), Anchor::Start, Ink::Text, name);
    }
    let x = across.at(tests.short.rates().beta());
    if (SIDES[0]..=SIDES[1]).contains(&x) {
        chart.dashes((x, PANEL[0]), (x, PANEL[1]), Ink::Faint);
        chart.text((x, PANEL[0] - 6.0), Anchor::Middle, Ink::Faint, "as asked");
    }
    chart.finish()
}

/// Moves texts down until none covers another.
fn apart(mut names: Vec<(f64, &str)>) -> Vec<(f64, &str)> {
    const LINE: f64 = 15.0;
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    for i in 1..names.len() {
        names[i].0 = names[i].0.max(names[i - 1].0 + LINE);
    }
    names
}
