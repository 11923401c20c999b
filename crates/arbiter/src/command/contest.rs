//! `arbiter match`: from what was typed to a finished contest.
//!
//! Everything that can be wrong is found before anything is written: flags, file and environment
//! are overlaid and resolved, then programs, book and tablebases are looked up and every engine is
//! started once, and only then are output files opened.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use match_core::event::StopReason;
use match_core::spec::raw::RawSpec;
use match_core::spec::{Notice, Spec, SpecError};
use match_runner::{ErrorKind, Finished, Host, Interrupts, PrepareError, Program};
use thiserror::Error;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::reporter::Terminal;

mod flags;

pub(crate) use flags::{MatchArgs, Progress};

/// Our own binary, for starting engines and the built-in engine. Unlike the path of the binary it
/// still leads to the same program when that was rebuilt in the meantime.
const OURSELVES: &str = "/proc/self/exe";

/// Why a contest was not played, or not to its end.
#[derive(Debug, Error)]
enum ContestError {
    #[error("failed to read the contest `{}`", path.display())]
    Config { path: PathBuf, source: io::Error },
    #[error("failed to listen for Ctrl-C")]
    Signals { source: io::Error },
    #[error("{0}")]
    Unusable(String),
    #[error("stopped after {games} games: {why}")]
    Faulty { games: u64, why: String },
    #[error("after {games} games: {why}")]
    Unreported { games: u64, why: String },
    #[error("stopped after {games} games: {why}")]
    Spoilt { games: u64, why: String },
    #[error("interrupted after {games} games")]
    Interrupted { games: u64 },
}

pub(crate) fn run(args: &MatchArgs, printer: &Printer) -> Result<Exit, Failure> {
    let (spec, notices) = resolve(args)?;
    let spec = Arc::new(spec);
    let interrupts = listen()?;
    let prepared = match_runner::prepare(Arc::clone(&spec), &host(), &interrupts)?;
    let mut reporters = match_runner::reporter::open(&spec.output).map_err(Failure::usage)?;
    if args.progress().is_some() {
        notices.iter().for_each(|notice| printer.note(notice));
    }
    reporters.push(Box::new(Terminal::new(args.progress(), printer)));
    end(prepared.run(reporters), printer)
}

/// Where Ctrl-C and SIGTERM arrive from now on.
pub(crate) fn listen() -> Result<Interrupts, Failure> {
    let interrupts = Interrupts::new();
    interrupts
        .catch_signals()
        .map_err(|source| Failure::new(Exit::Stopped, ContestError::Signals { source }))?;
    Ok(interrupts)
}

/// This program, as one that starts engines and is one.
pub(crate) fn host() -> Host {
    Host {
        binary: Some(OURSELVES.into()),
        sparring: Some(Program {
            path: OURSELVES.into(),
            args: vec!["sparring".into()],
        }),
    }
}

/// Defaults, then the file, then the environment, then the flags.
fn resolve(args: &MatchArgs) -> Result<(Spec, Vec<Notice>), Failure> {
    let file = match &args.config {
        Some(path) => read_config(path)?,
        None => RawSpec::default(),
    };
    let environment = RawSpec::from_env(|name| std::env::var(name).ok())?;
    let raw = file
        .overlaid_with(environment)
        .overlaid_with(args.to_raw()?);
    Ok(raw.resolve()?)
}

fn read_config(path: &Path) -> Result<RawSpec, Failure> {
    let text = fs::read_to_string(path).map_err(|source| {
        let path = path.to_path_buf();
        Failure::usage(ContestError::Config { path, source })
    })?;
    Ok(RawSpec::from_toml(path, &text)?)
}

/// The exit code that tells how the contest ended.
fn end(finished: Finished, printer: &Printer) -> Result<Exit, Failure> {
    let Finished {
        summary,
        stopped,
        failures,
        left_behind,
        ..
    } = finished;
    left_behind.iter().for_each(|line| printer.warning(line));
    let games = summary.games;
    let (exit, error) = match stopped {
        None | Some(StopReason::Decided) => match failures.first() {
            None => return Ok(Exit::Done),
            Some(why) => {
                let why = why.clone();
                (Exit::Stopped, ContestError::Unreported { games, why })
            }
        },
        Some(StopReason::ReporterFailed(why)) => {
            (Exit::Stopped, ContestError::Unreported { games, why })
        }
        Some(StopReason::TooManyFaults(why)) => {
            (Exit::EngineUnusable, ContestError::Faulty { games, why })
        }
        Some(StopReason::HostUnfit(why)) => (Exit::Stopped, ContestError::Spoilt { games, why }),
        Some(StopReason::EngineUnusable(why)) => {
            (Exit::EngineUnusable, ContestError::Unusable(why))
        }
        Some(StopReason::Interrupted | StopReason::Killed) => {
            (Exit::Interrupted, ContestError::Interrupted { games })
        }
    };
    let told = error.to_string();
    for failure in failures.iter().filter(|failure| !told.contains(*failure)) {
        printer.warning(failure);
    }
    Err(Failure::new(exit, error))
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        let hint = error.hint();
        Self::usage(error).with_hint(hint)
    }
}

impl From<PrepareError> for Failure {
    fn from(error: PrepareError) -> Self {
        let hint = error.hint();
        let exit = match error.kind() {
            ErrorKind::Input => Exit::Usage,
            ErrorKind::Engine => Exit::EngineUnusable,
            ErrorKind::Interrupted => Exit::Interrupted,
            ErrorKind::Host => Exit::Stopped,
        };
        Self::new(exit, error).with_hint(hint)
    }
}
