//! `arbiter show`: all of a test.

use super::Connection;
use super::picture;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Show where a test stands
///
/// With `--json` it is an object with `state` (submitted, queued, paused, accepted, rejected, finished
/// or stopped), the fields of `summary.json`, and what the test is about.
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
  arbiter show ID --json | jq .pentanomial";

pub(crate) fn run(args: &ShowArgs, printer: &Printer) -> Result<Exit, Failure> {
    let test = args.connection.client()?.test(&args.id)?;
    match args.json {
        true => printer.data(picture::json(&test)),
        false => printer.data(picture::of(&test)),
    }
    Ok(Exit::Done)
}
