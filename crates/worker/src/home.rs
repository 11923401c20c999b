//! A worker's folder: what outlives its process.
//!
//! ```text
//! id               who this worker is, for ever
//! lives            its processes: the last that the coordinator has answered, and those since
//! lock             held while a worker runs here
//! spool/           results that nobody has acknowledged
//! refused/         results that the coordinator refuses to take, for people
//! played.jsonl     what was played here, for people
//! cache/           files by their hash, repositories, programs that were built
//! speeds/          how fast base engines are here
//! work/            whatever is under way; emptied at the start, as far as it can be
//! ```

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use fleet_api::Life;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tempfile::NamedTempFile;

use crate::removal::{remove, unlock};
use crate::talk::Talk;
use crate::worker::WorkerError;

/// How long the end of a killed worker is waited for.
const LAST_BREATH: Duration = Duration::from_secs(3);

/// How often it is looked for.
const GLANCE: Duration = Duration::from_millis(20);

/// The file of processes.
const LIVES: &str = "lives";

/// Processes without an answer that are remembered.
const LIVES_MAX: usize = 64;

/// The folder, which is ours alone as long as this lives.
#[derive(Debug)]
pub(crate) struct Home {
    path: PathBuf,
    worker: String,
    life: Option<Life>,
    _lock: File,
}

impl Home {
    /// Opens the folder at `path`, and makes it if need be.
    pub(crate) fn open(path: &Path, talk: &Talk) -> Result<Self, WorkerError> {
        let failed = |source| WorkerError::Home {
            path: path.to_owned(),
            source,
        };
        // Engines are started in folders of their own, and then relative paths mean something else.
        let path = std::path::absolute(path).map_err(failed)?;
        for folder in ["spool", "refused", "cache", "work"] {
            fs::create_dir_all(path.join(folder)).map_err(failed)?;
        }
        let lock = File::create(path.join("lock")).map_err(failed)?;
        take(&lock).map_err(|errno| match errno {
            Errno::WOULDBLOCK => WorkerError::Busy { path: path.clone() },
            errno => failed(errno.into()),
        })?;
        empty(&path.join("work"), talk).map_err(failed)?;
        let worker = identity(&path).map_err(failed)?;
        // Without room it works all the same: what it has to report is worth more.
        let life = begin_life(&path).inspect_err(|error| {
            talk.warn(format_args!(
                "`{}` cannot be written: {error}",
                path.join(LIVES).display()
            ));
        });
        Ok(Self {
            path,
            worker,
            life: life.ok(),
            _lock: lock,
        })
    }

    /// What this worker is called, the same in every life.
    pub(crate) fn worker(&self) -> &str {
        &self.worker
    }

    /// This life, and those before it.
    pub(crate) fn life(&self) -> Option<&Life> {
        self.life.as_ref()
    }

    /// The coordinator has heard of this life: those before it are over for good.
    pub(crate) fn was_answered(&self) -> io::Result<()> {
        match &self.life {
            Some(life) => keep_lives(&self.path, &[&life.id]),
            None => Ok(()),
        }
    }

    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// Takes the lock. A worker that was killed holds it until all of it is gone, which takes a moment, and
/// who starts another one at once is not to be refused for that.
fn take(lock: &File) -> Result<(), Errno> {
    let until = Instant::now() + LAST_BREATH;
    loop {
        match flock(lock, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) if Instant::now() < until => thread::sleep(GLANCE),
            result => return result,
        }
    }
}

/// Deletes what an earlier life left under way. What somebody else owns cannot be deleted, and is in
/// nobody's way: names in there are never used again.
fn empty(work: &Path, talk: &Talk) -> io::Result<()> {
    unlock(work)?;
    for entry in fs::read_dir(work)? {
        let path = entry?.path();
        if let Err(error) = remove(&path) {
            talk.warn(format_args!(
                "`{}` is left of an earlier build and cannot be deleted: {error}",
                path.display()
            ));
        }
    }
    Ok(())
}

fn identity(home: &Path) -> io::Result<String> {
    let path = home.join("id");
    match fs::read_to_string(&path) {
        Ok(text) if !text.trim().is_empty() => return Ok(text.trim().to_owned()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        // An empty file is what a full disk leaves behind.
        Ok(_) | Err(_) => {}
    }
    let id = random_name()?;
    write_durably(home, &path, format!("{id}\n").as_bytes())?;
    Ok(id)
}

/// A new life, which is kept before anybody hears of it.
fn begin_life(home: &Path) -> io::Result<Life> {
    let text = match fs::read_to_string(home.join(LIVES)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let mut before: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    // The first is the one that had an answer.
    while before.len() > LIVES_MAX {
        before.remove(1);
    }
    let id = random_name()?;
    let lives: Vec<&str> = before.iter().chain([&id]).map(String::as_str).collect();
    keep_lives(home, &lives)?;
    Ok(Life { id, before })
}

fn keep_lives(home: &Path, lives: &[&str]) -> io::Result<()> {
    write_durably(home, &home.join(LIVES), lives.join("\n").as_bytes())
}

fn random_name() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a file of `folder` so that it is there whole or not at all, whatever happens, and stays.
pub(crate) fn write_durably(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}
