//! Where games start: a file of positions or games, or what comes with arbiter.
//!
//! A book is read once from end to end: every entry is checked, and of the good ones only the place in
//! the file is kept. A game reads its opening from there, so memory does not grow with the text.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::num::NonZeroU64;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use engine_core::Position;
use match_core::fixture::OpeningIndex;
use match_core::opening::Opening;
use match_core::spec::{BookFormat, BookSource, Variant};
use rustix::fs::OFlags;
use thiserror::Error;

mod content;
mod epd;
mod pgn;
mod scan;
mod text;

pub use content::sha256;

use scan::{Findings, Scan};
use text::Text;

/// The set that comes with arbiter, for standard chess.
const EMBEDDED: &[u8] = include_bytes!("../books/openings.epd");

/// The start positions of Chess960.
const CHESS960_STARTS: NonZeroU64 = NonZeroU64::new(960).expect("960 is not 0");

/// Bytes read at a time on the way through a whole book.
const SCAN_BUFFER_BYTES: usize = 64 * 1024;

/// Bytes read for one entry: an EPD line, or the whole of a game of a usual opening book.
const ENTRY_BUFFER_BYTES: usize = 512;

/// Openings by number.
#[derive(Debug)]
pub struct Book {
    name: String,
    entries: Entries,
    len: NonZeroU64,
    warnings: Vec<String>,
}

#[derive(Debug)]
enum Entries {
    /// A position a line, by the offset of the line.
    Positions(Text, Vec<u64>),
    /// Games, by the offset of their first tag; so many plies of each are played.
    Games(Text, Vec<u64>, Option<u32>),
    /// The start positions of Chess960 in the order of their usual numbers.
    Chess960,
}

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("failed to read the book {name}")]
    Read {
        /// Which.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// No entry is any good.
    #[error("no opening in the book {name}: {why}")]
    Empty {
        /// Which.
        name: String,
        /// The first complaint, or that there is nothing in it.
        why: String,
    },
    /// An entry that was good is not any more.
    #[error("the book {name} changed while it was in use: opening {number} is not where it was")]
    Changed {
        /// Which.
        name: String,
        /// From 1.
        number: u64,
    },
}

impl Book {
    /// Opens a book and checks every entry.
    ///
    /// Entries that cannot be read or played are left out; [`warnings`](Self::warnings) tells which. A
    /// Chess960 position in a contest of standard chess is one of them, and so is an opening after
    /// which the game is over by the laws.
    ///
    /// # Errors
    /// When the file cannot be read, is no regular file, or nothing in it is any good.
    pub fn open(source: &BookSource, variant: Variant) -> Result<Self, BookError> {
        match source {
            BookSource::File {
                path,
                format,
                plies,
            } => Self::open_file(path, *format, *plies, variant),
            BookSource::Embedded => match variant {
                Variant::Standard => Self::positions(
                    "that comes with arbiter".into(),
                    Text::Embedded(EMBEDDED),
                    variant,
                ),
                Variant::Chess960 => Ok(Self {
                    name: "of Chess960 start positions".into(),
                    entries: Entries::Chess960,
                    len: CHESS960_STARTS,
                    warnings: Vec::new(),
                }),
            },
        }
    }

    /// How many openings there are.
    pub fn len(&self) -> NonZeroU64 {
        self.len
    }

    /// SHA-256 of all that it is made from, in hexadecimal digits: two books with the same number have
    /// the same openings.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub fn sha256(&self) -> Result<String, BookError> {
        let digest = match &self.entries {
            Entries::Positions(text, _) | Entries::Games(text, _, _) => sha256(text.from(0)),
            // They have no text: their name stands for them.
            Entries::Chess960 => sha256(self.name.as_bytes()),
        };
        digest.map_err(|source| BookError::Read {
            name: self.name.clone(),
            source,
        })
    }

    /// What is wrong with the book, a line each, bounded in number.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The opening at `index`, which is below [`len`](Self::len).
    ///
    /// # Errors
    /// When the file cannot be read any more or was changed.
    pub fn opening(&self, index: OpeningIndex) -> Result<Opening, BookError> {
        let read = |source| BookError::Read {
            name: self.name.clone(),
            source,
        };
        let place = |places: &[u64]| {
            places[usize::try_from(index.0).expect("an index into a list in memory")]
        };
        let opening = match &self.entries {
            Entries::Positions(text, places) => {
                let reader = BufReader::with_capacity(ENTRY_BUFFER_BYTES, text.from(place(places)));
                position_at(reader).map_err(read)?.map(|start| Opening {
                    start,
                    moves: Vec::new(),
                })
            }
            Entries::Games(text, places, plies) => {
                let reader = BufReader::with_capacity(ENTRY_BUFFER_BYTES, text.from(place(places)));
                pgn::opening_at(reader, *plies).map_err(read)?
            }
            Entries::Chess960 => u16::try_from(index.0)
                .ok()
                .and_then(|number| Position::chess960_start(number).ok())
                .map(|start| Opening {
                    start,
                    moves: Vec::new(),
                }),
        };
        opening.ok_or_else(|| BookError::Changed {
            name: self.name.clone(),
            number: index.0 + 1,
        })
    }

    fn open_file(
        path: &Path,
        format: BookFormat,
        plies: Option<u32>,
        variant: Variant,
    ) -> Result<Self, BookError> {
        let name = format!("`{}`", path.display());
        let file = match open_regular(path) {
            Ok(file) => file,
            Err(source) => return Err(BookError::Read { name, source }),
        };
        match format {
            BookFormat::Epd => Self::positions(name, Text::File(file), variant),
            BookFormat::Pgn => Self::games(name, Text::File(file), plies, variant),
        }
    }

    fn positions(name: String, text: Text, variant: Variant) -> Result<Self, BookError> {
        let mut scan = Scan::new(variant);
        let reader = BufReader::with_capacity(SCAN_BUFFER_BYTES, text.from(0));
        if let Err(source) = scan_positions(reader, &mut scan) {
            return Err(BookError::Read { name, source });
        }
        Self::found(name, scan, |places| Entries::Positions(text, places))
    }

    fn games(
        name: String,
        text: Text,
        plies: Option<u32>,
        variant: Variant,
    ) -> Result<Self, BookError> {
        let mut scan = Scan::new(variant);
        let reader = BufReader::with_capacity(SCAN_BUFFER_BYTES, text.from(0));
        if let Err(source) = pgn::scan(reader, plies, &mut scan) {
            return Err(BookError::Read { name, source });
        }
        Self::found(name, scan, |places| Entries::Games(text, places, plies))
    }

    fn found(
        name: String,
        scan: Scan,
        entries: impl FnOnce(Vec<u64>) -> Entries,
    ) -> Result<Self, BookError> {
        let Findings { places, warnings } = scan.findings(&name);
        let Some(len) = NonZeroU64::new(places.len() as u64) else {
            let why = warnings
                .into_iter()
                .next()
                .unwrap_or_else(|| "there is nothing in it".into());
            return Err(BookError::Empty { name, why });
        };
        Ok(Self {
            name,
            entries: entries(places),
            len,
            warnings,
        })
    }
}

/// Opens a file that can be read from any place. A pipe or a device is not waited for.
fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits() as i32);
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// Checks all lines.
fn scan_positions(mut reader: impl BufRead, scan: &mut Scan) -> io::Result<()> {
    let mut line = Vec::new();
    let mut place = 0;
    for number in 1.. {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        let text = line_text(&line);
        if !epd::is_blank(&text)
            && let Err(error) = scan_position(&text, place, scan)
        {
            scan.complain(number, &error);
        }
        place += length as u64;
    }
    Ok(())
}

fn scan_position(
    line: &str,
    place: u64,
    scan: &mut Scan,
) -> Result<(), Box<dyn std::error::Error>> {
    scan.start(epd::read(line)?)?;
    Ok(scan.finish(place)?)
}

/// The position of the line with which `reader` begins, unless it is none.
fn position_at(mut reader: impl BufRead) -> io::Result<Option<Position>> {
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line)?;
    Ok(epd::read(&line_text(&line)).ok())
}

/// A line without a byte-order mark. Whatever is not UTF-8 can only stand in comments of others.
fn line_text(line: &[u8]) -> Cow<'_, str> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    match str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(line),
    }
}
