//! `arbiter perft`: counts the leaves of the tree of legal moves.

use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine_core::perft::suite::{self, Count, Entry, SuiteError};
use engine_core::{CastlingStyle, FenPositionError, Position, perft, perft_divide};
use thiserror::Error;

use crate::cli::{self, whole_number};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Count the leaves of the tree of legal moves: is the move generator right, and how fast?
///
/// The last line of standard output is `nodes N`. With `--suite` every count of a file is checked,
/// and the first wrong one ends the run with exit code 1.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PerftArgs {
    /// How many plies deep
    #[arg(value_name = "DEPTH", required_unless_present = "suite", value_parser = whole_number::<u32>)]
    depth: Option<u32>,

    /// Where to start; castling as in X-FEN or Shredder-FEN [default: the start position]
    #[arg(long, value_name = "FEN", conflicts_with = "suite")]
    fen: Option<String>,

    /// Write castling as king takes rook, as under UCI_Chess960
    #[arg(long, conflicts_with = "suite")]
    chess960: bool,

    /// Show the share of every first move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,

    /// Check the counts of a file: lines `FEN ;D1 20 ;D2 400`, or `epd FEN` with lines `perft 1 20`
    #[arg(long, value_name = "FILE", conflicts_with = "depth")]
    suite: Option<PathBuf>,

    /// Leave out the deeper counts of a suite
    #[arg(long, value_name = "DEPTH", requires = "suite", value_parser = cli::count::<NonZeroU32>)]
    max_depth: Option<NonZeroU32>,
}

const EXAMPLES: &str = "\
Examples:
  arbiter perft 6
  arbiter perft 5 --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  arbiter perft 3 --divide
  arbiter perft --suite suite.epd --max-depth 5";

/// Why nothing was counted, or what was counted wrongly.
#[derive(Debug, Error)]
enum PerftError {
    #[error("`--fen` `{fen}` is not a position of chess")]
    Fen {
        fen: String,
        source: FenPositionError,
    },
    #[error("failed to read the suite `{}`", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("failed to read the suite `{}`", path.display())]
    Suite { path: PathBuf, source: SuiteError },
    #[error("the suite `{}` holds no position", path.display())]
    Empty { path: PathBuf },
    #[error("{at}: perft {depth} of `{fen}` is {found} and should be {expected}")]
    WrongCount {
        at: String,
        fen: String,
        depth: u32,
        expected: u64,
        found: u64,
    },
}

pub(crate) fn run(args: &PerftArgs, printer: &Printer) -> Result<Exit, Failure> {
    match (&args.suite, args.depth) {
        (Some(path), _) => check_suite(path, args.max_depth, printer),
        (None, Some(depth)) => count(depth, args, printer),
        (None, None) => unreachable!("clap demands a depth where there is no suite"),
    }
}

fn count(depth: u32, args: &PerftArgs, printer: &Printer) -> Result<Exit, Failure> {
    let position = match &args.fen {
        None => Position::startpos(),
        Some(fen) => Position::from_fen(fen).map_err(|source| {
            let fen = fen.clone();
            Failure::usage(PerftError::Fen { fen, source })
        })?,
    };
    let begin = Instant::now();
    let nodes = if args.divide && 0 < depth {
        divide(&position, depth, args.chess960, printer)
    } else {
        perft(&position, depth)
    };
    printer.talk(speed(nodes, begin.elapsed()));
    printer.data(format_args!("nodes {nodes}"));
    Ok(Exit::Done)
}

/// Prints the share of each move and returns their sum.
fn divide(position: &Position, depth: u32, chess960: bool, printer: &Printer) -> u64 {
    let style = if chess960 || position.needs_chess960() {
        CastlingStyle::Chess960
    } else {
        CastlingStyle::Standard
    };
    let mut sum = 0;
    for (mv, nodes) in perft_divide(position, depth) {
        printer.data(format_args!("{} {nodes}", position.uci(mv, style)));
        sum += nodes;
    }
    sum
}

fn check_suite(
    path: &Path,
    max_depth: Option<NonZeroU32>,
    printer: &Printer,
) -> Result<Exit, Failure> {
    let entries = read_suite(path).map_err(Failure::usage)?;
    let begin = Instant::now();
    let (mut nodes_sum, mut counts_sum) = (0, 0);
    for entry in &entries {
        let is_wanted = |count: &&Count| max_depth.is_none_or(|max| count.depth <= max.get());
        let mut nodes_entry = 0;
        for count in entry.counts.iter().filter(is_wanted) {
            let found = perft(&entry.position, count.depth);
            if found != count.nodes {
                return Err(wrong_count(path, entry, *count, found));
            }
            nodes_entry += found;
            counts_sum += 1;
        }
        nodes_sum += nodes_entry;
        let at = place(path, entry);
        printer.data(format_args!("{at}: right, {nodes_entry} nodes"));
    }
    printer.talk(speed(nodes_sum, begin.elapsed()));
    printer.data(format_args!(
        "{} positions, {counts_sum} counts, all right",
        entries.len()
    ));
    printer.data(format_args!("nodes {nodes_sum}"));
    Ok(Exit::Done)
}

/// The whole suite, so that a malformed line is told before the counting begins.
fn read_suite(path: &Path) -> Result<Vec<Entry>, PerftError> {
    let path = path.to_path_buf();
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) => return Err(PerftError::Read { path, source }),
    };
    match suite::read(&text).collect::<Result<Vec<Entry>, SuiteError>>() {
        Ok(entries) if entries.is_empty() => Err(PerftError::Empty { path }),
        Ok(entries) => Ok(entries),
        Err(source) => Err(PerftError::Suite { path, source }),
    }
}

fn wrong_count(path: &Path, entry: &Entry, count: Count, found: u64) -> Failure {
    let fen = &entry.fen;
    let hint = format!(
        "`arbiter perft {} --fen '{fen}' --divide` shows the share of each move",
        count.depth
    );
    let error = PerftError::WrongCount {
        at: place(path, entry),
        fen: fen.clone(),
        depth: count.depth,
        expected: count.nodes,
        found,
    };
    Failure::new(Exit::CheckFailed, error).with_hint(Some(hint))
}

/// `FILE:LINE`, and the name of the entry where it has one.
fn place(path: &Path, entry: &Entry) -> String {
    let id = entry.id.as_ref().map(|id| format!(" ({id})"));
    format!(
        "{}:{}{}",
        path.display(),
        entry.line,
        id.unwrap_or_default()
    )
}

fn speed(nodes: u64, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    format!("{seconds:.3} s, {rate:.1} million nodes a second")
}
