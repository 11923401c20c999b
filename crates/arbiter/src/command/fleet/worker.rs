//! `arbiter worker`: plays for a coordinator.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use fleet_client::Trouble;
use match_core::cpu_list::CpuList;
use match_core::spec::raw::{RawSandbox, RawSandboxSettings};
use match_core::spec::{PlacementSpec, SpecError};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use worker::{Config, Level, Talk, Worker, WorkerError};

use super::Connection;
use crate::cli::{self, count};
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
///
/// Tests run programs of those who submit them, and the commands of their recipes. Without `--sandbox`
/// they do so with all your rights: lend a machine without it only to people whom you would let use your
/// account.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// How many CPUs to lend, of those that there are [default: all physical cores]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>)]
    slots: Option<NonZeroUsize>,

    /// The CPUs that engines and builds may use, as `0-3,8` [default: all that this process may use]
    #[arg(long, value_name = "LIST")]
    cpus: Option<CpuList>,

    /// Let the system move engines from CPU to CPU
    #[arg(long)]
    no_pin: bool,

    /// Play and build in a sandbox, whatever tests say
    ///
    /// Engines then have no network, nothing of your files but their own program and networks, and none
    /// of your environment; recipes write to their checkout and to nothing else, and read the system's
    /// programs, what is in `PATH`, and Rust's compilers. They have no network either: git fetches
    /// before, and what else a recipe needs must be in the repository (`cargo vendor`). What is refused
    /// is told to the coordinator. Words: read=PATHS (with `:` between them), for programs, books and
    /// repositories of this machine that tests may use; write=PATHS; memory= (of a process; bare numbers
    /// are MiB), files= and processes= of an engine. A test can ask for less and never for more.
    #[arg(long, value_name = "WORDS", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    sandbox: Option<String>,

    /// Folders of Syzygy tablebases (with `:` between them), for tests whose referee wants them
    #[arg(long, value_name = "DIRS", value_delimiter = ':')]
    syzygy: Vec<PathBuf>,

    /// The folder for results, fetched files and built engines; each worker has its own
    #[arg(long, value_name = "DIR", default_value = "arbiter-worker")]
    data: PathBuf,

    /// What people call this machine [default: its host name]
    #[arg(long, value_name = "NAME", value_parser = cli::name)]
    name: Option<String>,

    /// How much of the disk to use for what is fetched and built, in MiB; a build that takes more is ended
    #[arg(long, value_name = "MIB", default_value = "4096", value_parser = count::<u32>)]
    cache: u32,

    /// End after one lease, or when there is none
    #[arg(long)]
    once: bool,

    /// End with this process, which has started us
    #[arg(long, value_name = "PID", hide = true)]
    parent: Option<i32>,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter worker --server http://192.168.1.5:7164 --token-file token
  arbiter worker --slots 2 --data /var/lib/arbiter --name attic
  arbiter worker --sandbox --cpus 2-7                 for tests of people you do not know
  arbiter worker --sandbox='read=/srv/nets memory=4GiB'";

pub(crate) fn run(args: &WorkerArgs, printer: &Printer) -> Result<Exit, Failure> {
    if let Some(parent) = args.parent {
        end_with(parent)?;
    }
    let said = printer.clone();
    let config = Config {
        client: args.connection.client()?,
        data: args.data.clone(),
        name: args.name.clone(),
        slots: args.slots,
        placement: PlacementSpec {
            cpus: args.cpus.clone(),
            pin: !args.no_pin,
        },
        syzygy: args.syzygy.clone(),
        sandbox: sandbox(args.sandbox.as_deref())?,
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

/// Has the kernel tell us to end when the process `parent` does, which has started us.
fn end_with(parent: i32) -> Result<(), Failure> {
    let failed = |error| Failure::new(Exit::Stopped, io::Error::from(error));
    set_parent_process_death_signal(Some(Signal::TERM)).map_err(failed)?;
    // It may have ended before it was asked for.
    match getppid() == Pid::from_raw(parent) {
        true => Ok(()),
        false => Err(Failure::new(
            Exit::Stopped,
            "whoever has started this worker is gone",
        )),
    }
}

/// What the words of `--sandbox` mean.
pub(crate) fn sandbox(words: Option<&str>) -> Result<Option<RawSandboxSettings>, SpecError> {
    let Some(words) = words else {
        return Ok(None);
    };
    let RawSandbox { on, settings } = RawSandbox::from_words("--sandbox", words)?;
    Ok(on.then_some(settings))
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
            error @ (WorkerError::Home { .. }
            | WorkerError::Busy { .. }
            | WorkerError::Cpus(_)
            | WorkerError::Tablebases(_)
            | WorkerError::Sandbox(_)
            | WorkerError::Path { .. }) => Self::usage(error),
            error @ WorkerError::Machine { .. } => Self::new(Exit::Stopped, error),
        }
    }
}
