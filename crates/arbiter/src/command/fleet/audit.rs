//! `arbiter audit`: who did what to a test.

use super::{Connection, picture, user};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Show who did what to a test and when, oldest first
///
/// What a coordinator does by its own rules it does as `arbiter`. What was done to users and tokens
/// is in `arbiter user audit`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AuditArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Print it as a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter audit ID
  arbiter audit ID --json | jq '.[] | select(.who != \"arbiter\")'";

pub(crate) fn run(args: &AuditArgs, printer: &Printer) -> Result<Exit, Failure> {
    let entries = args.connection.client()?.audit(&args.id)?;
    if args.json {
        printer.data(picture::json(&entries));
    } else {
        let lines = entries.iter().map(user::line);
        lines.for_each(|line| printer.data(line));
    }
    Ok(Exit::Done)
}
