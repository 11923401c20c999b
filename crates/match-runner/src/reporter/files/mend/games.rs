//! The PGN is mended: a game that it lacks is written again as it stands in the journal, byte by byte;
//! a game that was being written when the end came, or that the journal does not have because it was
//! lost on the way to the disk, is cut out, for it is played again. Games of others, before and between
//! ours, are left alone.

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use match_core::journal::split_pgn;
use tempfile::Builder;

use super::{Ours, open, records};
use crate::reporter::append::folder;

/// How much later than the last record of the journal a game of the contest may have been written.
const LATE: Duration = Duration::from_secs(5);

/// How often which game of the journal is not in the PGN, by a fingerprint of its text: 64 bits of a
/// keyed hash and the length. That two of a million games have the same is less likely than that the
/// disk errs.
struct Missing {
    hash: RandomState,
    games: HashMap<(u64, usize), u64>,
}

/// Mends the PGN; says what was done.
pub(super) fn mend(journal: &Path, pgn: &Path, ours: &Ours<'_>) -> io::Result<Option<String>> {
    let mut missing = Missing::of(journal)?;
    let mut file = open(pgn)?;
    let length = file.metadata()?.len();
    let mut cuts = Cuts::default();
    let mut chunks = Chunks::new(BufReader::new(&file));
    let mut chunk = Chunk::default();
    // Two games without chance that are played in the same second are the same text: what stood there
    // before the contest is taken for a game of it only if no other is. (The file may be a new one.)
    let mut before = Vec::new();
    while chunks.next(&mut chunk)? {
        let fingerprint = missing.fingerprint(&chunk.text);
        let is_before = chunk.start < ours.pgn_bytes;
        if is_before && missing.games.contains_key(&fingerprint) {
            before.push(fingerprint);
        } else if is_before || !missing.find(fingerprint) {
            cuts.look_at(&chunk, length, ours);
        }
    }
    before.into_iter().for_each(|fingerprint| {
        missing.find(fingerprint);
    });
    if cuts.cut_out(pgn, &file, length)? {
        file = open(pgn)?;
    }
    let mut again = 0;
    for record in records(journal)? {
        if let (_, Some(game)) = split_pgn(&record?)
            && missing.find(missing.fingerprint(game.as_bytes()))
        {
            again += 1;
            file.write_all(game.as_bytes())?;
        }
    }
    Ok(cuts
        .tell(again)
        .map(|done| format!("`{}`: {done}", pgn.display())))
}

impl Missing {
    /// All games of the journal.
    fn of(journal: &Path) -> io::Result<Self> {
        let mut missing = Self {
            hash: RandomState::new(),
            games: HashMap::new(),
        };
        for record in records(journal)? {
            if let (_, Some(game)) = split_pgn(&record?) {
                let fingerprint = missing.fingerprint(game.as_bytes());
                *missing.games.entry(fingerprint).or_default() += 1;
            }
        }
        Ok(missing)
    }

    /// Whether the game of `fingerprint` was missing; now it is not.
    fn find(&mut self, fingerprint: (u64, usize)) -> bool {
        let count = self.games.get_mut(&fingerprint).filter(|count| 0 < **count);
        count.map(|count| *count -= 1).is_some()
    }

    fn fingerprint(&self, game: &[u8]) -> (u64, usize) {
        (self.hash.hash_one(game), game.len())
    }
}

/// What is to go.
#[derive(Default)]
struct Cuts {
    ranges: Vec<Range<u64>>,
    torn: bool,
    unknown: u64,
}

impl Cuts {
    /// Decides over a piece that the journal does not have.
    fn look_at(&mut self, chunk: &Chunk, length: u64, ours: &Ours<'_>) {
        let end = chunk.start + chunk.text.len() as u64;
        if let Some(start) = chunk.torn(ours).filter(|_| end == length) {
            self.torn = true;
            self.ranges.push(start..end);
        } else if ours.pgn_bytes <= chunk.start && chunk.is_unknown_game_of(ours) {
            self.unknown += 1;
            self.ranges.push(chunk.start..end);
        }
    }

    /// Does it; says whether there is another file in the place of the old one now.
    fn cut_out(&self, path: &Path, mut file: &File, length: u64) -> io::Result<bool> {
        let Some(first) = self.ranges.first() else {
            return Ok(false);
        };
        let gone: u64 = self
            .ranges
            .iter()
            .map(|range| range.end - range.start)
            .sum();
        if first.start + gone == length {
            file.set_len(first.start)?;
            return Ok(false);
        }
        // Beside it and then in its place: at no moment is a game of somebody else on no disk.
        let mut kept = Builder::new()
            .prefix(".pgn")
            .permissions(file.metadata()?.permissions())
            .tempfile_in(folder(path))?;
        let starts = std::iter::once(0).chain(self.ranges.iter().map(|range| range.end));
        let ends = self.ranges.iter().map(|range| range.start);
        for (start, end) in starts.zip(ends.chain([length])) {
            file.seek(SeekFrom::Start(start))?;
            io::copy(&mut file.take(end - start), &mut kept)?;
        }
        kept.as_file().sync_all()?;
        // A link stays a link.
        kept.persist(fs::canonicalize(path)?)?;
        Ok(true)
    }

    /// What was done, with so many games written again.
    fn tell(&self, again: u64) -> Option<String> {
        let games = |count| match count {
            1 => "a game".to_owned(),
            count => format!("{count} games"),
        };
        let mut done = Vec::new();
        if self.torn {
            done.push("a torn game at its end is cut off".to_owned());
        }
        if 0 < self.unknown {
            done.push(format!(
                "{} that the journal lacks cut out",
                games(self.unknown)
            ));
        }
        if 0 < again {
            done.push(format!(
                "{} that it lacked written from the journal",
                games(again)
            ));
        }
        (!done.is_empty()).then(|| done.join(", "))
    }
}

/// A piece of a PGN that begins where a game begins, or with the file.
#[derive(Debug, Default)]
struct Chunk {
    start: u64,
    text: Vec<u8>,
}

impl Chunk {
    /// Where to cut if this, the last of a file, is a game of ours that was being written.
    fn torn(&self, ours: &Ours<'_>) -> Option<u64> {
        // Where the length of a file survived a power failure and its text did not, there are nulls.
        let written = self
            .text
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        let text = &self.text[..written];
        let is_whole = text.is_empty() || text.ends_with(b"\n\n");
        if is_whole {
            return (written < self.text.len()).then_some(self.start + written as u64);
        }
        let event = tag("Event", &ours.spec.event);
        let common = event.len().min(text.len());
        (text[..common] == event.as_bytes()[..common]).then_some(self.start)
    }

    /// Whether it is a game of this contest, whatever the journal says.
    fn is_unknown_game_of(&self, ours: &Ours<'_>) -> bool {
        let Ok(text) = str::from_utf8(&self.text) else {
            return false;
        };
        let has = |name, value: &str| text.contains(&tag(name, value));
        let named = |name| {
            ours.spec
                .engines
                .iter()
                .any(|engine| has(name, &engine.name))
        };
        let number = value(text, "Round").and_then(number);
        let ended = value(text, "GameEndTime").and_then(moment);
        has("Event", &ours.spec.event)
            && has("Site", &ours.spec.site)
            && named("White")
            && named("Black")
            && number.is_some_and(|number| number < ours.games)
            && ended.is_some_and(|ended| ended <= ours.written + LATE)
    }
}

/// As a PGN has it.
fn tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// The value of a tag that needs no quotes within.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("[{name} \""))?;
    Some(rest.split_once('"')?.0)
}

fn moment(text: &str) -> Option<SystemTime> {
    let moment: Timestamp = text.parse().ok()?;
    // Before 1970 no engine spoke UCI.
    let since_1970 = Duration::from_secs(moment.as_second().try_into().ok()?);
    Some(SystemTime::UNIX_EPOCH + since_1970)
}

/// The game of round `12.2`, from 0.
fn number(round: &str) -> Option<u64> {
    let (pair, game) = round.split_once('.')?;
    let pair: u64 = pair.parse().ok()?;
    match game {
        "1" => Some(2 * pair.checked_sub(1)?),
        "2" => Some(2 * pair.checked_sub(1)? + 1),
        _ => None,
    }
}

/// Reads a PGN chunk by chunk.
struct Chunks<R> {
    reader: R,
    /// The line that begins the next chunk.
    line: Vec<u8>,
    start: u64,
}

impl<R: BufRead> Chunks<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            line: Vec::new(),
            start: 0,
        }
    }

    /// The next one in the place of `chunk`.
    fn next(&mut self, chunk: &mut Chunk) -> io::Result<bool> {
        if self.line.is_empty() && self.reader.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(false);
        }
        chunk.start = self.start;
        chunk.text.clear();
        loop {
            let is_blank = self.line == b"\n";
            chunk.text.append(&mut self.line);
            let length = self.reader.read_until(b'\n', &mut self.line)?;
            if length == 0 || (is_blank && self.line.starts_with(b"[Event ")) {
                self.start += chunk.text.len() as u64;
                return Ok(true);
            }
        }
    }
}
