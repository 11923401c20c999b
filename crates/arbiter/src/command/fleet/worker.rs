//! `arbiter worker`: plays for a coordinator.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use fleet_client::Trouble;
use worker::{Config, Level, Talk, Worker, WorkerError};

use super::Connection;
use crate::cli::count;
use crate::command::contest;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Play for a coordinator, test after test
///
/// What is played is kept on the disk until the coordinator has acknowledged it, so neither a dead
/// network nor a killed process loses a game. SIGTERM or Ctrl-C lets the worker report what is played,
/// give the rest back and end within half a minute; the second one ends it at once.
///
/// `played.jsonl` in its folder has every pair that was played, with its test, lease, moves and times, a line
/// each; with 64 MiB it becomes `played.1.jsonl`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// How many CPUs to lend [default: all physical cores]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    slots: Option<NonZeroUsize>,

    /// The folder for results, fetched files and built engines; each worker has its own
    #[arg(long, value_name = "DIR", default_value = "arbiter-worker")]
    data: PathBuf,

    /// What people call this machine [default: its host name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// How much of the disk to use for what is fetched and built, in MiB
    #[arg(long, value_name = "MIB", default_value = "4096", value_parser = count::<u32>)]
    cache: u32,

    /// End after one lease, or when there is none
    #[arg(long)]
    once: bool,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter worker --server http://192.168.1.5:8080 --token-file token
  arbiter worker --slots 2 --data /var/lib/arbiter --name attic";

pub(crate) fn run(args: &WorkerArgs, printer: &Printer) -> Result<Exit, Failure> {
    let said = printer.clone();
    let config = Config {
        client: args.connection.client()?,
        data: args.data.clone(),
        name: args.name.clone(),
        slots: args.slots,
        once: args.once,
        cache_bytes: u64::from(args.cache) << 20,
        host: contest::host(),
        talk: Talk::new(move |level, line| match level {
            Level::Note => said.talk(line),
            Level::Warning => said.warning(line),
        }),
    };
    let worker = Worker::new(config)?;
    let signals = worker.handle().catch_signals();
    signals.map_err(|source| {
        let what = "listen for Ctrl-C";
        WorkerError::Machine { what, source }
    })?;
    worker.run()?;
    Ok(Exit::Done)
}

impl From<WorkerError> for Failure {
    fn from(error: WorkerError) -> Self {
        match error {
            WorkerError::Unwanted(error) => {
                let hint = match error.trouble() {
                    Trouble::Forbidden => Some("a token with the scope `worker` is needed".into()),
                    Trouble::Away | Trouble::Gone | Trouble::Refused => error.hint(),
                };
                Self::usage(error).with_hint(hint)
            }
            error @ (WorkerError::Home { .. } | WorkerError::Busy { .. }) => Self::usage(error),
            error @ WorkerError::Machine { .. } => Self::new(Exit::Stopped, error),
        }
    }
}
