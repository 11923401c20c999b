//! `arbiter bar` and `arbiter unbar`: who may not play.

use fleet_api::{BarWorker, UnbarWorker};

use super::Connection;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Lend a worker nothing any more, of whatever test
///
/// What it holds is taken back and lent to others; what it has played counts (`arbiter set-aside` is
/// for that). It is for administrators, and who did it and why is on record. A machine under
/// another name is another worker: against people there is `arbiter token revoke`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BarArgs {
    /// Which worker, as `workers` prints it
    #[arg(value_name = "WORKER")]
    worker: String,

    /// Why, for those who come later
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    connection: Connection,
}

/// Lend a worker that was barred something again
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UnbarArgs {
    /// Which worker, as `workers` prints it
    #[arg(value_name = "WORKER")]
    worker: String,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter bar attic --reason 'its memory fails'
  arbiter unbar attic";

pub(crate) fn bar(args: &BarArgs, printer: &Printer) -> Result<Exit, Failure> {
    let wanted = BarWorker {
        worker: args.worker.clone(),
        reason: args.reason.clone(),
    };
    args.connection.client()?.bar_worker(&wanted)?;
    printer.talk(format_args!("worker {} gets nothing any more", args.worker));
    Ok(Exit::Done)
}

pub(crate) fn unbar(args: &UnbarArgs, printer: &Printer) -> Result<Exit, Failure> {
    let wanted = UnbarWorker {
        worker: args.worker.clone(),
    };
    args.connection.client()?.unbar_worker(&wanted)?;
    printer.talk(format_args!("worker {} may play again", args.worker));
    Ok(Exit::Done)
}
