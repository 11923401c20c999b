//! `arbiter plan`: what tests will cost, before they are played.

use std::fs;
use std::io;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use stats::{Law, Plan, PlanError};
use thiserror::Error;

use crate::cli::{count, whole_number};
use crate::command::stats::test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

mod data;
mod picture;
mod pipeline;
mod text;

use data::Outlook;
use pipeline::PipelineArgs;

/// Say how long a sequential test will take, and how often it errs
///
/// The table tells for several true strengths how likely the test accepts H1 and how many pairs it
/// needs: in the mean, and so many that 95 and 99 per cent of tests need no more. It follows from
/// the theory of Brownian motion; below it, tests that are played with dice check the theory and
/// measure both error rates.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
#[command(subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    command: Option<PlanCommand>,

    /// The test, in the words of `arbiter match --sprt`
    #[arg(long, value_name = "WORDS", required = true)]
    sprt: Option<String>,

    /// How often pairs end in which way: uho, balanced, weak, ltc, or counts as 39,8843,26675,9240,44
    ///
    /// uho: engines near the top with a book that favours White. ltc: the same at a long time
    /// control. balanced: with a book of level openings. weak: anything happens. Counts are those of
    /// a pentanomial that was played. The law is moved to each strength of the table.
    #[arg(
        long,
        value_name = "LAW",
        default_value = "uho",
        hide_default_value = false
    )]
    law: Law,

    /// How many pairs are played in an hour: adds how many hours it will take
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pairs_per_hour: Option<f64>,

    /// How many tests are played with dice at each strength, 0 for none [default: what takes a second]
    #[arg(long, value_name = "N", value_parser = sample, allow_negative_numbers = true)]
    simulate: Option<u32>,

    /// After how many pairs the simulated tests are looked at
    #[arg(long, value_name = "N", default_value = "16", value_parser = count::<NonZeroU64>)]
    #[arg(allow_negative_numbers = true)]
    pairs_per_look: NonZeroU64,

    /// Which dice
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number::<u64>)]
    #[arg(allow_negative_numbers = true)]
    seed: u64,

    /// Write a line of JSON instead of the table
    #[arg(long)]
    json: bool,

    /// Draw pass probability and length over the true strength
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum PlanCommand {
    Pipeline(Box<PipelineArgs>),
}

const EXAMPLES: &str = "\
Examples:
  arbiter plan --sprt 'elo0=0 elo1=2'
  arbiter plan --sprt 'elo0=-1.75 elo1=0.25 preset=non-regression' --law balanced --svg plan.svg
  arbiter plan --sprt 'elo0=0 elo1=5 rule=wald' --law 39,8843,26675,9240,44 --pairs-per-hour 2000
  arbiter plan pipeline --short 'elo0=0 elo1=2 beta=0.1' --long 'elo0=0.5 elo1=2.5'";

/// Why there is no plan.
#[derive(Debug, Error)]
enum Refusal {
    #[error("`--sprt`")]
    Test(#[source] PlanError),
    #[error("`{flag}`: model={model}: a pipeline is about normalized Elo")]
    Model {
        flag: &'static str,
        model: stats::Model,
    },
    #[error("failed to write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
}

pub(crate) fn run(args: &PlanArgs, printer: &Printer) -> Result<Exit, Failure> {
    if let Some(PlanCommand::Pipeline(args)) = &args.command {
        return pipeline::run(args, printer);
    }
    let words = args.sprt.as_deref().unwrap_or_default();
    let sprt = test("--sprt", words, printer)?;
    let plan = Plan::new(&sprt, args.law).map_err(|error| Failure::usage(Refusal::Test(error)))?;
    if !args.json && is_coarse(&plan, args.pairs_per_look) {
        printer.note(
            "theory is about many pairs, many of them decided, and many looks, and this test has \
             few: what the simulated tests say is nearer to the truth",
        );
    }
    let outlook = Outlook::new(&plan, args);
    printer.data(if args.json {
        outlook.json()
    } else {
        text::of(&outlook)
    });
    if let Some(path) = &args.svg {
        write(path, &picture::of(&plan, args.pairs_per_hour))?;
    }
    Ok(Exit::Done)
}

/// Whether the steps of the test are too large for Brownian motion to be a good picture of it.
fn is_coarse(plan: &Plan<'_>, pairs_per_look: NonZeroU64) -> bool {
    /// Simulations and theory agree from so many pairs on that end otherwise than most.
    const UNUSUAL_PAIRS: f64 = 40.0;
    const LOOKS: f64 = 4.0;
    let elo0 = plan.sprt().hypotheses().elo0();
    let (Ok(theory), Ok(law)) = (plan.at(elo0), plan.law_at(elo0)) else {
        return false;
    };
    let most = law.probabilities().into_iter().fold(0.0, f64::max);
    theory.mean * (1.0 - most) < UNUSUAL_PAIRS || theory.mean < LOOKS * pairs_per_look.get() as f64
}

/// Reads a number that something is divided by, or multiplied with.
fn positive(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(number) if (0.001..=1e12).contains(&number) => Ok(number),
        _ => Err("a number from 0.001 to 1e12 is allowed"),
    }
}

/// Reads how many tests to play: one says nothing about how they vary.
fn sample(text: &str) -> Result<u32, &'static str> {
    match text.parse() {
        Ok(tests) if tests != 1 => Ok(tests),
        _ => Err("0 or a whole number from 2 is allowed, not too large"),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|source| {
        let path = path.to_path_buf();
        Failure::new(Exit::Stopped, Refusal::Write { path, source })
    })
}
