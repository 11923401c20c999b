//! The command line.

use std::fmt::{self, Write};

use crate::level::Level;
use crate::vice::{Argument, Vice, ViceError, Vices};

/// What the command line asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Args {
    pub(crate) level: Level,
    pub(crate) random: bool,
    pub(crate) seed: u64,
    pub(crate) name: Option<String>,
    pub(crate) stopwatch: bool,
    pub(crate) vices: Vices,
}

/// A command line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Play(Args),
    Help,
}

impl Args {
    /// Reads the words after the program's name.
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Request, ArgsError> {
        let mut args = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let (flag, glued) = match word.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            let mut value = |what| {
                glued
                    .clone()
                    .or_else(|| words.next())
                    .ok_or(ArgsError::Missing {
                        flag: flag.to_owned(),
                        what,
                    })
            };
            match flag {
                "--level" => args.level = level(value("a level")?)?,
                "--seed" => args.seed = seed(value("a number")?)?,
                "--name" => args.name = Some(value("a name")?),
                "--vice" => args.vices.add(&value("a vice")?).map_err(ArgsError::Vice)?,
                "--random" => args.random = true,
                "--stopwatch" => args.stopwatch = true,
                "--help" | "-h" => return Ok(Request::Help),
                _ => return Err(ArgsError::Unknown(word)),
            }
        }
        Ok(Request::Play(args))
    }
}

fn level(found: String) -> Result<Level, ArgsError> {
    let level = found.parse().ok().and_then(Level::new);
    level.ok_or(ArgsError::Level(found))
}

fn seed(found: String) -> Result<u64, ArgsError> {
    found.parse().map_err(|_| ArgsError::Seed(found))
}

/// A command line that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgsError {
    Unknown(String),
    Missing { flag: String, what: &'static str },
    Level(String),
    Seed(String),
    Vice(ViceError),
}

impl fmt::Display for ArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(word) => write!(f, "there is no flag `{word}` (see --help)"),
            Self::Missing { flag, what } => write!(f, "`{flag}` needs {what}"),
            Self::Level(found) => write!(f, "the level is `{found}`, not a number from 1 to 10"),
            Self::Seed(found) => write!(
                f,
                "the seed is `{found}`, not a number from 0 to {}",
                u64::MAX
            ),
            Self::Vice(error) => error.fmt(f),
        }
    }
}

const HELP: &str = "\
A small UCI engine to play and test against. It speaks UCI on standard input and output.

Usage: sparring [--level N | --random] [--seed N] [--name NAME] [--vice NAME[=ARGUMENT]]...

  --level N      how strong it plays, 1 to 10 (default 10); also the UCI option `Level`
  --random       plays a random legal move at once
  --seed N       decides random moves and the blunders of low levels (default 0); also the option `Seed`
  --name NAME    the name it gives itself
  --stopwatch    says before each move how long it thought: `info string thought N ns`
  --vice NAME    a bad habit; may be given several times
  -h, --help     this

Vices:
";

/// What `--help` prints.
pub(crate) fn help() -> String {
    let mut help = HELP.to_owned();
    for &vice in Vice::ALL {
        let name = match vice.argument() {
            Argument::None => vice.name().to_owned(),
            Argument::Number { unit, default } => format!("{}[={unit}], {default}", vice.name()),
            Argument::Text { unit } => format!("{}={unit}", vice.name()),
        };
        writeln!(help, "  {name:<27} {}", vice.help()).expect("a string takes all");
    }
    help
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, want: Result<Args, &str>) {
        match (Args::parse(words.split(' ').map(str::to_owned)), want) {
            (Ok(Request::Play(got)), Ok(want)) => assert_eq!(got, want),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (got, want) => panic!("`{words}` gave {got:?}, not {want:?}"),
        }
    }

    #[test]
    fn flags_take_their_value_as_the_next_word_or_after_an_equals_sign() {
        let level = Level::new(3).unwrap();
        check(
            "--level 3 --seed=9",
            Ok(Args {
                level,
                seed: 9,
                ..Args::default()
            }),
        );
        check(
            "--random --name=a",
            Ok(Args {
                random: true,
                name: Some("a".into()),
                ..Args::default()
            }),
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        check("--level 11", Err("`11`, not a number from 1 to 10"));
        check("--seed -1", Err("the seed is `-1`"));
        check("--vice sloth", Err("no vice `sloth`"));
        check("--seed", Err("`--seed` needs a number"));
        check("level", Err("no flag `level`"));
    }

    #[test]
    fn help_names_every_vice() {
        let help = help();
        assert!(
            Vice::ALL
                .iter()
                .all(|vice| help.contains(vice.name()) && help.contains(vice.help()))
        );
    }
}
