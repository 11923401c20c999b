//! What is to be expected of a test, as numbers. The names are part of the interface.

use serde::Serialize;
use stats::{Characteristic, Fixed, Hypotheses, Measured, Plan, Simulation, Sprt};

use super::PlanArgs;

/// Strengths in the table: from one and a half widths of the hypotheses below their middle to as
/// much above, in quarters of a width.
const ROWS: usize = 13;

/// All that is said.
#[derive(Serialize)]
pub(super) struct Outlook {
    #[serde(flatten)]
    pub(super) test: Test,
    /// Shares of the pair scores 0, ½, 1, 1½, 2.
    pub(super) law: [f64; 5],
    pub(super) pairs_per_hour: Option<f64>,
    /// No test needs more; null for constant bounds, which have no end.
    pub(super) pairs_max: Option<f64>,
    pub(super) table: Vec<Row>,
    pub(super) simulation: Option<Dice>,
}

/// A sequential test.
#[derive(Serialize)]
pub(super) struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    rule: &'static str,
    preset: Option<&'static str>,
    /// In words.
    #[serde(skip)]
    pub(super) question: String,
}

/// What to expect at one strength.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) elo: f64,
    /// P(H1 accepted).
    pub(super) pass: f64,
    pub(super) pairs: Length,
    /// The same in hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hours: Option<Length>,
}

/// How long tests take.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Length {
    pub(super) mean: f64,
    pub(super) p95: f64,
    pub(super) p99: f64,
}

/// What happened to tests that were played with dice.
#[derive(Serialize)]
pub(super) struct Dice {
    pub(super) tests: u32,
    pub(super) pairs_per_look: u64,
    pub(super) seed: u64,
    pub(super) alpha: Rate,
    pub(super) beta: Rate,
    pub(super) table: Vec<DiceRow>,
}

#[derive(Serialize)]
pub(super) struct DiceRow {
    pub(super) elo: f64,
    pub(super) pass: Rate,
    pub(super) pairs: Rate,
    pub(super) p95: u64,
    pub(super) p99: u64,
}

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Rate {
    pub(super) value: f64,
    pub(super) ci95: [f64; 2],
}

impl Outlook {
    pub(super) fn new(plan: &Plan<'_>, args: &PlanArgs) -> Self {
        let [_, middle, _] = strengths(plan.sprt().hypotheses());
        Self {
            pairs_max: plan.at(middle).ok().and_then(|middle| middle.max),
            test: Test::new(plan.sprt()),
            law: plan.law().probabilities(),
            pairs_per_hour: args.pairs_per_hour,
            table: plan
                .table(ROWS)
                .map(|row| Row::new(row, args.pairs_per_hour))
                .collect(),
            simulation: Dice::new(plan, args),
        }
    }

    /// One line.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("strings and finite numbers are always JSON")
    }
}

impl Test {
    pub(super) fn new(sprt: &Sprt) -> Self {
        let (hypotheses, rates, rule) = (sprt.hypotheses(), sprt.rates(), sprt.rule());
        Self {
            model: hypotheses.model().name(),
            elo0: hypotheses.elo0(),
            elo1: hypotheses.elo1(),
            alpha: rates.alpha(),
            beta: rates.beta(),
            rule: rule.name(),
            preset: rule.preset().map(|preset| preset.name()),
            question: crate::strength::question(sprt),
        }
    }
}

impl Test {
    /// What `--sprt` takes, error rates to three digits.
    pub(super) fn words(&self) -> String {
        let rate = |rate: f64| Fixed(rate, (2.0 - rate.log10().floor()) as usize);
        let bounds = match self.preset {
            Some(preset) => format!("preset={preset}"),
            None => format!("rule={}", self.rule),
        };
        let [elo0, elo1] = [self.elo0, self.elo1].map(|elo| self.elo(elo));
        let [alpha, beta] = [self.alpha, self.beta].map(rate);
        format!("elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} {bounds}")
    }

    /// A strength with as many decimals as tell the rows of the table apart.
    pub(super) fn elo(&self, value: f64) -> String {
        let decimals = 2.0 - (self.elo1 - self.elo0).log10().floor();
        Fixed(value, decimals.clamp(2.0, 6.0) as usize).to_string()
    }
}

impl Row {
    fn new(row: Characteristic, pairs_per_hour: Option<f64>) -> Self {
        let pairs = Length {
            mean: row.mean,
            p95: row.p95,
            p99: row.p99,
        };
        Self {
            elo: row.elo,
            pass: row.pass,
            pairs,
            hours: pairs_per_hour.map(|speed| Length {
                mean: pairs.mean / speed,
                p95: pairs.p95 / speed,
                p99: pairs.p99 / speed,
            }),
        }
    }
}

impl Dice {
    /// Nothing if no test is to be played.
    fn new(plan: &Plan<'_>, args: &PlanArgs) -> Option<Self> {
        let tests = args.simulate.unwrap_or_else(|| affordable(plan));
        if tests == 0 {
            return None;
        }
        let simulation = Simulation::new(plan, args.pairs_per_look, args.seed);
        let rates = simulation.error_rates(tests);
        Some(Self {
            tests,
            pairs_per_look: args.pairs_per_look.get(),
            seed: args.seed,
            alpha: Rate::from(rates.alpha),
            beta: Rate::from(rates.beta),
            table: strengths(plan.sprt().hypotheses())
                .into_iter()
                .filter_map(|elo| DiceRow::new(&simulation, elo, tests))
                .collect(),
        })
    }
}

/// How many tests can be played in a second or so at each of five strengths; none if that says
/// nothing.
fn affordable(plan: &Plan<'_>) -> u32 {
    /// A pair takes about 10 ns.
    const PAIRS: f64 = 100e6;
    const TESTS_MAX: f64 = 10_000.0;
    const TESTS_MIN: f64 = 20.0;
    let [_, middle, _] = strengths(plan.sprt().hypotheses());
    let pairs = plan.at(middle).map_or(f64::INFINITY, |middle| middle.mean);
    let tests = (PAIRS / (5.0 * pairs)).min(TESTS_MAX);
    if tests < TESTS_MIN { 0 } else { tests as u32 }
}

/// Where theory is checked: at both hypotheses, and between them where tests are longest.
fn strengths(hypotheses: Hypotheses) -> [f64; 3] {
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    [elo0, f64::midpoint(elo0, elo1), elo1]
}

impl DiceRow {
    /// Nothing where the law cannot show such a strength.
    fn new(simulation: &Simulation<'_>, elo: f64, tests: u32) -> Option<Self> {
        let played = simulation.run(elo, tests).ok()?;
        Some(Self {
            elo,
            pass: Rate::of_share(played.pass.value, tests),
            pairs: Rate::from(played.mean),
            p95: played.p95,
            p99: played.p99,
        })
    }
}

/// Standard deviations from a mean to either limit of its 95 % interval.
const Z95: f64 = 1.96;

impl Rate {
    /// The share of so many tests. Its interval (Wilson 1927) is right for shares near 0 and 1 too,
    /// also where all tests ended alike.
    fn of_share(share: f64, tests: u32) -> Self {
        let weight = Z95 * Z95 / f64::from(tests);
        let middle = (share + weight / 2.0) / (1.0 + weight);
        let half = (weight * (share * (1.0 - share) + weight / 4.0)).sqrt() / (1.0 + weight);
        Self {
            value: share,
            ci95: [(middle - half).max(0.0), (middle + half).min(1.0)],
        }
    }

    /// Half of the width of the interval.
    pub(super) fn error(self) -> f64 {
        (self.ci95[1] - self.ci95[0]) / 2.0
    }
}

impl From<Measured> for Rate {
    fn from(measured: Measured) -> Self {
        let Measured {
            value,
            standard_error,
        } = measured;
        let half = Z95 * standard_error;
        Self {
            value,
            ci95: [value - half, value + half],
        }
    }
}
