//! `arbiter rate`: how strong the players of many games are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stats::{Anchor, RatingError, Ratings};
use thiserror::Error;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::games;
use crate::printer::Printer;

mod caveats;
mod chart;
mod data;
mod field;
mod text;

use data::List;
use field::Field;

/// Rate the players of games in PGN files
///
/// Prints a rating list: Elo with its 95 % interval, games, score, draws, and the mean rating of
/// the opponents. The ratings explain the points of every player; a draw is half a point, whatever
/// drew it. Intervals are those of game pairs, which are found by the tag `Round` (`N.1` and `N.2`,
/// or equal rounds) and the opening (`FEN`, or moves with the comment `book`) with colours swapped.
/// Any other game counts alone.
///
/// Games need no moves, and files of any size are read in little memory. Games without a result
/// are left out and counted. Players without a chain of games between them are rated in groups of
/// their own. Where someone won or lost everything, everybody is given two virtual draws.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RateArgs {
    /// PGN files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The rating of a player [default: the mean of all is 0]
    ///
    /// One anchor keeps its rating exactly. With several, all ratings are shifted to where the
    /// anchored ones fit best by least squares; differences remain those of the games.
    #[arg(long, value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchor: Vec<(String, f64)>,

    /// Show who scored how many points against whom
    #[arg(long)]
    crosstable: bool,

    /// Show how likely each player is stronger than each other, in per cent
    #[arg(long)]
    los: bool,

    /// Write everything as JSON instead of the list
    #[arg(long)]
    json: bool,

    /// Write the list as comma-separated values; `-` for standard output, instead of the list
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw the ratings with their intervals
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  arbiter rate games.pgn
  arbiter rate *.pgn --anchor 'Stockfish 17=3600' --crosstable --los
  arbiter rate games.pgn --json | jq '.ratings[] | {name, elo: .elo.value}'
  arbiter rate games.pgn --csv ratings.csv --svg ratings.svg";

/// Why there are no ratings.
#[derive(Debug, Error)]
enum RateError {
    #[error("`--anchor` `{0}`: there is no such player")]
    UnknownAnchor(String),
    #[error("`--csv -` and `--json` both write to standard output: one of them can")]
    TwoOutputs,
    #[error("the players cannot be rated")]
    Rating(#[from] RatingError),
    #[error("failed to write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
}

fn parse_anchor(text: &str) -> Result<(String, f64), &'static str> {
    const ALLOWED: &str = "a name, `=` and a rating in Elo are allowed, as `Stockfish 17=3600`";
    let (name, elo) = text.rsplit_once('=').ok_or(ALLOWED)?;
    let elo: f64 = elo.trim().parse().map_err(|_| ALLOWED)?;
    let name = name.trim();
    if name.is_empty() || !elo.is_finite() || 1e6 < elo.abs() {
        return Err(ALLOWED);
    }
    Ok((name.to_owned(), elo))
}

pub(crate) fn run(args: &RateArgs, printer: &Printer) -> Result<Exit, Failure> {
    let csv_is_list = args.csv.as_deref() == Some(Path::new("-"));
    if csv_is_list && args.json {
        return Err(Failure::usage(RateError::TwoOutputs));
    }
    let mut field = Field::default();
    let found = games::read(&args.files, printer, |cluster| field.add(&cluster))?;
    let anchors = anchors(&args.anchor, &found.players)?;
    let encounters = field.encounters();
    let ratings = Ratings::new(found.players.len(), &encounters, &anchors)
        .map_err(|error| Failure::usage(RateError::Rating(error)))?;
    let list = List::new(&field, &found, &ratings, &anchors, args.json || args.los);
    for caveat in caveats::all(&ratings, &found.players, &field) {
        printer.note(caveat);
    }
    if args.json {
        printer.data(list.json());
    } else if csv_is_list {
        printer.data(list.csv());
    } else {
        printer.data(text::of(&list, &field, args));
    }
    if let Some(path) = args.csv.as_ref().filter(|_| !csv_is_list) {
        write(path, &(list.csv() + "\n"))?;
    }
    if let Some(path) = &args.svg {
        write(path, &chart::draw(&list))?;
    }
    Ok(Exit::Done)
}

fn anchors(given: &[(String, f64)], players: &[String]) -> Result<Vec<Anchor>, Failure> {
    let anchor = |(name, rating): &(String, f64)| {
        let player = players.iter().position(|player| player == name);
        let Some(player) = player else {
            let known = caveats::names(players.iter().map(String::as_str));
            let hint = format!("the players are {known}");
            let error = RateError::UnknownAnchor(name.clone());
            return Err(Failure::usage(error).with_hint(Some(hint)));
        };
        Ok(Anchor {
            player,
            rating: *rating,
        })
    };
    given.iter().map(anchor).collect()
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|source| {
        let path = path.to_path_buf();
        Failure::new(Exit::Stopped, RateError::Write { path, source })
    })
}
