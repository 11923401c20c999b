//! The error rates with which two tests in a row bring the same for less.

use super::pipeline::{Pipeline, PipelineCost, Stage};
use super::simplex;
use crate::llr::Model;
use crate::sprt::{ErrorRates, Hypotheses, Rule, Sprt};

impl Pipeline {
    /// The pipeline of least cost that gains a candidate as much Elo as this one, and loses no more
    /// by accepted regressions. Error rates of both tests are free, and so is where their
    /// hypotheses lie; the width of these, the rules and everything about the candidates stay.
    /// (Reference page on statistics, 2.7, the row "optimised": a slope and two heights a stage.)
    ///
    /// The search is among constant bounds, whose laws are closed formulas; where the rule is
    /// another, its own bounds for the same error rates are taken at the end, with the aims
    /// corrected for the difference. `None` when this pipeline gains nothing, and when nothing
    /// cheaper is found.
    ///
    /// # Panics
    ///
    /// If a stage's model is not [`Model::Normalized`].
    #[must_use]
    pub fn optimised(&self) -> Option<Self> {
        let now = self.cost();
        if now.gain <= 0.0 {
            return None;
        }
        let search = Search {
            rates: [&self.short, &self.long].map(rates_allowed),
            pipeline: self,
        };
        let mut aims = search.by_constant_bounds(search.start()).cost();
        let (asked, mut x) = (aims, search.start());
        let rules = [&self.short, &self.long].map(|stage| stage.sprt.rule());
        let is_exact = rules == [Rule::Wald; 2];
        for _ in 0..if is_exact { 1 } else { ROUNDS } {
            x = search.optimum(aims, x);
            let found = search.by_its_rules(x).cost();
            aims.gain *= now.gain / found.gain;
            if found.regression < 0.0 {
                aims.regression *= now.regression / found.regression;
            }
            if !(aims.gain.is_finite() && aims.gain < 2.0 * asked.gain) {
                return None;
            }
        }
        let found = search.by_its_rules(x);
        let cost = found.cost();
        (cost.cost < now.cost && cost.gain > (1.0 - GAIN_TOLERANCE) * now.gain).then_some(found)
    }
}

/// Searches where bounds are not constant: each with its aims corrected by what the
/// one before missed.
const ROUNDS: usize = 2;

/// By how much the gain of what is found may fall short.
const GAIN_TOLERANCE: f64 = 0.005;

/// The middles of both hypotheses, and of the logarithms of their error rates where they lie in
/// what is allowed, on a scale without ends.
type Point = [f64; 6];

struct Search<'a> {
    pipeline: &'a Pipeline,
    /// Logarithms of the error rates that a stage may have.
    rates: [(f64, f64); 2],
}

/// Curved bounds are designed for these; constant ones exist for all.
fn rates_allowed(stage: &Stage) -> (f64, f64) {
    let (low, high) = match stage.sprt.rule() {
        Rule::Curved(_) => (0.001_f64, 0.2_f64),
        Rule::Wald => (1e-5, 0.45),
    };
    (low.ln(), high.ln())
}

impl Search<'_> {
    fn start(&self) -> Point {
        let [short, long] = [&self.pipeline.short, &self.pipeline.long].map(|stage| {
            let (hypotheses, rates) = (stage.sprt.hypotheses(), stage.sprt.rates());
            let middle = 0.5 * (hypotheses.elo0() + hypotheses.elo1());
            (middle, rates)
        });
        let place = |rate: f64, (low, high): (f64, f64)| {
            let share = ((rate.ln() - low) / (high - low)).clamp(0.02, 0.98);
            (share / (1.0 - share)).ln()
        };
        let of = |(middle, rates): (f64, ErrorRates), span| {
            [
                middle,
                place(rates.alpha(), span),
                place(rates.beta(), span),
            ]
        };
        let [a, b, c] = of(short, self.rates[0]);
        let [d, e, f] = of(long, self.rates[1]);
        [a, b, c, d, e, f]
    }

    fn by_constant_bounds(&self, x: Point) -> Pipeline {
        self.pipeline_at(x, |_| Rule::Wald)
    }

    fn by_its_rules(&self, x: Point) -> Pipeline {
        self.pipeline_at(x, |stage| stage.sprt.rule())
    }

    fn pipeline_at(&self, x: Point, rule: impl Fn(&Stage) -> Rule) -> Pipeline {
        let stage = |stage: &Stage, x: &[f64], (low, high): (f64, f64)| {
            let hypotheses = stage.sprt.hypotheses();
            let half = 0.5 * (hypotheses.elo1() - hypotheses.elo0());
            let hypotheses =
                Hypotheses::new(Model::Normalized, x[0] - half, x[0] + half).unwrap_or(hypotheses);
            let rate = |x: f64| (low + (high - low) / (1.0 + (-x).exp())).exp();
            let rates = ErrorRates::new(rate(x[1]), rate(x[2])).expect("both are below a half");
            Stage {
                sprt: Sprt::new(hypotheses, rates, rule(stage)),
                cost_per_pair: stage.cost_per_pair,
            }
        };
        Pipeline {
            short: stage(&self.pipeline.short, &x[..3], self.rates[0]),
            long: stage(&self.pipeline.long, &x[3..], self.rates[1]),
            ..self.pipeline.clone()
        }
    }

    /// The least cost at which the aims are met, by multipliers for both conditions (Powell 1969,
    /// Hestenes 1969, Rockafellar 1973 for inequalities).
    fn optimum(&self, aims: PipelineCost, start: Point) -> Point {
        let width = |stage: &Stage| stage.sprt.hypotheses().elo1() - stage.sprt.hypotheses().elo0();
        let widths = [width(&self.pipeline.short), width(&self.pipeline.long)];
        let sizes = [0.2 * widths[0], 0.5, 0.5, 0.2 * widths[1], 0.5, 0.5];
        let least = 1e-9 * aims.gain;
        let misses = |found: PipelineCost| {
            [
                (aims.gain / found.gain.max(least)).ln(),
                ((least - found.regression) / (least - aims.regression)).ln(),
            ]
        };
        let mut multipliers = [3.0, 0.1];
        let mut x = start;
        for _ in 0..MULTIPLIER_STEPS {
            let paid = |x: &Point| {
                let found = self.by_constant_bounds(*x).cost();
                let penalty = |(miss, multiplier): (f64, &f64)| {
                    let force = (multiplier + STIFFNESS * miss).max(0.0);
                    (force * force - multiplier * multiplier) / (2.0 * STIFFNESS)
                };
                let penalties = misses(found).into_iter().zip(&multipliers).map(penalty);
                found.cost.ln() + penalties.sum::<f64>()
            };
            x = simplex::minimum(paid, x, sizes, TOLERANCE);
            let misses = misses(self.by_constant_bounds(x).cost());
            for (multiplier, miss) in multipliers.iter_mut().zip(misses) {
                *multiplier = (*multiplier + STIFFNESS * miss).max(0.0);
            }
        }
        x
    }
}

/// What missing an aim by a factor e costs beside its multiplier: enough that eight steps of the
/// multipliers meet it to a few thousandths, and not so much that the valley becomes a gorge.
const STIFFNESS: f64 = 20.0;
const MULTIPLIER_STEPS: usize = 8;

/// How far a simplex shrinks, in its first size: costs are flat there to four digits.
const TOLERANCE: f64 = 1e-3;
