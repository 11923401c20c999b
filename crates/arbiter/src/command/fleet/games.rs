//! `arbiter games`: the games of a test as PGN.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Connection;
use super::secret_file::Unkept;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// So much is printed at a time, in bytes.
const CHUNK: usize = 64 * 1024;

/// Fetch the games of a test as PGN
///
/// These are the games that were counted, in the order of their pairs, while the test runs and when
/// it is over.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GamesArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Those that came after the end of the test instead, which do not count
    #[arg(long)]
    late: bool,

    /// Write them to this file, whole or not at all, and do not print them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter games ID --out games.pgn
  arbiter games ID | arbiter stats /dev/stdin";

#[derive(Debug, Error)]
#[error("the games broke off")]
struct BrokenOff(#[source] io::Error);

pub(crate) fn run(args: &GamesArgs, printer: &Printer) -> Result<Exit, Failure> {
    let client = args.connection.client()?;
    let games: Box<dyn Read> = match args.late {
        true => Box::new(client.late_games(&args.id)?),
        false => Box::new(client.games(&args.id)?),
    };
    let broken_off = |error| Failure::new(Exit::Unreachable, BrokenOff(error));
    match &args.out {
        Some(path) => keep(games, path)?.map_err(broken_off)?,
        None => print(games, printer).map_err(broken_off)?,
    }
    Ok(Exit::Done)
}

fn print(games: impl Read, printer: &Printer) -> io::Result<()> {
    let mut games = BufReader::with_capacity(CHUNK, games);
    let mut text = String::new();
    while printer.is_heard() {
        let is_end = games.read_line(&mut text)? == 0;
        if (is_end && !text.is_empty()) || text.len() >= CHUNK {
            printer.data(text.strip_suffix('\n').unwrap_or(&text));
            text.clear();
        }
        if is_end {
            break;
        }
    }
    Ok(())
}

/// Puts the games at `path`; the inner error is that of the games.
fn keep(mut games: impl Read, path: &Path) -> Result<io::Result<()>, Failure> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let unkept = |source| {
        let path = path.to_owned();
        Failure::usage(Unkept { path, source })
    };
    let mut file = File::create(&new).map_err(unkept)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = match games.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) => {
                let _left_behind = fs::remove_file(&new);
                return Ok(Err(error));
            }
        };
        io::Write::write_all(&mut file, &chunk[..read]).map_err(unkept)?;
    }
    file.sync_all().map_err(unkept)?;
    fs::rename(&new, path).map_err(unkept)?;
    Ok(Ok(()))
}
