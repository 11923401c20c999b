//! What is written where, as people write it.

use std::path::PathBuf;

use serde::Deserialize;

use crate::spec::error::SpecError;
use crate::spec::raw::{overlay, value, words};

/// Files, as far as they were said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawOutput {
    /// Every game; a string is the `file`.
    #[serde(deserialize_with = "value::text_or_table")]
    pub pgn: Option<RawPgn>,
    /// Events as JSON lines.
    #[serde(deserialize_with = "value::path")]
    pub events: Option<PathBuf>,
    /// The result as JSON.
    #[serde(deserialize_with = "value::path")]
    pub summary: Option<PathBuf>,
}

/// The PGN file and what its comments hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawPgn {
    /// The file.
    #[serde(deserialize_with = "value::path")]
    pub file: Option<PathBuf>,
    /// Nodes of each search.
    #[serde(deserialize_with = "value::switch")]
    pub nodes: Option<bool>,
    /// Nodes a second.
    #[serde(deserialize_with = "value::switch")]
    pub nps: Option<bool>,
    /// Selective depth.
    #[serde(deserialize_with = "value::switch")]
    pub seldepth: Option<bool>,
    /// Use of the hash table.
    #[serde(deserialize_with = "value::switch")]
    pub hashfull: Option<bool>,
    /// Time left on the clock.
    #[serde(deserialize_with = "value::switch")]
    pub timeleft: Option<bool>,
    /// The whole principal variation.
    #[serde(deserialize_with = "value::switch")]
    pub pv: Option<bool>,
}

impl RawPgn {
    /// Reads the words of `flag`. A first word without `=` is the `file`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        words::read(flag, text, Some("file"))
    }

    fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            file,
            nodes,
            nps,
            seldepth,
            hashfull,
            timeleft,
            pv,
        } = stronger;
        Self {
            file: file.or(self.file),
            nodes: nodes.or(self.nodes),
            nps: nps.or(self.nps),
            seldepth: seldepth.or(self.seldepth),
            hashfull: hashfull.or(self.hashfull),
            timeleft: timeleft.or(self.timeleft),
            pv: pv.or(self.pv),
        }
    }
}

impl RawOutput {
    pub(super) fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            pgn,
            events,
            summary,
        } = stronger;
        Self {
            pgn: overlay(self.pgn, pgn, RawPgn::overlaid_with),
            events: events.or(self.events),
            summary: summary.or(self.summary),
        }
    }
}

impl From<&str> for RawPgn {
    /// The file alone.
    fn from(file: &str) -> Self {
        Self {
            file: Some(PathBuf::from(file)),
            ..Self::default()
        }
    }
}
