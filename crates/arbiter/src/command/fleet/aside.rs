//! `arbiter set-aside` and `arbiter bring-back`: the results of a worker.

use fleet_api::{BringBack, SetAside};

use super::Connection;
use super::picture::safe;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Set the results of a worker aside: they do not count any more
///
/// They stay stored, and can be brought back. When the test is over its decision stays as it is, and
/// what is shown is shown with and without them. While it runs the pairs are played again by others,
/// the worker gets no more of the test, and the sequential test waits for them; then only a worker
/// that stood out by decisiveness, time losses or crashes can be set aside, and never one whose mean
/// alone is out of the ordinary: that would be choosing results. `arbiter show` says who stands out.
/// It is for the test's owner and for administrators, and who did it and why is on record.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SetAsideArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Whose results, as `show` names the worker
    #[arg(long, value_name = "WORKER")]
    worker: String,

    /// Why, for those who come later
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter set-aside ID --worker attic --reason 'its cooler failed on Monday'
  arbiter bring-back ID --worker attic";

/// Bring back what was set aside of a worker: it counts again
///
/// Pairs that others have played again in the meantime stay aside, until theirs are set aside too and
/// this is said again. The worker gets pairs of the test again, also one that the coordinator had
/// barred by its rules.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BringBackArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Whose results, as `show` names the worker
    #[arg(long, value_name = "WORKER")]
    worker: String,

    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn set_aside(args: &SetAsideArgs, printer: &Printer) -> Result<Exit, Failure> {
    let request = SetAside {
        worker: args.worker.clone(),
        reason: args.reason.clone(),
    };
    let moved = args.connection.client()?.set_aside(&args.id, &request)?;
    let (pairs, worker) = (moved.pairs, safe(&args.worker));
    printer.talk(format_args!("{pairs} pairs of {worker} are set aside"));
    Ok(Exit::Done)
}

pub(crate) fn bring_back(args: &BringBackArgs, printer: &Printer) -> Result<Exit, Failure> {
    let request = BringBack {
        worker: args.worker.clone(),
    };
    let moved = args.connection.client()?.bring_back(&args.id, &request)?;
    let (pairs, worker) = (moved.pairs, safe(&args.worker));
    printer.talk(format_args!("{pairs} pairs of {worker} count again"));
    if moved.left > 0 {
        let left = moved.left;
        printer.talk(format_args!(
            "{left} stay aside: others have played them again"
        ));
    }
    Ok(Exit::Done)
}
