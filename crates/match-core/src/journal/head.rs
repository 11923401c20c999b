//! The first line of a journal.

use std::num::NonZeroU64;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::JournalError;
use crate::spec::raw::{RawSpec, Written};
use crate::spec::{Spec, SpecError};

/// The version of the format. A journal of another one is not touched.
pub const VERSION: u64 = 1;

/// What is played: enough to play the same elsewhere, and to notice when it would not be the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The version of the program that began.
    pub program: String,
    /// The folder from which relative paths lead.
    pub folder: String,
    /// All settings.
    pub spec: Arc<Spec>,
    /// The book.
    pub book: BookIdentity,
    /// By engine.
    pub engines: Vec<EngineIdentity>,
    /// How long the PGN was before the first game: what stands there is not of this contest.
    pub pgn_bytes: u64,
}

/// A book by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookIdentity {
    /// How many openings it has.
    pub openings: NonZeroU64,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
}

/// An engine's program by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// The file that was run; of the built-in engine, the version of arbiter.
    pub program: String,
    /// SHA-256 of that file, in hexadecimal digits; none of the built-in engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// By what a journal is known, whatever its version.
#[derive(Serialize, Deserialize)]
struct Mark {
    journal: String,
    version: u64,
}

const MARK: &str = "arbiter";

/// The rest of the line; `S` are settings as they are written or as they are read.
#[derive(Serialize, Deserialize)]
struct Shape<S> {
    program: String,
    folder: String,
    settings: S,
    book: BookIdentity,
    engines: Vec<EngineIdentity>,
    pgn_bytes: u64,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    mark: Mark,
    #[serde(flatten)]
    shape: Shape<Written>,
}

impl Head {
    /// The line, with its line end.
    ///
    /// # Errors
    ///
    /// When what is written would not be read as the same settings: a name with a line end in it or
    /// a path that is not UTF-8.
    pub fn line(&self) -> Result<String, SpecError> {
        let line = Line {
            mark: Mark {
                journal: MARK.to_owned(),
                version: VERSION,
            },
            shape: Shape {
                program: self.program.clone(),
                folder: self.folder.clone(),
                settings: Written::new(&self.spec),
                book: self.book.clone(),
                engines: self.engines.clone(),
                pgn_bytes: self.pgn_bytes,
            },
        };
        let mut line = serde_json::to_string(&line).expect("text keys and text are JSON");
        line.push('\n');
        let read = Self::read(line.as_bytes());
        match read.map_err(JournalError::into_settings)? {
            read if Written::new(&read.spec) == Written::new(&self.spec) => Ok(line),
            _ => Err(SpecError::Written {
                message: "they would be read otherwise than they are written".to_owned(),
            }),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// When it is something else or of another version.
    pub fn read(line: &[u8]) -> Result<Self, JournalError> {
        let foreign = |why: &str| Err(JournalError::Foreign(why.to_owned()));
        match serde_json::from_slice::<Mark>(line) {
            Ok(Mark { journal, version }) if journal == MARK => {
                if version != VERSION {
                    return Err(JournalError::Version { found: version });
                }
            }
            Ok(_) | Err(_) if line.is_empty() => return foreign("it is empty"),
            Ok(_) | Err(_) => return foreign("its first line does not say that it is one"),
        }
        if line.last() != Some(&b'\n') {
            return foreign("its first line has no end");
        }
        let shape: Shape<RawSpec> = serde_json::from_slice(line).map_err(|error| {
            JournalError::Settings(SpecError::Written {
                message: error.to_string(),
            })
        })?;
        let (spec, _) = shape.settings.resolve().map_err(JournalError::Settings)?;
        Ok(Self {
            program: shape.program,
            folder: shape.folder,
            spec: Arc::new(spec),
            book: shape.book,
            engines: shape.engines,
            pgn_bytes: shape.pgn_bytes,
        })
    }
}

impl JournalError {
    fn into_settings(self) -> SpecError {
        match self {
            Self::Settings(error) => error,
            other => SpecError::Written {
                message: other.to_string(),
            },
        }
    }
}
