//! `arbiter plan pipeline`: a test at a short time control that sorts out, and one at a long time
//! control that decides.

use std::path::PathBuf;
use std::str::FromStr;

use serde::Serialize;
use stats::{ErrorRates, Model, Pipeline, PipelineCost, Sprt, Stage};

use super::{Refusal, positive, write};
use crate::command::stats::test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

mod comparison;
mod picture;

use comparison::Comparison;

/// Say what two tests in a row cost and gain: a short time control, then a long one
///
/// A candidate's strength at the short time control is drawn from a normal prior; at the long one it
/// is the same plus a normal deviate. The table compares the error rates asked for with others: the
/// mean cost of a candidate in pairs of the short time control, how likely it passes, the Elo that
/// 100 candidates gain and how much of it accepted regressions take away, and the cost of an Elo. A
/// `beta` of the short test that is larger than usual is often the cheapest way to progress, and
/// `--optimise` finds the cheapest way to the same progress.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PipelineArgs {
    /// The test at the short time control, in the words of `arbiter match --sprt`
    #[arg(long, value_name = "WORDS", default_value = "elo0=0 elo1=2")]
    short: String,

    /// The test at the long time control
    #[arg(long, value_name = "WORDS", default_value = "elo0=0.5 elo1=2.5")]
    long: String,

    /// Normalized Elo of candidates at the short time control: mean and standard deviation
    #[arg(long, value_name = "MEAN,DEVIATION", default_value = "-0.5,1.2")]
    #[arg(allow_hyphen_values = true)]
    prior: Prior,

    /// Standard deviation of what the long time control adds to that
    #[arg(long, value_name = "ELO", default_value = "0.8", value_parser = deviation)]
    #[arg(allow_negative_numbers = true)]
    scaling: f64,

    /// What a pair at the long time control costs in pairs at the short one
    #[arg(long, value_name = "N", default_value = "6", value_parser = positive)]
    #[arg(allow_negative_numbers = true)]
    long_cost: f64,

    /// Search the error rates, and where the hypotheses lie, for the least cost: takes seconds
    ///
    /// A candidate gains as much Elo as with the tests asked for, and accepted regressions lose no
    /// more of it. The width of the hypotheses and the rules stay. Error rates are from 0.001 to
    /// 0.2 with curved bounds and from 0.00001 to 0.45 with constant ones (`rule=wald`). The tests
    /// found are the last row of the table, and in words that `--sprt` takes below it.
    #[arg(long)]
    optimise: bool,

    /// How many pairs at the short time control are played in an hour: adds hours
    #[arg(long, value_name = "N", value_parser = positive)]
    #[arg(allow_negative_numbers = true)]
    pairs_per_hour: Option<f64>,

    /// Write a line of JSON instead of the table
    #[arg(long)]
    json: bool,

    /// Draw cost and gain over the `beta` of the short test
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  arbiter plan pipeline
  arbiter plan pipeline --short 'elo0=0 elo1=2 beta=0.15' --prior -0.3,0.8 --scaling 0.5
  arbiter plan pipeline --prior -0.5,1.2 --scaling 0.4 --optimise
  arbiter plan pipeline --pairs-per-hour 20000 --svg pipeline.svg";

/// The strength of candidates.
#[derive(Clone, Copy, Debug, Serialize)]
struct Prior {
    mean: f64,
    deviation: f64,
}

impl FromStr for Prior {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const ALLOWED: &str = "two numbers with a comma between are allowed, as -0.5,1.2: a mean \
                               within 1000 and a standard deviation from 0 to 1000";
        let (mean, spread) = text.split_once(',').ok_or(ALLOWED)?;
        let mean: f64 = mean.trim().parse().map_err(|_| ALLOWED)?;
        if !(-DEVIATION_MAX..=DEVIATION_MAX).contains(&mean) {
            return Err(ALLOWED);
        }
        let deviation = deviation(spread).map_err(|_| ALLOWED)?;
        // The sum is never a negative zero, which would be shown as `-0`.
        let mean = mean + 0.0;
        Ok(Self { mean, deviation })
    }
}

/// More Elo than engines differ by.
const DEVIATION_MAX: f64 = 1000.0;

/// Reads a standard deviation.
fn deviation(text: &str) -> Result<f64, &'static str> {
    match text.trim().parse() {
        Ok(deviation) if (0.0..=DEVIATION_MAX).contains(&deviation) => Ok(deviation + 0.0),
        _ => Err("a number from 0 to 1000 is allowed"),
    }
}

pub(super) fn run(args: &PipelineArgs, printer: &Printer) -> Result<Exit, Failure> {
    let stage = |flag: &'static str, words: &str| {
        let sprt = test(flag, words, printer)?;
        match sprt.hypotheses().model() {
            Model::Normalized => Ok(sprt),
            model => Err(Failure::usage(Refusal::Model { flag, model })),
        }
    };
    let asked = Tests {
        short: stage("--short", &args.short)?,
        long: stage("--long", &args.long)?,
    };
    let comparison = Comparison::new(&asked, args);
    printer.data(if args.json {
        serde_json::to_string(&comparison).expect("strings and finite numbers are always JSON")
    } else {
        comparison.text()
    });
    if let Some(path) = &args.svg {
        write(path, &picture::of(&asked, args))?;
    }
    Ok(Exit::Done)
}

/// Both tests.
#[derive(Clone)]
struct Tests {
    short: Sprt,
    long: Sprt,
}

impl Tests {
    /// The same with other error rates.
    fn with(&self, short: ErrorRates, long: ErrorRates) -> Self {
        let with = |sprt: &Sprt, rates| Sprt::new(sprt.hypotheses(), rates, sprt.rule());
        Self {
            short: with(&self.short, short),
            long: with(&self.long, long),
        }
    }

    fn cost(&self, args: &PipelineArgs) -> PipelineCost {
        self.pipeline(args).cost()
    }

    /// Those that bring the same for less, if there are any.
    fn optimised(&self, args: &PipelineArgs) -> Option<Self> {
        let Pipeline { short, long, .. } = self.pipeline(args).optimised()?;
        Some(Self {
            short: short.sprt,
            long: long.sprt,
        })
    }

    fn pipeline(&self, args: &PipelineArgs) -> Pipeline {
        let stage = |sprt: &Sprt, cost_per_pair| Stage {
            sprt: sprt.clone(),
            cost_per_pair,
        };
        Pipeline {
            short: stage(&self.short, 1.0),
            long: stage(&self.long, args.long_cost),
            prior_mean: args.prior.mean,
            prior_deviation: args.prior.deviation,
            scaling_deviation: args.scaling,
        }
    }
}
