//! `arbiter doctor`: is this machine fit to measure?

use std::num::NonZeroUsize;

use match_runner::doctor::{self, Depth, Diagnosis};

use crate::cli::count;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Examine this machine: is it fit to measure engines, and how many games at a time are honest?
///
/// Looks at cores, limits, frequency, load, clock, memory and files, and measures for two seconds how
/// late threads wake up and for how long a busy one is held up, on every CPU that may be used. Run it
/// when nothing else runs that will not run during the test.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct DoctorArgs {
    /// How many threads an engine will use (its option `Threads`)
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroUsize>)]
    threads: NonZeroUsize,

    /// Measure for a fifth of a second only; rare delays are not seen
    #[arg(long)]
    quick: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
Marks:
  ok    as it should be
  warn  noise: both engines suffer alike, and more games are needed
  bad   it would falsify a test, and the exit code is 1

Examples:
  arbiter doctor
  arbiter doctor --threads 4
  arbiter doctor --quick --json";

pub(crate) fn run(args: &DoctorArgs, printer: &Printer) -> Result<Exit, Failure> {
    let depth = if args.quick {
        Depth::Quick
    } else {
        Depth::Whole
    };
    let facts = doctor::gather(depth);
    let diagnosis = doctor::judge(&facts, args.threads);
    if args.json {
        let json = serde_json::to_string(&diagnosis).expect("texts and numbers are JSON");
        printer.data(json);
    } else {
        tell(&diagnosis, args.threads, printer);
    }
    Ok(if diagnosis.fit {
        Exit::Done
    } else {
        Exit::CheckFailed
    })
}

fn tell(diagnosis: &Diagnosis, threads: NonZeroUsize, printer: &Printer) {
    for finding in &diagnosis.findings {
        printer.data(format_args!(
            "{:<5} {:<10} {}",
            finding.mark.name(),
            finding.topic,
            finding.text
        ));
        if let Some(advice) = &finding.advice {
            printer.data(format_args!("{:16} -> {advice}", ""));
        }
    }
    let threads = match threads.get() {
        1 => "of one thread".to_owned(),
        threads => format!("of {threads} threads"),
    };
    let games = match diagnosis.concurrency.get() {
        1 => "one game".to_owned(),
        games => format!("{games} games"),
    };
    let unless = if diagnosis.fit {
        ""
    } else {
        ", once what is bad is mended"
    };
    printer.data(format_args!(
        "\nHonest here: {games} at a time, with engines {threads} (`--concurrency {}`){unless}.",
        diagnosis.concurrency
    ));
}
