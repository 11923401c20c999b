//! `arbiter stop`, `pause`, `resume` and `approve`.

use fleet_api::Action;

use super::Connection;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// What is done to a test.
#[derive(Debug, clap::Args)]
pub(crate) struct ActArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Why, for those who come later
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn run(action: Action, args: &ActArgs, printer: &Printer) -> Result<Exit, Failure> {
    let client = args.connection.client()?;
    client.act(&args.id, action, args.reason.clone())?;
    let done = match action {
        Action::Approve => "approved",
        Action::Pause => "paused",
        Action::Resume => "resumed",
        Action::Stop => "stopped",
    };
    printer.talk(format_args!("test {} is {done}", args.id));
    Ok(Exit::Done)
}
