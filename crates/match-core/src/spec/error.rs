//! What is wrong with the description of a contest.

use std::path::PathBuf;

use stats::{Preset, SprtError};
use thiserror::Error;

/// An input that makes no contest. Says what was found, where, and what is allowed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpecError {
    /// A TOML file that cannot be read as a spec.
    #[error("{}:{line}:{column}: {message}", file.display())]
    Toml {
        /// The file.
        file: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What is wrong there.
        message: String,
        /// What was probably meant.
        near: Option<String>,
    },
    /// Settings that were kept in a journal cannot be read.
    #[error("{message}")]
    Written {
        /// What is wrong with them.
        message: String,
    },
    /// The words of a flag cannot be read.
    #[error("`{flag}`: {}{message}", in_word(word))]
    Words {
        /// The flag.
        flag: String,
        /// Which of its words, unless it is about all of them.
        word: Option<String>,
        /// What is wrong with it.
        message: String,
        /// What was probably meant.
        near: Option<String>,
    },
    /// An environment variable cannot be read.
    #[error("environment variable `{name}`: {message}")]
    Variable {
        /// Its name.
        name: String,
        /// What is wrong with its value.
        message: String,
    },
    /// Fewer than two engines.
    #[error("{} given: a contest is between at least two", few(.found))]
    EnginesFew {
        /// How many there are.
        found: usize,
    },
    /// `name` where it would be everybody's.
    #[error("`name={name}` for each engine: names must differ, so a name belongs to one engine")]
    NameForEach {
        /// The name.
        name: String,
    },
    /// Nothing to run.
    #[error(
        "{engine} has no `cmd`: the program to run, or `sparring:LEVEL` for the built-in engine"
    )]
    CommandMissing {
        /// Which engine, as far as it can be told.
        engine: String,
    },
    /// Sources where a program is wanted.
    #[error(
        "{engine} is given by its sources (`git`), which workers of a fleet build: here `cmd` is needed, the program to run"
    )]
    GitHere {
        /// Which engine, as far as it can be told.
        engine: String,
    },
    /// The built-in engine has no such level.
    #[error(
        "`{command}`: the built-in engine is `sparring:LEVEL` with a level from 1 to {SPARRING_LEVEL_MAX}"
    )]
    SparringLevel {
        /// The command as written.
        command: String,
    },
    /// A setting that the built-in engine has no use for.
    #[error("engine `{engine}` has `{key}`, which the built-in engine has no use for")]
    SparringSetting {
        /// The engine.
        engine: String,
        /// The setting.
        key: &'static str,
    },
    /// Two engines with one name.
    #[error("engines {first} and {second} are both named `{name}`: names must differ")]
    NameTwice {
        /// The name.
        name: String,
        /// One of them, from 1.
        first: usize,
        /// The other, from 1.
        second: usize,
    },
    /// Nothing would ever end the thinking of an engine.
    #[error(
        "engine `{name}` has no limit: at least one of `tc`, `st`, `nodes` and `depth` must be given"
    )]
    LimitMissing {
        /// The engine.
        name: String,
    },
    /// An option that would be set twice.
    #[error(
        "engine `{engine}` has the options `{first}` and `{second}`, which are the same: case makes no difference"
    )]
    OptionTwice {
        /// The engine.
        engine: String,
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// An environment variable that cannot be.
    #[error("engine `{engine}` has the environment variable `{name}`: its name cannot have a `=`")]
    EnvName {
        /// The engine.
        engine: String,
        /// The variable.
        name: String,
    },
    /// An engine that may never think.
    #[error("engine `{name}` has `st=0`: a fixed time a move is more than zero")]
    MoveTimeZero {
        /// The engine.
        name: String,
    },
    /// The format of a book is not said and cannot be guessed.
    #[error("the format of the book `{}` cannot be told from its name: `format=epd` or `format=pgn`", file.display())]
    BookFormat {
        /// The book.
        file: PathBuf,
    },
    /// A setting of openings that needs something else.
    #[error("`{key}` of openings is given, but {lacking}")]
    OpeningsUnused {
        /// The setting.
        key: &'static str,
        /// What it would need.
        lacking: &'static str,
    },
    /// A sequential test of more or fewer than two engines.
    #[error("`sprt` with {engines} engines: a sequential test is between exactly two")]
    SprtEngines {
        /// How many there are.
        engines: usize,
    },
    /// A hypothesis is missing.
    #[error("`sprt` without `{key}`: both hypotheses must be given, such as `elo0=0 elo1=2`")]
    SprtHypothesis {
        /// The one that is missing.
        key: &'static str,
    },
    /// Hypotheses that make no test.
    #[error("`sprt`: {0}")]
    SprtHypotheses(
        /// What is wrong with them.
        SprtError,
    ),
    /// An error rate that makes no test.
    #[error("`sprt` with {key}={found}: an error rate is above 0 and below 0.5")]
    SprtErrorRate {
        /// `alpha` or `beta`.
        key: &'static str,
        /// Its value.
        found: f64,
    },
    /// Curves for a test that has none.
    #[error("`sprt` with rule=wald and preset={preset}: presets are those of `rule=curved`")]
    SprtPreset {
        /// The preset.
        preset: Preset,
    },
    /// A setting of an adjudicator is missing.
    #[error("`{section}` without `{key}`")]
    AdjudicationMissing {
        /// The adjudicator.
        section: &'static str,
        /// The setting.
        key: &'static str,
    },
    /// Two outputs in one file.
    #[error("`{first}` and `{second}` are both to be written to `{}`", file.display())]
    OutputTwice {
        /// One output.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// The file.
        file: PathBuf,
    },
    /// An output without a file.
    #[error("`pgn` has settings but no `file`")]
    PgnFileMissing,
    /// More pairs than can be counted.
    #[error("`pairs` is {found}: at most {max}")]
    PairsMany {
        /// How many were asked for.
        found: u64,
        /// How many are allowed.
        max: u64,
    },
}

/// The strongest level of the built-in engine.
pub(super) const SPARRING_LEVEL_MAX: u32 = 10;

impl SpecError {
    /// What to do about it, where that is more than the message says.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Toml { near, .. } | Self::Words { near, .. } => {
                near.as_ref().map(|near| format!("did you mean `{near}`?"))
            }
            Self::EnginesFew { .. } => Some(
                "give `--engine` twice, such as `--engine ./new --engine sparring:5`, or two \
                 `[[engine]]` sections"
                    .to_owned(),
            ),
            Self::LimitMissing { .. } => Some(
                "`--each tc=8+0.08` gives every engine 8 seconds and 0.08 seconds more a move"
                    .to_owned(),
            ),
            Self::NameTwice { .. } => Some("give one of them another `name`".to_owned()),
            Self::SprtEngines { .. } => {
                Some("leave `sprt` out and set `pairs`, or take out the other engines".to_owned())
            }
            Self::Variable { .. }
            | Self::Written { .. }
            | Self::NameForEach { .. }
            | Self::CommandMissing { .. }
            | Self::GitHere { .. }
            | Self::SparringLevel { .. }
            | Self::SparringSetting { .. }
            | Self::OptionTwice { .. }
            | Self::EnvName { .. }
            | Self::MoveTimeZero { .. }
            | Self::BookFormat { .. }
            | Self::OpeningsUnused { .. }
            | Self::SprtHypothesis { .. }
            | Self::SprtHypotheses(_)
            | Self::SprtErrorRate { .. }
            | Self::SprtPreset { .. }
            | Self::AdjudicationMissing { .. }
            | Self::OutputTwice { .. }
            | Self::PgnFileMissing
            | Self::PairsMany { .. } => None,
        }
    }
}

fn in_word(word: &Option<String>) -> String {
    word.as_ref()
        .map_or_else(String::new, |word| format!("in `{word}`: "))
}

fn few(found: &usize) -> &'static str {
    match found {
        0 => "no engine is",
        _ => "only one engine is",
    }
}
