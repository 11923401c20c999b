//! Where games start, as people write it.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::spec::error::SpecError;
use crate::spec::raw::{value, words};
use crate::spec::{BookFormat, BookOrder, BookSource, OpeningsSpec};

/// The book and how it is used, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawOpenings {
    /// The book; without it the embedded set is used.
    #[serde(deserialize_with = "value::path")]
    pub file: Option<PathBuf>,
    /// `epd` or `pgn`; without it the file's extension decides.
    #[serde(deserialize_with = "value::parsed")]
    pub format: Option<BookFormat>,
    /// `sequential` or `random`.
    #[serde(deserialize_with = "value::parsed")]
    pub order: Option<BookOrder>,
    /// The first entry to be played, from 1, in the order of play.
    #[serde(deserialize_with = "value::count")]
    pub start: Option<NonZeroU64>,
    /// Of a PGN, how many plies are played.
    #[serde(deserialize_with = "value::whole")]
    pub plies: Option<u32>,
}

impl RawOpenings {
    /// Reads the words of `flag`. A first word without `=` is the `file`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        words::read(flag, text, Some("file"))
    }

    /// This with what `stronger` says in its place. A format and a number of plies belong to their
    /// file and go with it.
    #[must_use]
    pub fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            file,
            format,
            order,
            start,
            plies,
        } = stronger;
        let weaker = match file {
            Some(_) => Self {
                format: None,
                plies: None,
                ..self
            },
            None => self,
        };
        Self {
            file: file.or(weaker.file),
            format: format.or(weaker.format),
            order: order.or(weaker.order),
            start: start.or(weaker.start),
            plies: plies.or(weaker.plies),
        }
    }

    /// The whole of it.
    pub(in crate::spec) fn resolve(self) -> Result<OpeningsSpec, SpecError> {
        let Self {
            file,
            format,
            order,
            start,
            plies,
        } = self;
        let unused = |key, lacking| Err(SpecError::OpeningsUnused { key, lacking });
        let source = match file {
            None if format.is_some() => return unused("format", "there is no `file`"),
            None if plies.is_some() => return unused("plies", "there is no `file`"),
            None => BookSource::Embedded,
            Some(path) => {
                let format = match format.or_else(|| format_of(&path)) {
                    Some(format) => format,
                    None => return Err(SpecError::BookFormat { file: path }),
                };
                if format == BookFormat::Epd && plies.is_some() {
                    return unused("plies", "an EPD book has positions and no moves");
                }
                BookSource::File {
                    path,
                    format,
                    plies,
                }
            }
        };
        // A book has the order that its author gave it. Ours has none, and the 960 start positions by
        // their numbers would begin with the same queer corner every time.
        let order = order.unwrap_or(match source {
            BookSource::File { .. } => BookOrder::Sequential,
            BookSource::Embedded => BookOrder::Random,
        });
        Ok(OpeningsSpec {
            source,
            order,
            start: start.unwrap_or(NonZeroU64::MIN),
        })
    }
}

fn format_of(path: &Path) -> Option<BookFormat> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "epd" | "fen" => Some(BookFormat::Epd),
        "pgn" => Some(BookFormat::Pgn),
        _ => None,
    }
}
