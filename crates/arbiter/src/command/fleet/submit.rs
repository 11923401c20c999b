//! `arbiter submit`: gives a test to the fleet, with all that workers need for it.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use fleet_api::{State, SubmitTest, Submitted};
use fleet_client::{CallError, Client, Trouble};
use fleet_core::test_spec::{TestError, TestSpec};
use match_core::spec::raw::RawSpec;
use thiserror::Error;
use toml_edit::DocumentMut;

use super::Connection;
use super::picture;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

mod artifacts;
mod platforms;
mod revisions;

/// How often a call is made that the coordinator cannot answer at present.
const ATTEMPTS: u32 = 6;

/// Before the second attempt; doubles after each.
const PAUSE: Duration = Duration::from_millis(500);

/// Give a test to the fleet
///
/// The file is a contest as `arbiter match` plays it, with a section `[fleet]` if there is more to say
/// (name, priority, weight, tags, note, trust). Programs, networks and the book that it names are
/// uploaded unless the coordinator has them already; what `trust` names every worker is to have at that
/// path, and the coordinator too if it is the book (`arbiter serve --books`); the built-in engine and book are everywhere. An engine may be built by the workers instead:
///
/// git = { url = "https://...", rev = "main", build = "make -j EXE={out}", toolchain = "make g++", bench
/// = 1234567 }
///
/// Its `rev` is pinned to the commit that it means now. Prints what the test is called.
///
/// Where an uploaded program runs its first bytes say; `platform = "x86_64-linux"` (or `any`) of the engine
/// says otherwise, and only workers of that platform play. With `syzygy = { pieces = 6 }` under
/// `[adjudication]` they are those that have tablebases for six men (`arbiter worker --syzygy`); `paths`
/// is left to each of them.
///
/// With `reference-nps = 1000000` in `[fleet]` times are meant for a machine on which the last engine (or
/// `base = NAME`) searches so many nodes a second. Each worker measures it, and plays by times that are
/// multiplied by reference over measured, between a quarter and four.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SubmitArgs {
    /// The test as TOML
    #[arg(value_name = "SPEC.toml")]
    spec: PathBuf,

    /// Print `{"id": ...}` and nothing else
    #[arg(long)]
    json: bool,

    /// Submitted again with the same key it is the same test [default: each time another one]
    #[arg(long, value_name = "TEXT")]
    key: Option<String>,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter submit test.toml --server http://127.0.0.1:7164 --token-file token
  arbiter watch $(arbiter submit test.toml --json | jq -r .id)";

/// Why nothing was submitted.
#[derive(Debug, Error)]
pub(super) enum SubmitError {
    #[error("failed to read the test `{}`", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{what}: failed to read `{}`", path.display())]
    File {
        what: String,
        path: PathBuf,
        source: io::Error,
    },
    #[error(
        "{what} is `{}`, which is not here: name a file, or one that workers have, under `trust` in `[fleet]`",
        path.display()
    )]
    Network { what: String, path: PathBuf },
    #[error("engine `{engine}`: `dir` is `{}`, a folder of this machine that workers do not have", dir.display())]
    Dir { engine: String, dir: PathBuf },
    #[error("engine `{engine}`")]
    Program {
        engine: String,
        source: match_runner::ProgramError,
    },
    #[error("engine `{engine}`: failed to ask `{url}` for `{rev}`: {why}")]
    Remote {
        engine: String,
        url: String,
        rev: String,
        why: String,
    },
    #[error(
        "engine `{engine}`: `{url}` has no branch or tag `{rev}`, and that is no full commit hash"
    )]
    NoRevision {
        engine: String,
        url: String,
        rev: String,
    },
    #[error("`{}`: {message}", path.display())]
    Toml { path: PathBuf, message: String },
    #[error(transparent)]
    Test(#[from] TestError),
}

pub(crate) fn run(args: &SubmitArgs, printer: &Printer) -> Result<Exit, Failure> {
    let client = args.connection.client()?;
    let path = &args.spec;
    let text = fs::read_to_string(path).map_err(|source| {
        Failure::usage(SubmitError::Read {
            path: path.clone(),
            source,
        })
    })?;
    let raw = RawSpec::from_toml(path, &text)?;
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        Failure::usage(SubmitError::Toml {
            path: path.clone(),
            message: error.message().to_owned(),
        })
    })?;
    revisions::pin(&raw, &mut document).map_err(Failure::usage)?;
    let artifacts = artifacts::of(&raw).map_err(Failure::usage)?;
    artifacts::note(&artifacts, &mut document);
    platforms::note(&raw, &artifacts, &mut document);
    let spec = document.to_string();
    // What is wrong is told before anything is sent.
    TestSpec::parse(&spec).map_err(|error| Failure::usage(SubmitError::from(error)))?;
    for artifact in &artifacts {
        upload(&client, artifact, args.json, printer)?;
    }
    let test = SubmitTest {
        spec,
        idempotency_key: Some(match &args.key {
            Some(key) => key.clone(),
            None => random_key()?,
        }),
    };
    let submitted = patiently(printer, || client.submit(&test))?;
    tell(&submitted, args.json, printer);
    Ok(Exit::Done)
}

fn upload(
    client: &Client,
    artifact: &artifacts::Artifact,
    quiet: bool,
    printer: &Printer,
) -> Result<(), Failure> {
    let artifacts::Artifact { sha256, path, .. } = artifact;
    if patiently(printer, || client.has_artifact(sha256))? {
        return Ok(());
    }
    if !quiet {
        printer.talk(format_args!("uploading `{}`", path.display()));
    }
    patiently(printer, || client.put_artifact(sha256, path))?;
    Ok(())
}

fn tell(submitted: &Submitted, json: bool, printer: &Printer) {
    if json {
        return printer.data(picture::json(submitted));
    }
    let Submitted { id, state } = submitted;
    printer.data(id);
    if *state == State::Submitted {
        printer.note(format_args!(
            "somebody else must approve it: `arbiter approve {id}`"
        ));
    }
    printer.talk(format_args!("`arbiter watch {id}` shows how it goes"));
}

/// Makes a call again while the coordinator is away, a few times. It is one that may be repeated.
fn patiently<T>(
    printer: &Printer,
    mut call: impl FnMut() -> Result<T, CallError>,
) -> Result<T, CallError> {
    let mut pause = PAUSE;
    for attempt in 1..ATTEMPTS {
        match call() {
            Err(error) if error.trouble() == Trouble::Away => {
                if attempt == 1 {
                    printer.warning(format_args!("{}; trying again", error.chain()));
                }
                thread::sleep(error.retry_after().unwrap_or(pause).min(8 * PAUSE));
                pause *= 2;
            }
            result => return result,
        }
    }
    call()
}

fn random_key() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Failure::new(Exit::Stopped, error))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
