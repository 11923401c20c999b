//! `arbiter recount`: is what is shown what is stored?

use super::Connection;
use super::picture;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Count a test again from what the coordinator has stored
///
/// Every entry of the test's ledger is folded again, and the games of every pair are played again
/// under the laws. The exit code is 0 if that comes to what is shown, and 1 if it does not, with a
/// line for each difference: then the coordinator's database is damaged, or somebody has changed it.
/// A coordinator does the same by itself when a test ends, and now and then before; `arbiter show`
/// tells what came of it. It is for the test's owner and for administrators.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecountArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Print what came of it as a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter recount ID
  arbiter recount ID --server http://127.0.0.1:7164 --token-file token
  arbiter recount ID --json | jq .differences";

pub(crate) fn run(args: &RecountArgs, printer: &Printer) -> Result<Exit, Failure> {
    let counted = args.connection.client()?.recount(&args.id)?;
    if args.json {
        printer.data(picture::json(&counted));
    } else {
        for difference in &counted.differences {
            printer.data(format_args!("differs: {}", picture::safe(difference)));
        }
        if counted.equal {
            let pairs = counted.pairs;
            printer.data(format_args!(
                "equal: {pairs} pairs count, as their games say"
            ));
        }
    }
    Ok(match counted.equal {
        true => Exit::Done,
        false => Exit::CheckFailed,
    })
}
