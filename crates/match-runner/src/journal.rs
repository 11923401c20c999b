//! The journal as a file: begun, written and made durable, opened again after an interruption.
//!
//! It is locked as long as it is written, so that one contest is never played by two. A record is
//! written with one call before anything else is told of it; a thread of its own brings what was
//! written to the disk once a second, so that no power failure costs more than that.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use match_core::journal::{Head, JournalError, Read, Reading};
use match_core::schedule::Schedule;
use match_core::spec::SpecError;
use tempfile::Builder;
use thiserror::Error;

use crate::reporter::ReportError;
use crate::reporter::append::{Appended, folder};
use crate::reporter::files::mend::{self, Ours};

mod sync;

use sync::Sync;

/// A journal that is written.
#[derive(Debug)]
pub struct Journal {
    file: Appended,
    sync: Sync,
}

/// A journal that was opened to go on with its contest. Nothing of it has been changed.
#[derive(Debug)]
pub struct Opened {
    path: PathBuf,
    /// The path as a person gave it.
    name: String,
    file: File,
    read: Read,
}

/// Why there is no journal to be had.
#[derive(Debug, Error)]
pub enum JournalFault {
    /// It cannot be read.
    #[error("failed to read the journal `{}`", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be written.
    #[error("failed to write the journal `{}`", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Somebody is at it.
    #[error("the journal `{}` is in use: another arbiter plays its contest", path.display())]
    InUse {
        /// Which.
        path: PathBuf,
    },
    /// It is damaged, or something else.
    #[error("the journal `{}` cannot be used", path.display())]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: JournalError,
    },
    /// There is one of an unfinished contest where a new one was to be.
    #[error("`{}` is the journal of a contest of which {played}", path.display())]
    Unfinished {
        /// Which.
        path: PathBuf,
        /// Such as `12 of 20 games have been played`.
        played: String,
    },
    /// There is another file where a journal was to be.
    #[error("`{}` is there already and is not touched: it is no journal of arbiter", path.display())]
    Foreign {
        /// Which.
        path: PathBuf,
    },
    /// The settings do not survive being written down.
    #[error("the settings of this contest cannot be kept in a journal")]
    Settings {
        /// Which of them.
        source: SpecError,
    },
}

/// What is where a new journal is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing.
    Free,
    /// The journal of a contest that was played to its end.
    Finished,
}

/// Somebody who was killed may hold a lock as long as the kernel takes to bury them.
const LOCK_PATIENCE: Duration = Duration::from_millis(500);
const LOCK_PAUSE: Duration = Duration::from_millis(10);

impl JournalFault {
    /// What may help.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unfinished { path, .. } => Some(format!(
                "`{}` goes on with it; `--journal OTHER` begins another contest beside it",
                resume_command("arbiter", path)
            )),
            Self::Foreign { .. } => Some("`--journal FILE` keeps the journal elsewhere".into()),
            Self::Settings { .. } => Some("`--no-journal` plays without one".into()),
            Self::Read { .. } | Self::Write { .. } | Self::InUse { .. } | Self::Unusable { .. } => {
                None
            }
        }
    }
}

/// What goes on with the contest of a journal, as a shell reads it.
pub fn resume_command(program: &str, journal: &Path) -> String {
    let quoted = |word: &str| shlex::try_quote(word).map(String::from).unwrap_or_default();
    let journal = journal.display().to_string();
    format!("{} match --resume {}", quoted(program), quoted(&journal))
}

impl Journal {
    /// Looks at the place of a new journal, before anything else is done for its contest.
    ///
    /// # Errors
    /// When something is there that must not be lost.
    pub fn look(path: &Path) -> Result<Place, JournalFault> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Place::Free),
            Err(source) => return Err(read_fault(path, source)),
        };
        if !metadata.is_file() {
            return Err(JournalFault::Foreign { path: path.into() });
        }
        if metadata.len() == 0 {
            return Ok(Place::Free);
        }
        match Opened::open(path) {
            Ok(opened) if opened.read.past.is_over => Ok(Place::Finished),
            // It was begun and nothing has happened.
            Ok(opened) if opened.read.past.next_seq == 0 => Ok(Place::Free),
            Ok(opened) => Err(JournalFault::Unfinished {
                path: path.into(),
                played: opened.played(),
            }),
            Err(JournalFault::Unusable {
                source: JournalError::Foreign(_),
                path,
            }) => Err(JournalFault::Foreign { path }),
            Err(fault) => Err(fault),
        }
    }

    /// Begins a journal, in the place of a finished one if there is one. It is there with its whole
    /// head or not at all.
    ///
    /// # Errors
    /// When something is there that must not be lost, or it cannot be written.
    pub fn begin(path: &Path, head: &Head) -> Result<Self, JournalFault> {
        let line = head
            .line()
            .map_err(|source| JournalFault::Settings { source })?;
        Self::look(path)?;
        let file = create(path, line.as_bytes()).map_err(|source| JournalFault::Write {
            path: path.into(),
            source,
        })?;
        Self::on(path, file)
    }

    fn on(path: &Path, file: File) -> Result<Self, JournalFault> {
        let write = |source| JournalFault::Write {
            path: path.into(),
            source,
        };
        Ok(Self {
            sync: Sync::start(file.try_clone().map_err(write)?).map_err(write)?,
            file: Appended::on(path, file),
        })
    }

    /// Writes a record.
    ///
    /// # Errors
    /// When it could not be written, or an earlier one not be brought to the disk.
    pub(crate) fn append(&mut self, record: &str) -> Result<(), ReportError> {
        let line = format!("{record}\n");
        self.file.append(line.as_bytes())?;
        self.sync.ask().map_err(|source| self.file.error(source))
    }

    /// Brings all records to the disk.
    ///
    /// # Errors
    /// When that fails.
    pub(crate) fn sync(&mut self) -> Result<(), ReportError> {
        self.sync.now().map_err(|source| self.file.error(source))
    }
}

impl Opened {
    /// Opens and locks a journal and reads all of it.
    ///
    /// # Errors
    /// When it cannot be read, is in use, or cannot be gone on with.
    pub fn open(path: &Path) -> Result<Self, JournalFault> {
        let file = File::options().read(true).append(true).open(path);
        let file = file.map_err(|source| read_fault(path, source))?;
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if !is_file {
            return Err(JournalFault::Foreign { path: path.into() });
        }
        lock(path, &file)?;
        let read = read(path, &file)?;
        Ok(Self {
            path: path.into(),
            name: path.display().to_string(),
            file,
            read,
        })
    }

    /// What it holds.
    pub fn read(&self) -> &Read {
        &self.read
    }

    /// The same, as it is found from another folder.
    #[must_use]
    pub fn at(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// `12 of 20 games have been played`.
    pub fn played(&self) -> String {
        let Read { head, past, .. } = &self.read;
        let games = past.ledger.games();
        if head.spec.is_open_ended() {
            format!("{games} games have been played")
        } else {
            let all = Schedule::new(&head.spec, head.book.openings).games();
            format!("{games} of {all} games have been played")
        }
    }

    /// Makes everything fit to go on with: the torn end of the journal is cut off, and the files of
    /// the contest are made to say what the journal says. Gives the journal and what was done, a line
    /// each.
    ///
    /// # Errors
    /// When one of the files cannot be written.
    pub fn mend(self) -> Result<(Journal, Vec<String>), ReportError> {
        let Self {
            path,
            name,
            file,
            read,
        } = self;
        let mut notices = Vec::new();
        let failed = |source| ReportError::new(format!("`{}`", path.display()), source);
        // Asked before it is changed: no game of the contest has ended later, but for the moment
        // between two writes.
        let written = file.metadata().and_then(|metadata| metadata.modified());
        let written = written.map_err(failed)?;
        if let Some(torn) = &read.torn {
            file.set_len(read.whole).map_err(failed)?;
            notices.push(format!(
                "the end of `{name}` was torn, {}: it is cut off",
                torn.describe()
            ));
        }
        let contest = Ours {
            spec: &read.head.spec,
            games: Schedule::new(&read.head.spec, read.head.book.openings).games(),
            pgn_bytes: read.head.pgn_bytes,
            written,
        };
        mend::all(&path, &contest, &mut notices)?;
        match Journal::on(&path, file) {
            Ok(journal) => Ok((journal, notices)),
            Err(JournalFault::Write { path, source }) => {
                Err(ReportError::new(format!("`{}`", path.display()), source))
            }
            Err(_) => unreachable!("it is open, locked and read"),
        }
    }
}

/// Beside the place where it will be, so that a rename puts it there.
fn create(path: &Path, head: &[u8]) -> io::Result<File> {
    let folder = folder(path);
    // Asked first, because the error of a temporary file names that file, which nobody knows.
    folder.metadata()?;
    let mut file = Builder::new()
        .prefix(".journal")
        .permissions(fs::Permissions::from_mode(0o666))
        .append(true)
        .tempfile_in(folder)?;
    file.as_file().lock()?;
    file.write_all(head)?;
    file.as_file().sync_all()?;
    let file = file.persist(path)?;
    // The name is durable when the folder is.
    File::open(folder)?.sync_all()?;
    Ok(file)
}

fn lock(path: &Path, file: &File) -> Result<(), JournalFault> {
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(fs::TryLockError::WouldBlock) if waited < LOCK_PATIENCE => {
                thread::sleep(LOCK_PAUSE);
                waited += LOCK_PAUSE;
            }
            Err(fs::TryLockError::WouldBlock) => {
                return Err(JournalFault::InUse { path: path.into() });
            }
            Err(fs::TryLockError::Error(source)) => return Err(read_fault(path, source)),
        }
    }
}

fn read(path: &Path, file: &File) -> Result<Read, JournalFault> {
    let unusable = |source| JournalFault::Unusable {
        path: path.into(),
        source,
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| {
        line.clear();
        reader
            .read_until(b'\n', line)
            .map_err(|source| read_fault(path, source))
    };
    next(&mut line)?;
    let mut reading = Reading::begin(&line).map_err(unusable)?;
    while next(&mut line)? > 0 {
        reading.line(&line).map_err(unusable)?;
    }
    Ok(reading.finish())
}

fn read_fault(path: &Path, source: io::Error) -> JournalFault {
    JournalFault::Read {
        path: path.into(),
        source,
    }
}
