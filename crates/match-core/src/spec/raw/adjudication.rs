//! When the referee ends games, as people write it.

use std::num::NonZeroU32;
use std::path::PathBuf;

use serde::Deserialize;

use crate::adjudication::TablebaseRulings;
use crate::spec::error::SpecError;
use crate::spec::raw::{overlay, value, words};

/// The adjudicators, each off unless its section is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a section of settings",
    rename_all = "kebab-case"
)]
pub struct RawAdjudication {
    /// One side is lost.
    pub resign: Option<RawResign>,
    /// Nobody makes progress.
    pub draw: Option<RawDraw>,
    /// A draw after so many plies of play.
    #[serde(deserialize_with = "value::count")]
    pub max_moves: Option<NonZeroU32>,
    /// The result is known; a string is the `paths`.
    #[serde(deserialize_with = "value::text_or_table")]
    pub syzygy: Option<RawSyzygy>,
}

/// When one side is lost, as far as it was said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawResign {
    /// Moves in a row.
    #[serde(deserialize_with = "value::count")]
    pub count: Option<NonZeroU32>,
    /// Centipawns.
    #[serde(deserialize_with = "value::whole")]
    pub score: Option<u32>,
    /// The winner's scores must say the same.
    #[serde(deserialize_with = "value::switch")]
    pub twosided: Option<bool>,
}

/// When nobody makes progress, as far as it was said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawDraw {
    /// The full-move number from which it may be ruled.
    #[serde(rename = "move", deserialize_with = "value::whole")]
    pub after_move: Option<u32>,
    /// Moves of each side in a row.
    #[serde(deserialize_with = "value::count")]
    pub count: Option<NonZeroU32>,
    /// Centipawns.
    #[serde(deserialize_with = "value::whole")]
    pub score: Option<u32>,
}

/// Tablebases, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawSyzygy {
    /// Folders: a list, or a string with `:` between them.
    #[serde(deserialize_with = "value::folders")]
    pub paths: Option<Vec<PathBuf>>,
    /// Positions with more men than this are not looked up.
    #[serde(deserialize_with = "value::count")]
    pub pieces: Option<NonZeroU32>,
    /// Cursed wins and blessed losses are won and lost.
    #[serde(rename = "ignore-50-move-rule", deserialize_with = "value::switch")]
    pub ignore_50_move_rule: Option<bool>,
    /// Which results are ruled: `all`, `win-loss` or `draw`.
    #[serde(deserialize_with = "value::parsed")]
    pub rulings: Option<TablebaseRulings>,
}

impl RawResign {
    /// Reads the words of `flag`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        words::read(flag, text, None)
    }

    fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            count,
            score,
            twosided,
        } = stronger;
        Self {
            count: count.or(self.count),
            score: score.or(self.score),
            twosided: twosided.or(self.twosided),
        }
    }
}

impl RawDraw {
    /// Reads the words of `flag`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        words::read(flag, text, None)
    }

    fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            after_move,
            count,
            score,
        } = stronger;
        Self {
            after_move: after_move.or(self.after_move),
            count: count.or(self.count),
            score: score.or(self.score),
        }
    }
}

impl RawSyzygy {
    fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            paths,
            pieces,
            ignore_50_move_rule,
            rulings,
        } = stronger;
        Self {
            paths: paths.or(self.paths),
            pieces: pieces.or(self.pieces),
            ignore_50_move_rule: ignore_50_move_rule.or(self.ignore_50_move_rule),
            rulings: rulings.or(self.rulings),
        }
    }
}

impl RawAdjudication {
    pub(super) fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            resign,
            draw,
            max_moves,
            syzygy,
        } = stronger;
        Self {
            resign: overlay(self.resign, resign, RawResign::overlaid_with),
            draw: overlay(self.draw, draw, RawDraw::overlaid_with),
            max_moves: max_moves.or(self.max_moves),
            syzygy: overlay(self.syzygy, syzygy, RawSyzygy::overlaid_with),
        }
    }
}

impl From<&str> for RawSyzygy {
    /// The folders alone, with `:` between them.
    fn from(folders: &str) -> Self {
        Self {
            paths: Some(value::split_folders(folders)),
            ..Self::default()
        }
    }
}
