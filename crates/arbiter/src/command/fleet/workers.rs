//! `arbiter workers`: who is there.

use fleet_api::{WhichWorkers, WorkerLine};

use super::Connection;
use super::picture;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::table;

/// List the workers of a coordinator, those heard of last first
///
/// A worker that lives is noted every few minutes at least. `spool` are pairs that it has played and
/// the coordinator has not acknowledged. With `--json` there are also the worker's own name for
/// itself, whose token it has, and what is lent to it. How the workers of a test compare is in
/// `arbiter show`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkersArgs {
    /// So many at most, 1 to 1000
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,

    /// Those that follow this one in the list, by its `id` in `--json`: the next page
    #[arg(long, value_name = "ID")]
    after: Option<String>,

    /// Print them as a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter workers
  arbiter workers --json | jq '[.[] | select(.plays)] | length'";

pub(crate) fn run(args: &WorkersArgs, printer: &Printer) -> Result<Exit, Failure> {
    let which = WhichWorkers {
        limit: Some(args.limit),
        after: args.after.clone(),
    };
    let workers = args.connection.client()?.workers(&which)?;
    if args.json {
        printer.data(picture::json(&workers));
    } else if workers.is_empty() {
        printer.talk("no workers; `arbiter worker` is one");
    } else {
        let head = [
            "worker", "heard of", "version", "platform", "cores", "MiB", "spool", "plays",
        ];
        let lines = table::headed(head, workers.iter().map(row));
        lines.into_iter().for_each(|line| printer.data(line));
    }
    Ok(Exit::Done)
}

fn row(worker: &WorkerLine) -> Vec<String> {
    vec![
        picture::safe(&worker.name),
        picture::instant(worker.seen_ms),
        picture::safe(&worker.version),
        picture::safe(&worker.platform),
        worker.cores.to_string(),
        worker.memory_mib.to_string(),
        worker.spool.to_string(),
        match (&worker.barred, &worker.plays) {
            (Some(bar), _) => {
                picture::safe(&format!("nothing: barred by {}: {}", bar.who, bar.why))
            }
            (None, Some(plays)) => picture::safe(&plays.test_name),
            (None, None) => "-".to_owned(),
        },
    ]
}
