//! `arbiter stats`: what results say about strength.

use std::path::PathBuf;
use std::sync::Arc;

use clap::ArgGroup;
use match_core::spec::raw::RawSprt;
use match_core::summary::SprtSummary;
use stats::{Model, Pentanomial, Results, Sprt, Trinomial};
use thiserror::Error;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::openings;
use crate::printer::Printer;

mod json;
mod record;
mod text;

use record::Record;

/// Say what results mean: Elo, likelihood of superiority, a sequential test
///
/// Elo, normalized Elo and the likelihood of superiority (LOS) are those of a number of games that
/// was fixed beforehand, with 95 % intervals. With `--sprt` there is the state of that test and its
/// own estimate, which allows for having stopped when the results looked good. What is not defined
/// says why, and is null in JSON.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("results").required(true).args(["pentanomial", "wdl", "pgn"])))]
pub(crate) struct StatsArgs {
    /// Pairs by the first engine's score 0, 1/2, 1, 1 1/2, 2
    #[arg(long, value_name = "LL,LD,DD+WL,WD,WW", allow_hyphen_values = true)]
    pentanomial: Option<Pentanomial>,

    /// Single games of the first engine, taken as independent; pairs say more if they are known
    #[arg(long, value_name = "W,D,L", allow_hyphen_values = true)]
    wdl: Option<Trinomial>,

    /// Games in PGN files, `-` for standard input; pairs are found by round and opening
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pgn: Vec<PathBuf>,

    /// From whose side games are told [default: White of the first game]
    ///
    /// If there are more than two players, it is against all the others together.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["pentanomial", "wdl"])]
    engine: Option<String>,

    /// How does this sequential test stand? Words as `elo0=0 elo1=2`
    ///
    /// The words are those of `arbiter match --sprt`. The test is taken to have been looked at after
    /// every result and to have ended, if it has, with the last one.
    #[arg(long, value_name = "WORDS")]
    sprt: Option<String>,

    /// Say for each opening how its games ended, and whether the book is too drawish
    #[arg(long, conflicts_with_all = ["pentanomial", "wdl", "sprt", "engine"])]
    by_opening: bool,

    /// Write a line of JSON, with the names of `summary.json`
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  arbiter stats --pentanomial 12,150,300,170,18
  arbiter stats --pentanomial 39,8843,26675,9240,44 --sprt 'elo0=0.5 elo1=2.5 rule=wald'
  arbiter stats --wdl 120,250,100 --json
  arbiter stats --pgn games.pgn --sprt 'elo0=0 elo1=5'
  arbiter stats --pgn games.pgn --by-opening";

/// Why there is nothing to say.
#[derive(Debug, Error)]
enum StatsError {
    #[error("`--engine` `{found}`: the players are {}", names(known))]
    UnknownEngine { found: String, known: Vec<String> },
    #[error("`--sprt`: model=bayesian is about wins, draws and losses of single games")]
    BayesianPairs,
}

pub(crate) fn run(args: &StatsArgs, printer: &Printer) -> Result<Exit, Failure> {
    if args.by_opening {
        return openings::run(&args.pgn, args.json, printer);
    }
    let sprt = (args.sprt.as_deref())
        .map(|words| test("--sprt", words, printer))
        .transpose()?;
    let record = Record::new(args, printer)?;
    let test = sprt.map(|sprt| look(sprt, &record)).transpose()?;
    printer.data(if args.json {
        json::of(&record, test.as_ref())
    } else {
        text::of(&record, test.as_ref())
    });
    Ok(Exit::Done)
}

/// The sequential test that the words of `flag` describe. What they leave out is told with the
/// answer.
pub(super) fn test(flag: &str, words: &str, printer: &Printer) -> Result<Sprt, Failure> {
    let spec = RawSprt::from_words(flag, words)?.resolve(&mut Vec::new())?;
    let sprt = Sprt::new(spec.hypotheses, spec.rates, spec.rule);
    if let Some(fallback) = sprt.fallback() {
        printer.warning(fallback);
    }
    Ok(sprt)
}

fn look(sprt: Sprt, record: &Record) -> Result<SprtSummary, Failure> {
    let results = match (sprt.hypotheses().model(), record.games) {
        (Model::Normalized | Model::Logistic, _) => record.results(),
        (Model::Bayesian, Some(games)) => Results::Games(games),
        (Model::Bayesian, None) => {
            let hint = "give the games as `--wdl W,D,L`".to_owned();
            return Err(Failure::usage(StatsError::BayesianPairs).with_hint(Some(hint)));
        }
    };
    let progress = match results.count() {
        0 => sprt.start(),
        _ => sprt.snapshot(results).map_err(Failure::usage)?,
    };
    Ok(SprtSummary::new(Arc::new(sprt), progress))
}

/// `a`, `b`, `c`, quoted; many are cut short.
fn names(names: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    const SHOWN: usize = 10;
    let mut quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if SHOWN < quoted.len() {
        let more = quoted.len() - SHOWN;
        quoted.truncate(SHOWN);
        quoted.push(format!("{more} more"));
    }
    quoted.join(", ")
}
