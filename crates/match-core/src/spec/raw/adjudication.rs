//! When the referee ends games, as people write it.

use std::num::NonZeroU32;
use std::path::PathBuf;

use serde::Deserialize;

use crate::adjudication::{Adjudication, Draw, Resign, Syzygy, TablebaseRulings};
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
    /// A draw after so many full moves of the engines, the opening not counted.
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

    fn resolve(self) -> Result<Resign, SpecError> {
        let Self {
            count,
            score,
            twosided,
        } = self;
        Ok(Resign {
            count: required(count, "resign", "count")?,
            score: required(score, "resign", "score")?,
            two_sided: twosided.unwrap_or(false),
        })
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

    fn resolve(self) -> Result<Draw, SpecError> {
        let Self {
            after_move,
            count,
            score,
        } = self;
        Ok(Draw {
            after_move: after_move.unwrap_or(0),
            count: required(count, "draw", "count")?,
            score: required(score, "draw", "score")?,
        })
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

    fn resolve(self) -> Result<Syzygy, SpecError> {
        let Self {
            paths,
            pieces,
            ignore_50_move_rule,
            rulings,
        } = self;
        let paths = paths.filter(|paths| !paths.is_empty());
        Ok(Syzygy {
            paths: required(paths, "syzygy", "paths")?,
            pieces: pieces.unwrap_or(SYZYGY_PIECES_MAX).get(),
            fifty_move_rule: !ignore_50_move_rule.unwrap_or(false),
            rulings: rulings.unwrap_or_default(),
        })
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

    pub(in crate::spec) fn resolve(self) -> Result<Adjudication, SpecError> {
        let Self {
            resign,
            draw,
            max_moves,
            syzygy,
        } = self;
        Ok(Adjudication {
            resign: resign.map(RawResign::resolve).transpose()?,
            draw: draw.map(RawDraw::resolve).transpose()?,
            max_moves,
            syzygy: syzygy.map(RawSyzygy::resolve).transpose()?,
        })
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

/// The largest tablebases that exist; the prober itself knows what is there.
const SYZYGY_PIECES_MAX: NonZeroU32 = NonZeroU32::new(7).expect("not 0");

fn required<T>(value: Option<T>, section: &'static str, key: &'static str) -> Result<T, SpecError> {
    value.ok_or(SpecError::AdjudicationMissing { section, key })
}
