//! `arbiter pgn`: what one wants to know about games that were played.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use engine_core::Outcome;
use engine_core::pgn::check::{Checker, Complaint, Report};
use engine_core::pgn::{GameResult, RawGame, Reader};
use serde::Serialize;
use thiserror::Error;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Look at games in PGN files
#[derive(Debug, clap::Subcommand)]
pub(crate) enum PgnCommand {
    Check(CheckArgs),
}

/// Replay every game and compare its result and termination with the laws of chess
///
/// Each complaint is a line `FILE:LINE: game N: ...`, and the last line counts. A broken game costs
/// only itself: the games behind it are checked too. The exit code is 1 when a game has an error.
/// Files of any size are read in little memory.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// PGN files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Write every game as a line of JSON: `game`, `plies`, `final_fen`, `outcome`, `error`
    ///
    /// Games count from 1 in each file; with several files there is `file` too. `outcome` is `1-0`,
    /// `0-1`, `1/2-1/2` or `*`; `error` is null for a game that is right, and `final_fen` for one
    /// that has no start.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  arbiter pgn check games.pgn
  arbiter pgn check --json games.pgn | jq 'select(.error)'
  zstdcat games.pgn.zst | arbiter pgn check -";

/// A file that cannot be read.
#[derive(Debug, Error)]
#[error("failed to read `{}`", path.display())]
pub(crate) struct ReadError {
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

/// A game as a line of JSON. The names are part of the interface.
#[derive(Serialize)]
struct GameLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    game: u64,
    plies: usize,
    final_fen: Option<String>,
    outcome: &'static str,
    error: Option<String>,
}

pub(crate) fn run(command: &PgnCommand, printer: &Printer) -> Result<Exit, Failure> {
    match command {
        PgnCommand::Check(args) => check(args, printer),
    }
}

fn check(args: &CheckArgs, printer: &Printer) -> Result<Exit, Failure> {
    let mut count = Count::default();
    for path in &args.files {
        let fail = |source| {
            let path = path.clone();
            Failure::usage(ReadError { path, source })
        };
        let name = path.display().to_string();
        let input = open(path).map_err(fail)?;
        check_games(input, |raw, report| {
            count.add(report);
            if args.json {
                let file = (1 < args.files.len()).then_some(name.as_str());
                printer.data(json_line(file, raw, report));
            } else {
                complain(&name, report, printer);
            }
            printer.is_heard()
        })
        .map_err(fail)?;
    }
    let Count { games, wrong } = count;
    let verdict = format!("{games} games, {wrong} with errors");
    if args.json {
        printer.talk(verdict);
    } else {
        printer.data(verdict);
    }
    Ok(if wrong == 0 {
        Exit::Done
    } else {
        Exit::CheckFailed
    })
}

#[derive(Default)]
struct Count {
    games: u64,
    wrong: u64,
}

impl Count {
    fn add(&mut self, report: &Report) {
        self.games += 1;
        self.wrong += u64::from(errors(report).next().is_some());
    }
}

/// Opens a file, or standard input for `-`.
pub(crate) fn open(path: &PathBuf) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(Box::new(File::open(path)?))
}

/// Tells `tell` of one game after the other, for as long as it wants to hear more.
fn check_games(
    input: impl Read,
    mut tell: impl FnMut(&RawGame, &Report) -> bool,
) -> io::Result<()> {
    let mut reader = Reader::new(input).with_comments();
    let mut raw = RawGame::new();
    let mut checker = Checker::new();
    while reader.read_game(&mut raw)? {
        if !tell(&raw, &checker.check(&raw)) {
            break;
        }
    }
    Ok(())
}

/// Everything that is wrong with a game, each with its line.
fn errors(report: &Report) -> impl Iterator<Item = (u64, String)> {
    let broken = (report.error.iter()).map(|error| (error.line, error.kind.to_string()));
    let complaints =
        (report.complaints.iter()).map(|complaint| (report.line, complaint.to_string()));
    broken.chain(complaints)
}

fn complain(file: &str, report: &Report, printer: &Printer) {
    for (line, text) in errors(report) {
        printer.data(format_args!("{file}:{line}: game {}: {text}", report.game));
    }
}

fn json_line(file: Option<&str>, raw: &RawGame, report: &Report) -> String {
    let errors: Vec<String> = errors(report)
        .map(|(line, text)| format!("line {line}: {text}"))
        .collect();
    let line = GameLine {
        file,
        game: report.game,
        plies: report.plies,
        final_fen: report.position.map(|position| position.fen()),
        outcome: outcome(raw, report),
        error: (!errors.is_empty()).then(|| errors.join("; ")),
    };
    serde_json::to_string(&line).expect("strings and numbers are always JSON")
}

/// What the board shows where it contradicts the result, else the result behind the moves, else the
/// one of the tag.
fn outcome(raw: &RawGame, report: &Report) -> &'static str {
    let board = report
        .complaints
        .iter()
        .find_map(|complaint| match complaint {
            Complaint::Board { ending, .. } => Some(GameResult::Finished(ending.outcome())),
            _ => None,
        });
    let tag = || raw.tags().get("Result").and_then(|text| text.parse().ok());
    let result = board.or(raw.result()).or_else(tag);
    result
        .and_then(GameResult::outcome)
        .map_or("*", Outcome::as_pgn)
}
