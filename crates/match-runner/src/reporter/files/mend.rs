//! After an interruption: PGN and event lines are made to say what the journal says.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::time::SystemTime;

use match_core::journal::split_pgn;
use match_core::spec::{OutputSpec, Spec};

use crate::reporter::ReportError;

mod games;

/// What is known of a contest whose files are mended.
pub(crate) struct Ours<'a> {
    pub(crate) spec: &'a Spec,
    /// How many there are to play.
    pub(crate) games: u64,
    /// How long the PGN was before the first of them.
    pub(crate) pgn_bytes: u64,
    /// When the journal was written for the last time.
    pub(crate) written: SystemTime,
}

/// Mends all files of a contest whose journal at `journal` is whole. What was done is added to
/// `notices`.
///
/// # Errors
/// When one cannot be read or written.
pub(crate) fn all(
    journal: &Path,
    ours: &Ours<'_>,
    notices: &mut Vec<String>,
) -> Result<(), ReportError> {
    let OutputSpec { pgn, events, .. } = &ours.spec.output;
    if let Some(pgn) = pgn
        && is_mendable(&pgn.path)
    {
        let mended = games::mend(journal, &pgn.path, ours);
        notices.extend(mended.map_err(|source| failed(&pgn.path, source))?);
    }
    if let Some(events) = events
        && is_mendable(events)
    {
        let mended = event_lines(journal, events);
        notices.extend(mended.map_err(|source| failed(events, source))?);
    }
    Ok(())
}

/// A pipe or a terminal has no past.
fn is_mendable(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

fn failed(path: &Path, source: io::Error) -> ReportError {
    ReportError::new(format!("`{}`", path.display()), source)
}

/// The records of a journal, without the head.
fn records(journal: &Path) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    Ok(BufReader::new(File::open(journal)?).lines().skip(1))
}

/// Mends the file of events; says what was done.
fn event_lines(journal: &Path, events: &Path) -> io::Result<Option<String>> {
    let mut file = open(events)?;
    let length = file.metadata()?.len();
    let mut again = 0_u64;
    let mut same = 0_u64;
    let mut reader = BufReader::new(file.try_clone()?);
    let mut line = Vec::new();
    for record in records(journal)? {
        let (mut event, _) = split_pgn(&record?);
        event.push('\n');
        if again == 0 {
            line.clear();
            reader.read_until(b'\n', &mut line)?;
            if line == event.as_bytes() {
                same += line.len() as u64;
                continue;
            }
            file.set_len(same)?;
        }
        again += 1;
        file.write_all(event.as_bytes())?;
    }
    let cut = length - same;
    if again == 0 && 0 < cut {
        file.set_len(same)?;
    }
    let name = events.display();
    let mut done = Vec::new();
    if 0 < cut {
        done.push(format!(
            "{cut} bytes that are not in the journal are cut off"
        ));
    }
    match again {
        0 => {}
        1 => done.push("an event that it lacked written from the journal".to_owned()),
        _ => done.push(format!(
            "{again} events that it lacked written from the journal"
        )),
    }
    Ok((!done.is_empty()).then(|| format!("`{name}`: {}", done.join(", "))))
}

/// Opens a file to read it and to append to it, and makes it if it is missing.
fn open(path: &Path) -> io::Result<File> {
    File::options()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
}
