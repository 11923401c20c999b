//! `arbiter match --resume`: from a journal to the rest of its contest.
//!
//! Nothing is touched before everything is known to fit: the journal is whole but for its end, the
//! settings are those of the contest, book and engines are what they were.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use match_core::event::StopReason;
use match_core::journal::{EngineIdentity, Head, Read};
use match_core::spec::Spec;
use match_core::spec::raw::{Difference, RawEngine, RawSpec, Written};
use match_runner::journal::Opened;
use match_runner::reporter::SummaryFile;
use thiserror::Error;

use super::{MatchArgs, end, from_file, host, listen};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::reporter::{Terminal, report_of};

/// Why a contest is not gone on with.
#[derive(Debug, Error)]
enum ResumeError {
    #[error("failed to find the journal `{}`", path.display())]
    Path { path: PathBuf, source: io::Error },
    #[error("the settings are not those of the contest in `{}`: {differences}", path.display())]
    Settings { path: PathBuf, differences: String },
    #[error("`--journal {}` is not the journal that is to be resumed, `{}`", other.display(), path.display())]
    OtherJournal { path: PathBuf, other: PathBuf },
    #[error("the book is not the one with which the contest began: {before} and now {after}")]
    Book { before: String, after: String },
    #[error(
        "engine `{name}` is not the program with which the contest began: {before} and now {after}"
    )]
    Engine {
        name: String,
        before: String,
        after: String,
    },
}

pub(super) fn run(args: &MatchArgs, journal: &Path, printer: &Printer) -> Result<Exit, Failure> {
    let given = from_file(args)?.overlaid_with(args.to_raw()?);
    let interrupts = listen()?;
    let path = std::path::absolute(journal).map_err(|source| {
        let path = journal.to_path_buf();
        Failure::usage(ResumeError::Path { path, source })
    })?;
    // A fault names the file as it was typed.
    let opened = Opened::open(journal)?;
    if let Some(other) = args.other_journal(journal) {
        let (path, other) = (journal.to_path_buf(), other.to_path_buf());
        return Err(Failure::usage(ResumeError::OtherJournal { path, other }));
    }
    let head = opened.read().head.clone();
    let spec = Arc::new(settings(&head, given, journal)?);
    go_to(&head.folder, printer);
    let opened = opened.at(path);
    if opened.read().past.is_over {
        return say_so(opened, &spec, journal, printer);
    }
    let past = opened.read().past.clone();
    let mut prepared = match_runner::prepare_after(past, Arc::clone(&spec), &host(), &interrupts)?;
    compare(&head, &prepared.head()?)?;
    let (kept, notices) = opened
        .mend()
        .map_err(|error| Failure::new(Exit::Stopped, error))?;
    prepared.notice(notices);
    let mut reporters =
        match_runner::reporter::reopen(&spec.output, kept).map_err(Failure::usage)?;
    reporters.push(Box::new(Terminal::new(args.progress(), printer)));
    end(prepared.run(reporters), Some(journal), printer)
}

/// The settings of the journal, with what may be changed as it is `given` now.
fn settings(head: &Head, mut given: RawSpec, journal: &Path) -> Result<Spec, Failure> {
    let before = Written::new(&head.spec);
    let text = serde_json::to_string(&before).expect("text keys and texts are JSON");
    let mut kept = RawSpec::from_json(&text)?;
    if given.engine.is_empty() {
        // What is said for each engine is said for each of the journal.
        let each = std::mem::take(&mut given.each);
        for engine in &mut kept.engine {
            let old: RawEngine = std::mem::take(engine);
            *engine = old.overlaid_with(each.clone());
        }
    }
    let (spec, _) = kept.overlaid_with(given).resolve()?;
    let differences: Vec<String> = (before.differences(&Written::new(&spec)).iter())
        .filter(|difference| !difference.is_free())
        .map(Difference::to_string)
        .collect();
    if differences.is_empty() {
        return Ok(spec);
    }
    let error = ResumeError::Settings {
        path: journal.into(),
        differences: differences.join("; "),
    };
    let hint = "without any flag the contest goes on as it was begun".to_owned();
    Err(Failure::usage(error).with_hint(Some(hint)))
}

/// Relative paths lead from where the contest was begun.
fn go_to(folder: &str, printer: &Printer) {
    if let Err(error) = env::set_current_dir(folder) {
        printer.warning(format_args!(
            "the contest was begun in `{folder}`, which is not to be had ({error}): paths lead from here"
        ));
    }
}

/// Book and engines must be what they were.
fn compare(before: &Head, after: &Head) -> Result<(), Failure> {
    let hint = || {
        let text = "games between different engines or from different openings cannot be added up: \
                    put back what was there, or begin another contest";
        Some(text.to_owned())
    };
    if before.book != after.book {
        let shown = |head: &Head| {
            let book = &head.book;
            format!(
                "{} openings with SHA-256 {}",
                book.openings,
                short(&book.sha256)
            )
        };
        let error = ResumeError::Book {
            before: shown(before),
            after: shown(after),
        };
        return Err(Failure::usage(error).with_hint(hint()));
    }
    let engines = before.engines.iter().zip(&after.engines);
    for ((before, after), engine) in engines.zip(&after.spec.engines) {
        let same = match (&before.sha256, &after.sha256) {
            (Some(before), Some(after)) => before == after,
            _ => before == after,
        };
        if !same {
            let error = ResumeError::Engine {
                name: engine.name.clone(),
                before: program(before),
                after: program(after),
            };
            return Err(Failure::usage(error).with_hint(hint()));
        }
    }
    Ok(())
}

fn program(identity: &EngineIdentity) -> String {
    let EngineIdentity { program, sha256 } = identity;
    match sha256 {
        Some(sha256) => format!("`{program}` with SHA-256 {}", short(sha256)),
        None => format!("`{program}`"),
    }
}

/// Enough of a digest to tell two apart.
fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

/// Nothing is left to be played; the files are made to say what the journal says all the same.
fn say_so(opened: Opened, spec: &Spec, journal: &Path, printer: &Printer) -> Result<Exit, Failure> {
    let Read { past, .. } = opened.read();
    let summary = past.summary(spec);
    let stopped = |error| Failure::new(Exit::Stopped, error);
    let (_, notices) = opened.mend().map_err(stopped)?;
    notices.iter().for_each(|notice| printer.warning(notice));
    if let Some(path) = &spec.output.summary {
        let saved = SummaryFile::open(path).and_then(|file| file.save(&summary));
        saved.map_err(stopped)?;
    }
    printer.note(format_args!(
        "the contest of `{}` is finished: nothing is left to be played",
        journal.display()
    ));
    let decided = summary
        .sprt
        .as_ref()
        .filter(|test| test.state() != "running");
    let why = decided.map(|_| StopReason::Decided);
    printer.data(report_of(spec, &summary, why.as_ref()));
    Ok(Exit::Done)
}
