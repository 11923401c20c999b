//! Two tests in a row: a short time control that sorts out, a long one that decides.

use super::characteristic::pass_and_mean;
use crate::elo::NELO_PER_T;
use crate::llr::Model;
use crate::normal;
use crate::sprt::Sprt;

/// A test at a short time control, and for those who pass it one at a long time control.
///
/// A candidate's strength at the short one is drawn from a normal prior; at the long one it is the
/// same plus a normal deviate. All strengths in normalized Elo. (Reference page on statistics,
/// 2.7.)
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The first test.
    pub short: Stage,
    /// The second test.
    pub long: Stage,
    /// Mean strength of candidates at the short time control.
    pub prior_mean: f64,
    /// Standard deviation of it.
    pub prior_deviation: f64,
    /// Standard deviation of the difference between both time controls.
    pub scaling_deviation: f64,
}

/// One of the tests.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The test; its model must be [`Model::Normalized`].
    pub sprt: Sprt,
    /// What a pair costs, in any unit that both stages share: seconds, or pairs of the short one.
    pub cost_per_pair: f64,
}

/// What a pipeline costs and brings a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PipelineCost {
    /// Mean cost of a candidate.
    pub cost: f64,
    /// Share of candidates that pass the first test.
    pub short_pass: f64,
    /// Share that pass both.
    pub pass: f64,
    /// Mean gain at the long time control: strength of the accepted, times their share.
    pub gain: f64,
    /// The part of `gain` that is due to accepted regressions; not positive.
    pub regression: f64,
}

impl PipelineCost {
    /// Cost of one normalized Elo gained; `None` when nothing is gained.
    #[must_use]
    pub fn cost_per_elo(&self) -> Option<f64> {
        (self.gain > 0.0).then(|| self.cost / self.gain)
    }
}

/// Points of the normal distributions that are summed over, and how far they reach in standard
/// deviations: enough for six digits.
const POINTS: i32 = 60;
const REACH: f64 = 6.0;

impl Pipeline {
    /// Cost and gain a candidate, in the limit of many pairs.
    ///
    /// # Panics
    ///
    /// If a stage's model is not [`Model::Normalized`].
    #[must_use]
    pub fn cost(&self) -> PipelineCost {
        let widest = self.prior_deviation.hypot(self.scaling_deviation) * 2.0 * REACH;
        let span = (self.prior_mean - widest, self.prior_mean + widest);
        let (short, long) = (Curve::new(&self.short, span), Curve::new(&self.long, span));
        let mut sum = PipelineCost {
            cost: 0.0,
            short_pass: 0.0,
            pass: 0.0,
            gain: 0.0,
            regression: 0.0,
        };
        for (share, at_short) in normal_points(self.prior_mean, self.prior_deviation) {
            let (pass, cost) = short.at(at_short);
            sum.short_pass += share * pass;
            sum.cost += share * cost;
            for (part, change) in normal_points(0.0, self.scaling_deviation) {
                let at_long = at_short + change;
                let share = share * part * pass;
                let (pass, cost) = long.at(at_long);
                sum.cost += share * cost;
                sum.pass += share * pass;
                sum.gain += share * pass * at_long;
                sum.regression += share * pass * at_long.min(0.0);
            }
        }
        sum
    }
}

/// Weights and values that stand for a normal distribution.
fn normal_points(mean: f64, deviation: f64) -> impl Iterator<Item = (f64, f64)> {
    let points = if deviation == 0.0 { 0 } else { POINTS };
    let spacing = REACH / f64::from(POINTS);
    (-points..=points).map(move |i| {
        let z = spacing * f64::from(i);
        let weight = if points == 0 {
            1.0
        } else {
            spacing * normal::density(z)
        };
        (weight, mean + deviation * z)
    })
}

/// Pass probability and cost of a stage, tabulated over strength.
struct Curve {
    from: f64,
    step: f64,
    points: Vec<(f64, f64)>,
}

/// Intervals of the table a width of the hypotheses: linear interpolation is then good to 1e-4.
const STEPS_PER_WIDTH: f64 = 40.0;

/// Beyond so many widths from the middle a test is as good as decided, and costs next to nothing.
const WIDTHS_MAX: f64 = 6.0;

impl Curve {
    fn new(stage: &Stage, (low, high): (f64, f64)) -> Self {
        let hypotheses = stage.sprt.hypotheses();
        assert_eq!(
            hypotheses.model(),
            Model::Normalized,
            "pipelines are about normalized Elo"
        );
        let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
        let (middle, width) = (0.5 * (elo0 + elo1), elo1 - elo0);
        let from = low.max(middle - WIDTHS_MAX * width).min(middle);
        let to = high.min(middle + WIDTHS_MAX * width).max(middle);
        let step = width / STEPS_PER_WIDTH;
        let count = ((to - from) / step).ceil() as usize + 1;
        let cost = stage.cost_per_pair / (2.0 * (width / NELO_PER_T).powi(2));
        let points = (0..=count).map(|i| {
            let elo = from + step * i as f64;
            let (pass, mean) = pass_and_mean(&stage.sprt, (elo - middle) / width);
            (pass, cost * mean)
        });
        Self {
            from,
            step,
            points: points.collect(),
        }
    }

    /// Pass probability and mean cost.
    fn at(&self, elo: f64) -> (f64, f64) {
        let place = ((elo - self.from) / self.step).clamp(0.0, (self.points.len() - 1) as f64);
        let before = (place as usize).min(self.points.len() - 2);
        let share = place - before as f64;
        let ((pass_a, cost_a), (pass_b, cost_b)) = (self.points[before], self.points[before + 1]);
        (
            pass_a + share * (pass_b - pass_a),
            cost_a + share * (cost_b - cost_a),
        )
    }
}
