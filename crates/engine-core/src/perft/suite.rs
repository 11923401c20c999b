//! Files of perft counts, in the two formats in use.
//!
//! One has a line for each position, `FEN ;D1 20 ;D2 400`; the other a block of lines:
//!
//! ```text
//! # a comment
//! id start
//! epd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
//! perft 1 20
//! perft 2 400
//! ```
//!
//! The two may be mixed. Blank lines and lines that begin with `#` mean nothing. Counters may be
//! missing from the FEN.

use std::fmt;
use std::iter::Enumerate;
use std::str::{FromStr, Lines};

use crate::{FenPositionError, Position};

/// A position with counts to be checked.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The line of the position, from 1.
    pub line: usize,
    /// The entry's own name, where it has one.
    pub id: Option<String>,
    /// The FEN as it stands in the file.
    pub fen: String,
    /// The position.
    pub position: Position,
    /// What is known of it, in the order of the file; at least one count.
    pub counts: Vec<Count>,
}

/// How many nodes there are at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// In plies.
    pub depth: u32,
    /// The number of move sequences of that length.
    pub nodes: u64,
}

/// Why a suite cannot be read further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Not a line of either format.
    Unknown(String),
    /// The position is not one.
    Position(FenPositionError),
    /// A count that is not a depth and a number of nodes.
    Count(String),
    /// A count before any position.
    NoPosition,
    /// A position without a count.
    NoCount,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.reason {
            Reason::Unknown(line) => write!(
                f,
                "`{line}` is neither `FEN ;D1 N ...` nor a line `id`, `epd` or `perft`"
            ),
            Reason::Position(error) => error.fmt(f),
            Reason::Count(text) => {
                write!(
                    f,
                    "`{text}` is not a depth and a number of nodes, as in `3 8902`"
                )
            }
            Reason::NoPosition => f.write_str("a count stands before any position"),
            Reason::NoCount => f.write_str("the position has no count"),
        }
    }
}

impl std::error::Error for SuiteError {}

/// Reads a suite, entry by entry.
///
/// ```
/// let text = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25";
/// for entry in engine_core::perft::suite::read(text) {
///     let entry = entry?;
///     for count in &entry.counts {
///         assert_eq!(engine_core::perft(&entry.position, count.depth), count.nodes);
///     }
/// }
/// # Ok::<(), engine_core::perft::suite::SuiteError>(())
/// ```
pub fn read(text: &str) -> Suite<'_> {
    Suite {
        lines: text.lines().enumerate(),
        id: None,
        open: None,
        done: false,
    }
}

/// The entries of a suite; ends after the first error. Made by [`read`].
#[derive(Clone, Debug)]
pub struct Suite<'a> {
    lines: Enumerate<Lines<'a>>,
    /// The name given to the next position.
    id: Option<String>,
    /// The entry of a block that may get more counts.
    open: Option<Entry>,
    done: bool,
}

impl Iterator for Suite<'_> {
    type Item = Result<Entry, SuiteError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.advance().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

impl Suite<'_> {
    /// Reads lines until an entry is complete.
    fn advance(&mut self) -> Result<Option<Entry>, SuiteError> {
        while let Some((index, text)) = self.lines.next() {
            let line = index + 1;
            let text = text.trim();
            let complete = if text.is_empty() || text.starts_with('#') {
                None
            } else {
                self.line(line, text)
                    .map_err(|reason| SuiteError { line, reason })?
            };
            if let Some(entry) = complete {
                return counted(entry).map(Some);
            }
        }
        self.open.take().map(counted).transpose()
    }

    /// Takes in one line; gives back the entry that it ends, if any.
    fn line(&mut self, line: usize, text: &str) -> Result<Option<Entry>, Reason> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "id" => {
                self.id = Some(rest.trim().to_owned());
                Ok(self.open.take())
            }
            "epd" => {
                let entry = self.entry(line, rest)?;
                Ok(self.open.replace(entry))
            }
            "perft" => {
                let count = rest.parse()?;
                self.open
                    .as_mut()
                    .ok_or(Reason::NoPosition)?
                    .counts
                    .push(count);
                Ok(None)
            }
            _ => {
                let Some((fen, counts)) = text.split_once(';') else {
                    return Err(Reason::Unknown(text.to_owned()));
                };
                let mut entry = self.entry(line, fen)?;
                for count in counts.split(';').filter(|count| !count.trim().is_empty()) {
                    let digits = count.trim().strip_prefix('D');
                    let digits = digits.ok_or_else(|| Reason::Count(count.trim().to_owned()))?;
                    entry.counts.push(digits.parse()?);
                }
                // A block before it ends here; the line itself comes next.
                match self.open.replace(entry) {
                    None => Ok(self.open.take()),
                    block => Ok(block),
                }
            }
        }
    }

    fn entry(&mut self, line: usize, fen: &str) -> Result<Entry, Reason> {
        let fen = fen.trim().to_owned();
        let position = fen.parse().map_err(Reason::Position)?;
        Ok(Entry {
            line,
            id: self.id.take(),
            fen,
            position,
            counts: Vec::new(),
        })
    }
}

fn counted(entry: Entry) -> Result<Entry, SuiteError> {
    if entry.counts.is_empty() {
        return Err(SuiteError {
            line: entry.line,
            reason: Reason::NoCount,
        });
    }
    Ok(entry)
}

impl FromStr for Count {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Self, Reason> {
        let wrong = || Reason::Count(text.trim().to_owned());
        let mut words = text.split_whitespace();
        let (Some(depth), Some(nodes), None) = (words.next(), words.next(), words.next()) else {
            return Err(wrong());
        };
        let depth = depth.parse().map_err(|_| wrong())?;
        let nodes = nodes.parse().map_err(|_| wrong())?;
        Ok(Self { depth, nodes })
    }
}
