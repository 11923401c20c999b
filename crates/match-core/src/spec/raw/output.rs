//! What is written where, as people write it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use crate::spec::error::SpecError;
use crate::spec::raw::{overlay, value, words};
use crate::spec::{OutputSpec, PgnOutput};

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
    /// The folder for what is known of each fault, or `off`.
    #[serde(deserialize_with = "value::path")]
    pub faults: Option<PathBuf>,
    /// A file, or `none`; without it the journal is beside the PGN, if there is one.
    #[serde(deserialize_with = "journal")]
    pub journal: Option<RawJournal>,
}

/// Where the journal is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawJournal {
    /// Nowhere.
    None,
    /// Here.
    File(PathBuf),
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

    fn resolve(self) -> Result<PgnOutput, SpecError> {
        let Self {
            file,
            nodes,
            nps,
            seldepth,
            hashfull,
            timeleft,
            pv,
        } = self;
        Ok(PgnOutput {
            path: file.ok_or(SpecError::PgnFileMissing)?,
            nodes: nodes.unwrap_or(false),
            nps: nps.unwrap_or(false),
            seldepth: seldepth.unwrap_or(false),
            hashfull: hashfull.unwrap_or(false),
            time_left: timeleft.unwrap_or(false),
            pv: pv.unwrap_or(false),
        })
    }
}

impl RawOutput {
    pub(super) fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            pgn,
            events,
            summary,
            faults,
            journal,
        } = stronger;
        Self {
            pgn: overlay(self.pgn, pgn, RawPgn::overlaid_with),
            events: events.or(self.events),
            summary: summary.or(self.summary),
            faults: faults.or(self.faults),
            journal: journal.or(self.journal),
        }
    }

    pub(in crate::spec) fn resolve(self) -> Result<OutputSpec, SpecError> {
        let Self {
            pgn,
            events,
            summary,
            faults,
            journal,
        } = self;
        let pgn = pgn.map(RawPgn::resolve).transpose()?;
        let output = OutputSpec {
            faults: resolve_faults(faults, pgn.as_ref()),
            journal: match journal {
                Some(RawJournal::File(path)) => Some(path),
                Some(RawJournal::None) => None,
                None => pgn.as_ref().and_then(|pgn| beside(&pgn.path)),
            },
            pgn,
            events,
            summary,
        };
        let pgn = output.pgn.as_ref().map(|pgn| &pgn.path);
        let files = [
            ("pgn", pgn),
            ("events", output.events.as_ref()),
            ("summary", output.summary.as_ref()),
            ("faults", output.faults.as_ref()),
            ("journal", output.journal.as_ref()),
        ];
        for (i, (first, file)) in files.into_iter().enumerate() {
            for (second, other) in files.into_iter().skip(i + 1) {
                if let Some(file) = file
                    && Some(file) == other
                {
                    return Err(SpecError::OutputTwice {
                        first,
                        second,
                        file: file.clone(),
                    });
                }
            }
        }
        Ok(output)
    }
}

/// Where faults go: `games.faults` beside `games.pgn` unless somebody wants it otherwise. Beside
/// `/dev/stdout` there is no place for a folder.
fn resolve_faults(faults: Option<PathBuf>, pgn: Option<&PgnOutput>) -> Option<PathBuf> {
    match faults {
        Some(faults) if faults == Path::new("off") => None,
        Some(faults) => Some(faults),
        None => pgn
            .map(|pgn| &pgn.path)
            .filter(|path| !path.starts_with("/dev"))
            .map(|path| path.with_extension("faults")),
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

/// `games.journal` for `games.pgn`; nothing beside a device such as `/dev/stdout`, where no file can be.
fn beside(pgn: &Path) -> Option<PathBuf> {
    let is_device = pgn.starts_with("/dev") || pgn.starts_with("/proc");
    let journal = match pgn.extension() {
        Some(extension) if extension == "journal" => pgn.with_added_extension("journal"),
        _ => pgn.with_extension("journal"),
    };
    (!is_device).then_some(journal)
}

/// Reads a path, or `none`.
fn journal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawJournal>, D::Error> {
    let path = value::path(deserializer)?;
    Ok(path.map(|path| match path.to_str() {
        Some("none") => RawJournal::None,
        _ => RawJournal::File(path),
    }))
}
