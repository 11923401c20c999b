//! Error rates beside each other.

use serde::Serialize;
use stats::{ErrorRates, Fixed, PipelineCost, Sprt};

use super::{PipelineArgs, Prior, Tests};
use crate::command::plan::data::Test;
use crate::strength::rounded;
use crate::table::{aligned, labelled};

/// What was asked for and what else could be. The names are part of the interface.
#[derive(Serialize)]
pub(super) struct Comparison {
    short: Test,
    long: Test,
    prior: Prior,
    scaling_deviation: f64,
    /// In pairs of the short time control.
    long_pair_cost: f64,
    pairs_per_hour: Option<f64>,
    table: Vec<Row>,
    /// The tests of the last row, if it was asked for; null if nothing cheaper was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    optimised: Option<Option<[Test; 2]>>,
}

/// What a candidate costs and brings.
#[derive(Serialize)]
struct Row {
    name: String,
    short: Rates,
    long: Rates,
    /// In pairs of the short time control.
    cost: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hours: Option<f64>,
    short_pass: f64,
    pass: f64,
    elo_gained: f64,
    /// By accepted regressions; they are in `elo_gained` too. Not positive.
    elo_lost: f64,
    cost_per_elo: Option<f64>,
    /// `cost` in that of the first row.
    relative_cost: f64,
    /// Elo gained per cost, in that of the first row.
    relative_elo_per_cost: Option<f64>,
}

#[derive(Clone, Copy, Serialize)]
struct Rates {
    alpha: f64,
    beta: f64,
}

impl Comparison {
    pub(super) fn new(asked: &Tests, args: &PipelineArgs) -> Self {
        let first = asked.cost(args);
        let row = |(name, tests): (String, Tests)| Row::new(name, &tests, first, args);
        let mut variants = variants(asked);
        let optimised = args.optimise.then(|| asked.optimised(args));
        if let Some(Some(tests)) = &optimised {
            variants.push(("optimised".to_owned(), tests.clone()));
        }
        let both = |tests: Tests| [&tests.short, &tests.long].map(Test::new);
        Self {
            short: Test::new(&asked.short),
            long: Test::new(&asked.long),
            prior: args.prior,
            scaling_deviation: args.scaling,
            long_pair_cost: args.long_cost,
            pairs_per_hour: args.pairs_per_hour,
            table: variants.into_iter().map(row).collect(),
            optimised: optimised.map(|tests| tests.map(both)),
        }
    }

    pub(super) fn text(&self) -> String {
        let Prior { mean, deviation } = self.prior;
        let candidates = format!(
            "mean {mean}, deviation {deviation}; the long time control adds a deviation of {}",
            self.scaling_deviation
        );
        let mut lines = vec![
            labelled("short", &self.short.question),
            labelled("long", &self.long.question),
            labelled("candidates", &candidates),
            labelled(
                "cost",
                &format!("in short pairs; a long one costs {}", self.long_pair_cost),
            ),
            String::new(),
        ];
        let mut head = vec!["error rates", "cost", "%"];
        head.extend(self.pairs_per_hour.map(|_| "hours"));
        head.extend([
            "short pass %",
            "pass %",
            "elo/100",
            "lost/100",
            "cost/elo",
            "elo/cost %",
        ]);
        let head = head.into_iter().map(str::to_owned).collect();
        let rows = std::iter::once(head).chain(self.table.iter().map(Row::cells));
        lines.extend(aligned(&rows.collect::<Vec<_>>()));
        match &self.optimised {
            Some(Some([short, long])) => {
                lines.push(String::new());
                lines.push(labelled(
                    "optimised",
                    "for the same Elo gained, and no more lost:",
                ));
                lines.push(labelled("  short", &short.words()));
                lines.push(labelled("  long", &long.words()));
            }
            Some(None) => {
                lines.push(String::new());
                lines.push(labelled("optimised", "nothing cheaper gains the same"));
            }
            None => {}
        }
        lines.join("\n")
    }
}

/// What was asked for, and larger error rates one after the other: those by which a candidate that
/// would gain is lost, which cost nothing but time.
fn variants(asked: &Tests) -> Vec<(String, Tests)> {
    const SHORT_BETAS: [f64; 3] = [0.1, 0.15, 0.2];
    const BOTH_BETAS: [f64; 2] = [0.1, 0.15];
    let (short, long) = (asked.short.rates(), asked.long.rates());
    let mut variants = vec![("as asked".to_owned(), asked.clone())];
    for beta in SHORT_BETAS.into_iter().filter(|&beta| short.beta() < beta) {
        let tests = asked.with(with_beta(short, beta), long);
        variants.push((format!("short beta {beta}"), tests));
    }
    let both = |&beta: &f64| short.beta() < beta && long.beta() < beta;
    for beta in BOTH_BETAS.into_iter().filter(both) {
        let tests = asked.with(with_beta(short, beta), with_beta(long, beta));
        variants.push((format!("both betas {beta}"), tests));
    }
    variants
}

pub(super) fn with_beta(rates: ErrorRates, beta: f64) -> ErrorRates {
    ErrorRates::new(rates.alpha(), beta).expect("both are above 0 and below a half")
}

impl Row {
    fn new(name: String, tests: &Tests, first: PipelineCost, args: &PipelineArgs) -> Self {
        let cost = tests.cost(args);
        let rates = |sprt: &Sprt| Rates {
            alpha: sprt.rates().alpha(),
            beta: sprt.rates().beta(),
        };
        Self {
            name,
            short: rates(&tests.short),
            long: rates(&tests.long),
            cost: cost.cost,
            hours: args.pairs_per_hour.map(|speed| cost.cost / speed),
            short_pass: cost.short_pass,
            pass: cost.pass,
            elo_gained: cost.gain,
            elo_lost: cost.regression,
            cost_per_elo: cost.cost_per_elo(),
            relative_cost: cost.cost / first.cost,
            relative_elo_per_cost: relative_efficiency(cost, first),
        }
    }

    fn cells(&self) -> Vec<String> {
        let percent = |share: f64, decimals| Fixed(100.0 * share, decimals).to_string();
        let undefined = || "undefined".to_owned();
        let mut cells = vec![
            self.name.clone(),
            rounded(self.cost, 4).to_string(),
            percent(self.relative_cost, 1),
        ];
        cells.extend(self.hours.map(|hours| Fixed(hours, 1).to_string()));
        cells.extend([
            percent(self.short_pass, 1),
            percent(self.pass, 1),
            Fixed(100.0 * self.elo_gained, 2).to_string(),
            Fixed(100.0 * self.elo_lost, 3).to_string(),
            (self.cost_per_elo).map_or_else(undefined, |cost| rounded(cost, 4).to_string()),
            (self.relative_elo_per_cost).map_or_else(undefined, |share| percent(share, 1)),
        ]);
        cells
    }
}

/// Elo gained per cost, in that of `first`.
pub(super) fn relative_efficiency(cost: PipelineCost, first: PipelineCost) -> Option<f64> {
    Some(first.cost_per_elo()? / cost.cost_per_elo()?)
}
