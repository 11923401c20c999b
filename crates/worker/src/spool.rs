//! Results that nobody has acknowledged, on the disk.
//!
//! A segment is a file, written whole or not at all and deleted when it is acknowledged. It holds the
//! pairs that were finished since the last one, so slow games are kept one pair at a time, and fast
//! ones do not wait for the disk each.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fleet_api::PairReport;
use fleet_core::agent::{Segment, SegmentId};
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::home::{Home, write_durably};
use crate::journal::Journal;
use crate::talk::Talk;

/// So many bytes are to be free before anything is played: some thousands of pairs of usual games.
const ROOM: u64 = 8 << 20;

/// The spool of a home.
#[derive(Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
    refused: PathBuf,
    next: AtomicU64,
    journal: Journal,
    talk: Talk,
    /// It was told that the journal cannot be written.
    is_journal_lost: AtomicBool,
    /// It was told that there is no room.
    is_full: AtomicBool,
}

/// What is in a file.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    #[serde(default)]
    test: Cow<'a, str>,
    lease: Cow<'a, str>,
    pairs: Cow<'a, [PairReport]>,
}

impl Spool {
    /// Opens the spool and says what an earlier life left in it.
    pub(crate) fn open(home: &Home, talk: &Talk) -> io::Result<(Self, Vec<Segment>)> {
        let folder = home.folder("spool");
        let refused = home.folder("refused");
        let mut next = 0;
        for known in [&folder, &refused] {
            for entry in fs::read_dir(known)? {
                next = next.max(number(&entry?.path()).map_or(0, |number| number + 1));
            }
        }
        let spool = Self {
            folder,
            refused,
            next: AtomicU64::new(next),
            journal: Journal::of(home),
            talk: talk.clone(),
            is_journal_lost: AtomicBool::new(false),
            is_full: AtomicBool::new(false),
        };
        let mut left = Vec::new();
        for entry in fs::read_dir(&spool.folder)? {
            let path = entry?.path();
            let Some(number) = number(&path) else {
                // What was being written when the last life ended.
                fs::remove_file(&path)?;
                continue;
            };
            let id = SegmentId(number);
            match spool.stored(id) {
                Ok(Stored { test, lease, pairs }) => {
                    // The last life may have ended before it wrote that down.
                    spool.note(&test, &lease, &pairs);
                    left.push(Segment {
                        id,
                        lease: lease.into_owned(),
                        pairs: pairs.len() as u64,
                    });
                }
                Err(error) => {
                    talk.warn(format_args!(
                        "`{}` cannot be read and is set aside: {error}",
                        path.display()
                    ));
                    spool.set_aside(id)?;
                }
            }
        }
        left.sort_by_key(|segment| segment.id);
        Ok((spool, left))
    }

    /// Keeps `pairs` of `test` that were played under `lease`: when this returns no crash loses them.
    pub(crate) fn keep(
        &self,
        test: &str,
        lease: &str,
        pairs: &[PairReport],
    ) -> io::Result<Segment> {
        let id = SegmentId(self.next.fetch_add(1, Ordering::Relaxed));
        let stored = Stored {
            test: test.into(),
            lease: lease.into(),
            pairs: pairs.into(),
        };
        write_durably(&self.folder, &self.path(id), &serde_json::to_vec(&stored)?)?;
        self.note(test, lease, pairs);
        Ok(Segment {
            id,
            lease: lease.to_owned(),
            pairs: pairs.len() as u64,
        })
    }

    /// Writes it down for people. What is in the spool is kept, whatever comes of this.
    fn note(&self, test: &str, lease: &str, pairs: &[PairReport]) {
        let noted = self.journal.add(test, lease, pairs);
        if let Err(error) = &noted
            && !self.is_journal_lost.load(Ordering::Relaxed)
        {
            self.talk.warn(format_args!(
                "`played.jsonl` cannot be written, results are reported all the same: {error}"
            ));
        }
        self.is_journal_lost
            .store(noted.is_err(), Ordering::Relaxed);
    }

    /// Whether results could be kept; told when it changes. What cannot be kept is not worth playing.
    pub(crate) fn has_room(&self) -> bool {
        let found = self.look_for_room();
        let was_full = self.is_full.swap(found.is_err(), Ordering::Relaxed);
        match found {
            Err(error) if !was_full => self.talk.warn(format_args!(
                "results could not be kept, so nothing is played until {} MiB are free in `{}`: {error}",
                ROOM >> 20,
                self.folder.display()
            )),
            Ok(()) if was_full => self.talk.note("there is room for results again"),
            Ok(()) | Err(_) => {}
        }
        !self.is_full.load(Ordering::Relaxed)
    }

    fn look_for_room(&self) -> io::Result<()> {
        let file = tempfile::tempfile_in(&self.folder)?;
        match fallocate(file, FallocateFlags::empty(), 0, ROOM) {
            // Not all file systems can say.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            found => Ok(found?),
        }
    }

    /// The lease and the pairs of a segment.
    pub(crate) fn read(&self, id: SegmentId) -> io::Result<(String, Vec<PairReport>)> {
        let Stored { lease, pairs, .. } = self.stored(id)?;
        Ok((lease.into_owned(), pairs.into_owned()))
    }

    fn stored(&self, id: SegmentId) -> io::Result<Stored<'static>> {
        Ok(serde_json::from_slice(&fs::read(self.path(id))?)?)
    }

    /// Deletes segments that are acknowledged. If that is lost in a crash they are reported again,
    /// which changes nothing.
    pub(crate) fn forget(&self, ids: &[SegmentId]) -> io::Result<()> {
        ids.iter()
            .try_for_each(|&id| fs::remove_file(self.path(id)))
    }

    /// Moves a segment to where people look for it.
    pub(crate) fn set_aside(&self, id: SegmentId) -> io::Result<PathBuf> {
        let path = self.refused.join(file_name(id));
        fs::rename(self.path(id), &path)?;
        File::open(&self.refused)?.sync_all()?;
        Ok(path)
    }

    fn path(&self, id: SegmentId) -> PathBuf {
        self.folder.join(file_name(id))
    }
}

fn file_name(id: SegmentId) -> String {
    format!("{:012}.json", id.0)
}

/// The number of a segment's file.
fn number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".json")?.parse().ok()
}
