//! `arbiter check`: is this engine sound UCI?

use std::time::Duration;

use match_core::examination::{Grade, PATIENCE_DEFAULT, Verdict};
use match_core::spec::raw::{RawEngine, RawSandbox};
use match_core::spec::{EngineSpec, SpecError};
use match_runner::Examined;
use serde::Serialize;

use crate::command::contest::{host, listen};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Examine an engine: does it speak UCI as it should?
///
/// The engine is greeted, its options are set to their bounds and back (texts and buttons are left
/// alone), and it is made to search in each way that `go` knows, in positions at which engines have
/// broken. Each line of standard output says what passes, what is odd (`warn`) and what is to be mended
/// (`FAIL`), with what the engine said. The exit code is 1 when something is to be mended.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// The engine, as `arbiter match --engine` takes it: `./stockfish`, `sparring:5` or words
    ///
    /// Words: cmd=./new args='--x y' dir=/path env.KEY=value option.EvalFile=/net sandbox=on. Options
    /// that are given are set and stay as they are.
    #[arg(value_name = "ENGINE", required = true)]
    engine: Vec<String>,

    /// How long to wait for what is no timed search, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = PATIENCE_DEFAULT.as_secs_f64())]
    patience: f64,

    /// Start the engine in a sandbox, as in `arbiter match`
    #[arg(long, value_name = "WORDS", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    sandbox: Option<String>,

    /// Write the result as one JSON object
    ///
    /// `engine` is the name that the engine gives itself; `items` a list of `item`, `verdict` (`pass`,
    /// `warn` or `fail`) and `text`; `passed`, `warned` and `failed` count them.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  arbiter check ./stockfish
  arbiter check 'cmd=java args=\"-jar engine.jar\" dir=/opt/engine' --patience 20
  arbiter check sparring --json | jq '.items[] | select(.verdict != \"pass\")'";

/// The result as JSON. The names are part of the interface.
#[derive(Serialize)]
struct Sheet<'a> {
    engine: &'a str,
    items: &'a [Grade],
    passed: usize,
    warned: usize,
    failed: usize,
}

pub(crate) fn run(args: &CheckArgs, printer: &Printer) -> Result<Exit, Failure> {
    let engine = engine(args)?;
    let interrupts = listen()?;
    let patience = Duration::from_secs_f64(args.patience);
    let hear = |grade: &Grade| {
        if !args.json {
            printer.data(line(grade));
        }
    };
    let examined =
        match_runner::examine(&engine, patience, &host(), &interrupts, hear).map_err(unstarted)?;
    let count = |verdict| {
        let of = |grade: &&Grade| grade.verdict == verdict;
        examined.grades.iter().filter(of).count()
    };
    let [passed, warned, failed] = [Verdict::Pass, Verdict::Warn, Verdict::Fail].map(count);
    let Examined { name, grades, .. } = &examined;
    if args.json {
        let sheet = Sheet {
            engine: name,
            items: grades,
            passed,
            warned,
            failed,
        };
        let json = serde_json::to_string(&sheet).expect("texts and numbers are JSON");
        printer.data(json);
    } else {
        if 0 < failed && !examined.last_words.is_empty() {
            printer.talk("its last words on standard error:");
            examined
                .last_words
                .lines()
                .for_each(|line| printer.talk(format_args!("  {line}")));
        }
        printer.data(format_args!("{passed} pass, {warned} warn, {failed} fail"));
    }
    Ok(if failed == 0 {
        Exit::Done
    } else {
        Exit::CheckFailed
    })
}

/// The engine, with a limit that nobody asks for.
fn engine(args: &CheckArgs) -> Result<EngineSpec, SpecError> {
    const LABEL: &str = "ENGINE";
    let mut raw = RawEngine::from_words(LABEL, &args.engine.join(" "))?;
    if let Some(words) = &args.sandbox {
        raw.sandbox = Some(RawSandbox::from_words("--sandbox", words)?);
    }
    raw.resolve_alone(LABEL)
}

/// A program that cannot be started is the person's mistake here, whoever's it is in a contest.
fn unstarted(error: match_runner::PrepareError) -> Failure {
    let failure = Failure::from(error);
    match failure.exit() {
        Exit::EngineUnusable => failure.with_exit(Exit::Usage),
        _ => failure,
    }
}

fn line(grade: &Grade) -> String {
    let verdict = match grade.verdict {
        Verdict::Pass => "pass",
        Verdict::Warn => "warn",
        Verdict::Fail => "FAIL",
    };
    format!("{verdict}  {:<24} {}", grade.item, grade.text)
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    /// Nobody waits for an hour.
    const MAX: f64 = 3600.0;
    match text.parse() {
        Ok(seconds) if 0.0 < seconds && seconds <= MAX => Ok(seconds),
        _ => Err("a number of seconds above 0 is allowed, at most 3600"),
    }
}
