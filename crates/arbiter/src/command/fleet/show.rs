//! `arbiter show`: all of a test.

use fleet_api::{Crew, TestView};
use serde::Serialize;

use super::picture;
use super::{Connection, crew};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Show where a test stands
///
/// With `--json` it is an object with `state` (submitted, queued, paused, accepted, rejected, finished
/// or stopped), the fields of `summary.json`, and what the test is about.
///
/// A table compares the workers that played it, each with the others of its platform: is the mean
/// score of its pairs another one, are they won more or less often, does it lose more on time, does it
/// crash more? The p-values say how likely that is by chance. A worker that stands out is named, at
/// most one in twenty of those by chance. The rules by which a coordinator acts are stricter: it looks
/// when there are twice as many pairs as at its last look, and a worker that stands out then by
/// decisiveness, time losses or crashes, at most one in a hundred by chance, gets no more pairs of the
/// test. Its results stay, until a person sets them aside. In JSON these are `workers` and
/// `heterogeneity`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Print it as a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter show ID
  arbiter show ID --json | jq .pentanomial
  arbiter show ID --json | jq '.workers[] | select(.flags != [])'";

/// A test with its workers.
#[derive(Debug, Serialize)]
struct Whole {
    #[serde(flatten)]
    test: TestView,
    #[serde(flatten)]
    crew: Crew,
}

pub(crate) fn run(args: &ShowArgs, printer: &Printer) -> Result<Exit, Failure> {
    let client = args.connection.client()?;
    let test = client.test(&args.id)?;
    let crew = client.crew(&args.id)?;
    if args.json {
        printer.data(picture::json(&Whole { test, crew }));
    } else {
        printer.data(picture::of(&test));
        crew::of(&crew).iter().for_each(|line| printer.data(line));
    }
    Ok(Exit::Done)
}
