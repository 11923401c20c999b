//! A plan as a picture: pass probability and length over the true strength.

use stats::{Characteristic, Plan};

use crate::chart::{Anchor, Chart, Ink, Place, Scale};
use crate::strength;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 600.0;

/// Where panels begin and end.
const SIDES: [f64; 2] = [70.0, 690.0];
const PASS_PANEL: [f64; 2] = [70.0, 240.0];
const LENGTH_PANEL: [f64; 2] = [300.0, 545.0];

/// Points of a curve: enough to look smooth.
const POINTS: usize = 121;

/// A length that is drawn.
struct Curve {
    ink: Ink,
    name: &'static str,
    length: fn(&Characteristic) -> f64,
}

const CURVES: [Curve; 3] = [
    Curve {
        ink: Ink::Red,
        name: "99 % of tests",
        length: |point| point.p99,
    },
    Curve {
        ink: Ink::Orange,
        name: "95 % of tests",
        length: |point| point.p95,
    },
    Curve {
        ink: Ink::Blue,
        name: "mean",
        length: |point| point.mean,
    },
];

/// The file.
pub(super) fn of(plan: &Plan<'_>, pairs_per_hour: Option<f64>) -> String {
    let hypotheses = plan.sprt().hypotheses();
    let points: Vec<Characteristic> = plan.table(POINTS).collect();
    let (first, last) = (points.first(), points.last());
    let ends = [first, last].map(|point| point.map_or(0.0, |point| point.elo));
    let across = Scale::new(ends, SIDES);
    let mut chart = Chart::new(WIDTH, HEIGHT, strength::question(plan.sprt()));
    draw_pass(&mut chart, &points, across);
    draw_length(&mut chart, &points, across, pairs_per_hour);
    for (elo, name) in [(hypotheses.elo0(), "elo0"), (hypotheses.elo1(), "elo1")] {
        let x = across.at(elo);
        let [top, _] = PASS_PANEL;
        let [_, bottom] = LENGTH_PANEL;
        chart.dashes((x, top), (x, bottom), Ink::Faint);
        chart.text((x, top - 6.0), Anchor::Middle, Ink::Faint, name);
    }
    chart.finish()
}

fn draw_pass(chart: &mut Chart, points: &[Characteristic], across: Scale) {
    let [top, bottom] = PASS_PANEL;
    let up = Scale::new([0.0, 100.0], [bottom, top]);
    chart.axis_left(up, SIDES, " %");
    let place = |point: &Characteristic| (across.at(point.elo), up.at(100.0 * point.pass));
    chart.curve(points.iter().map(place), Ink::Blue);
    chart.text(
        (SIDES[0] + 8.0, top + 14.0),
        Anchor::Start,
        Ink::Text,
        "H1 is accepted",
    );
}

fn draw_length(
    chart: &mut Chart,
    points: &[Characteristic],
    across: Scale,
    pairs_per_hour: Option<f64>,
) {
    let [top, bottom] = LENGTH_PANEL;
    let longest = points.iter().map(|point| point.p99).fold(0.0, f64::max);
    let up = Scale::new([0.0, 1.05 * longest], [bottom, top]);
    chart.axis_left(up, SIDES, "");
    chart.text(
        (SIDES[0], top - 10.0),
        Anchor::Start,
        Ink::Text,
        "pairs until it is decided",
    );
    chart.axis_below(across, LENGTH_PANEL, "true Elo");
    if let Some(speed) = pairs_per_hour {
        let hours = Scale::new([0.0, 1.05 * longest / speed], [bottom, top]);
        chart.axis_right(hours, SIDES[1], " h");
    }
    for (i, Curve { ink, name, length }) in CURVES.into_iter().enumerate() {
        let place = |point: &Characteristic| (across.at(point.elo), up.at(length(point)));
        chart.curve(points.iter().map(place), ink);
        let at = (SIDES[0] + 8.0, top + 14.0 + 18.0 * i as f64);
        key(chart, at, ink, name);
    }
}

/// A line of the legend.
fn key(chart: &mut Chart, (x, y): Place, ink: Ink, name: &str) {
    chart.rule((x, y - 4.0), (x + 18.0, y - 4.0), ink, 2.0);
    chart.text((x + 24.0, y), Anchor::Start, Ink::Text, name);
}
