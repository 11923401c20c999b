//! How long tests take by the rule that stops them, simulated with exact log-likelihood ratios.
//!
//! All columns are relative to constant bounds with the overshoot correction (`wald`), played with
//! the same dice. The reference page (2.3) has 0.93 for `general` in the middle, 1.01 at the
//! hypotheses, 0.78 and 0.62 for its percentiles; 0.885, 1.055, 0.63 and 0.49 for `deadline`.
//!
//! `cargo bench -p stats --bench stop_rules` takes some minutes; `-- TESTS` sets how many tests are
//! simulated for each number (10,000).
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::num::NonZeroU64;

use stats::{ErrorRates, Hypotheses, Law, Model, Plan, Preset, Rule, Simulated, Simulation, Sprt};

const ROWS: [(&str, Law, f64, u64); 7] = [
    ("uho", Law::UHO, 10.0, 8),
    ("ltc", Law::LTC, 10.0, 8),
    ("balanced", Law::BALANCED, 10.0, 8),
    ("weak", Law::WEAK, 10.0, 8),
    ("uho", Law::UHO, 10.0, 1),
    ("uho", Law::UHO, 10.0, 64),
    ("uho", Law::UHO, 5.0, 16),
];

fn main() {
    let tests = std::env::args()
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(10_000);
    println!(
        "{tests} tests a number; standard errors of ratios about {:.3}",
        1.0 / f64::from(tests).sqrt()
    );
    println!(
        "law      bounds  look  rule            alpha   beta    elo0   mid    elo1   p95    p99"
    );
    for (name, law, elo1, pairs_per_look) in ROWS {
        let wald = Course::simulate(law, elo1, pairs_per_look, Rule::Wald, tests);
        for rule in [Rule::Wald]
            .into_iter()
            .chain(Preset::ALL.map(Rule::Curved))
        {
            let course = Course::simulate(law, elo1, pairs_per_look, rule, tests);
            let preset = rule.preset().map_or(rule.name(), Preset::name);
            print!("{name:<8} [0,{elo1:>2}] {pairs_per_look:>5}  {preset:<15}");
            print!(" {:.4}  {:.4}", course.alpha, course.beta);
            for ratio in course.ratios(&wald) {
                print!("  {ratio:.3}");
            }
            println!();
        }
        println!(
            "{:>38} pairs at elo0, mid, elo1: {:.0} {:.0} {:.0}",
            "wald:", wald.at_elo0.mean.value, wald.at_middle.mean.value, wald.at_elo1.mean.value
        );
    }
}

struct Course {
    alpha: f64,
    beta: f64,
    at_elo0: Simulated,
    at_middle: Simulated,
    at_elo1: Simulated,
}

impl Course {
    fn simulate(law: Law, elo1: f64, pairs_per_look: u64, rule: Rule, tests: u32) -> Self {
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, elo1).expect("0 < elo1");
        let sprt = Sprt::new(hypotheses, ErrorRates::default(), rule);
        let plan = Plan::new(&sprt, law).expect("the law reaches the hypotheses");
        let look = NonZeroU64::new(pairs_per_look).expect("a look has pairs");
        let simulation = Simulation::new(&plan, look, 1);
        let run = |elo| {
            simulation
                .run(elo, tests)
                .expect("the law reaches the hypotheses")
        };
        let rates = simulation.error_rates(tests);
        Self {
            alpha: rates.alpha.value,
            beta: rates.beta.value,
            at_elo0: run(0.0),
            at_middle: run(elo1 / 2.0),
            at_elo1: run(elo1),
        }
    }

    /// Means at elo0, in the middle and at elo1, and percentiles in the middle.
    fn ratios(&self, wald: &Self) -> [f64; 5] {
        let mean = |mine: &Simulated, theirs: &Simulated| mine.mean.value / theirs.mean.value;
        [
            mean(&self.at_elo0, &wald.at_elo0),
            mean(&self.at_middle, &wald.at_middle),
            mean(&self.at_elo1, &wald.at_elo1),
            self.at_middle.p95 as f64 / wald.at_middle.p95 as f64,
            self.at_middle.p99 as f64 / wald.at_middle.p99 as f64,
        ]
    }
}
