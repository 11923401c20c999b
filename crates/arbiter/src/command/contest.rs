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
use match_runner::journal::{Journal, JournalFault, Place, resume_command};
use match_runner::{ErrorKind, Finished, Host, Interrupts, PrepareError, Program, reporter};
use thiserror::Error;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::reporter::Terminal;

mod flags;
mod resume;

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
    if let Some(journal) = args.resume() {
        return resume::run(args, journal, printer);
    }
    let (spec, notices) = resolve(args)?;
    let spec = Arc::new(spec);
    let journal = spec.output.journal.as_deref();
    let place = journal.map(Journal::look).transpose()?;
    let interrupts = listen()?;
    let prepared = match_runner::prepare(Arc::clone(&spec), &host(), &interrupts)?;
    reporter::probe(&spec.output).map_err(Failure::usage)?;
    let begun = match journal {
        Some(path) => Some(Journal::begin(path, &prepared.head()?)?),
        None => None,
    };
    let mut reporters = reporter::open(&spec.output, begun).map_err(Failure::usage)?;
    if args.progress().is_some() {
        notices.iter().for_each(|notice| printer.note(notice));
    }
    if let (Some(Place::Finished), Some(path)) = (place, journal) {
        let path = path.display();
        printer.note(format_args!(
            "`{path}` was the journal of a finished contest: that of this one takes its place"
        ));
    }
    reporters.push(Box::new(Terminal::new(args.progress(), printer)));
    end(prepared.run(reporters), journal, printer)
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
        ..Host::default()
    }
}

/// Defaults, then the file, then the environment, then the flags.
fn resolve(args: &MatchArgs) -> Result<(Spec, Vec<Notice>), Failure> {
    let environment = RawSpec::from_env(|name| std::env::var(name).ok())?;
    let raw = (from_file(args)?)
        .overlaid_with(environment)
        .overlaid_with(args.to_raw()?);
    Ok(raw.resolve()?)
}

fn from_file(args: &MatchArgs) -> Result<RawSpec, Failure> {
    match &args.config {
        Some(path) => read_config(path),
        None => Ok(RawSpec::default()),
    }
}

fn read_config(path: &Path) -> Result<RawSpec, Failure> {
    let text = fs::read_to_string(path).map_err(|source| {
        let path = path.to_path_buf();
        Failure::usage(ContestError::Config { path, source })
    })?;
    Ok(RawSpec::from_toml(path, &text)?)
}

/// The exit code that tells how the contest ended; what was not finished can be gone on with from its
/// `journal`.
fn end(finished: Finished, journal: Option<&Path>, printer: &Printer) -> Result<Exit, Failure> {
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
    if let Some(journal) = journal {
        let program = std::env::args()
            .next()
            .unwrap_or_else(|| "arbiter".to_owned());
        printer.note(format_args!(
            "`{}` goes on with this contest",
            resume_command(&program, journal)
        ));
    }
    Err(Failure::new(exit, error))
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        let hint = error.hint();
        Self::usage(error).with_hint(hint)
    }
}

impl From<JournalFault> for Failure {
    fn from(fault: JournalFault) -> Self {
        let hint = fault.hint();
        Self::usage(fault).with_hint(hint)
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
