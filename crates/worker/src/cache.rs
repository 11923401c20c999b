//! What was fetched and built, bounded in size: what was not used for longest goes first. An entry comes at
//! once and goes at once, or not at all.
//!
//! ```text
//! artifacts/HASH      a file by its SHA-256; every program may be executed, so all files may
//! builds/KEY/         a program that was built, by the hash of how
//! git/HASH/           a repository by the hash of its address
//! ```
//!
//! The time of an entry's last use is the time of its modification.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use fleet_client::{CallError, Client, Digest, Trouble};
use match_runner::Interrupts;
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::home::Home;
use crate::removal::{Workplace, remove, unlock};
use crate::room::{Room, taken};
use crate::talk::Talk;

/// How often a file is fetched that comes cut short, wrong or not at all.
const ATTEMPTS: u32 = 6;

/// Before the second attempt; doubles after each.
const PAUSE: Duration = Duration::from_millis(500);

/// How often it is looked whether somebody wants us to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Folders of the cache.
const KINDS: [&str; 3] = ["artifacts", "builds", "git"];

/// What is kept of the network and of compilers.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    /// For what comes and what goes.
    scratch: PathBuf,
    bytes: u64,
    talk: Talk,
}

/// Why a file is not there.
#[derive(Debug, Error)]
pub(crate) enum FetchError {
    #[error("file {sha256} cannot be fetched")]
    Call { sha256: String, source: CallError },
    #[error("file {sha256} was cut short {ATTEMPTS} times")]
    Cut { sha256: String, source: io::Error },
    #[error("file {sha256} came {ATTEMPTS} times with another content, of hash {found}")]
    Wrong { sha256: String, found: String },
    #[error("the cache cannot be written")]
    Disk(#[from] io::Error),
    #[error("interrupted")]
    Interrupted,
}

impl Cache {
    /// The cache of a home, of about `bytes` bytes.
    pub(crate) fn open(home: &Home, bytes: u64, talk: Talk) -> io::Result<Self> {
        let folder = home.folder("cache");
        for kind in KINDS {
            fs::create_dir_all(folder.join(kind))?;
        }
        // Downloads of earlier versions that were cut off.
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_file() {
                remove(&path)?;
            }
        }
        Ok(Self {
            folder,
            scratch: home.folder("work"),
            bytes,
            talk,
        })
    }

    /// The place of what was built or cloned.
    pub(crate) fn entry(&self, kind: &str, key: &str) -> PathBuf {
        self.folder.join(kind).join(key)
    }

    /// The bound on what is made in `folder`: more than a whole cache is never kept.
    pub(crate) fn room<'a>(&self, folder: &'a Path) -> Room<'a> {
        Room {
            folder,
            bytes: self.bytes,
        }
    }

    /// The file of this hash, fetched if need be.
    pub(crate) fn fetch(
        &self,
        sha256: &str,
        client: &Client,
        interrupts: &Interrupts,
    ) -> Result<PathBuf, FetchError> {
        let path = self.entry("artifacts", sha256);
        if path.exists() {
            touch(&path)?;
            return Ok(path);
        }
        let mut pause = PAUSE;
        for attempt in 1.. {
            let error = match self.try_fetch(sha256, &path, client, interrupts) {
                Ok(()) => return Ok(path),
                Err(error) => error,
            };
            let is_hopeless = match &error {
                FetchError::Call { source, .. } => source.trouble() != Trouble::Away,
                FetchError::Cut { .. } | FetchError::Wrong { .. } => false,
                FetchError::Disk(_) | FetchError::Interrupted => true,
            };
            if is_hopeless || attempt == ATTEMPTS {
                return Err(error);
            }
            rest(pause, interrupts)?;
            pause *= 2;
        }
        unreachable!("the last attempt returns")
    }

    fn try_fetch(
        &self,
        sha256: &str,
        path: &Path,
        client: &Client,
        interrupts: &Interrupts,
    ) -> Result<(), FetchError> {
        let mut body = client
            .get_artifact(sha256)
            .map_err(|source| FetchError::Call {
                sha256: sha256.to_owned(),
                source,
            })?;
        let mut file = NamedTempFile::new_in(&self.scratch)?;
        let mut digest = Digest::default();
        let mut buffer = vec![0; 1 << 16];
        loop {
            if interrupts.count() > 0 {
                return Err(FetchError::Interrupted);
            }
            let read = body.read(&mut buffer).map_err(|source| FetchError::Cut {
                sha256: sha256.to_owned(),
                source,
            })?;
            if read == 0 {
                break;
            }
            digest.write_all(&buffer[..read])?;
            file.write_all(&buffer[..read])?;
        }
        let found = digest.finish();
        if found != sha256 {
            return Err(FetchError::Wrong {
                sha256: sha256.to_owned(),
                found,
            });
        }
        file.as_file()
            .set_permissions(Permissions::from_mode(0o755))?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Makes room: what was not used for longest goes, until all fits, but nothing of what is `used`. What
    /// cannot go is told, and is no reason not to play.
    pub(crate) fn evict(&self, used: &[PathBuf]) {
        let mut entries = Vec::new();
        for kind in KINDS {
            let folder = fs::read_dir(self.folder.join(kind));
            for entry in folder.into_iter().flatten().flatten() {
                let metadata = entry.metadata().and_then(|metadata| metadata.modified());
                let used_at = metadata.unwrap_or(SystemTime::UNIX_EPOCH);
                entries.push((used_at, taken(&entry.path()), entry.path()));
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|&(_, size, _)| size).sum();
        for (_, size, path) in entries {
            if total <= self.bytes {
                break;
            }
            if used.iter().any(|used| used.starts_with(&path)) {
                continue;
            }
            match self.discard(&path) {
                Ok(()) => total -= size,
                Err(error) => self.talk.warn(format_args!(
                    "`{}` cannot be deleted to keep the cache small: {error}",
                    path.display()
                )),
            }
        }
    }

    /// Takes an entry away, if it is there. It leaves the cache first: half of one would be taken for whole.
    pub(crate) fn discard(&self, entry: &Path) -> io::Result<()> {
        match entry.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            // What leads from a folder to the one above it is in the folder itself.
            Ok(metadata) if metadata.is_dir() => unlock(entry)?,
            _ => {}
        }
        let bin = Workplace::new_in(&self.scratch)?;
        let thrown = bin.path().join("entry");
        fs::rename(entry, &thrown)?;
        remove(&thrown)
    }
}

/// Notes that an entry is used.
pub(crate) fn touch(path: &Path) -> io::Result<()> {
    File::open(path)?.set_modified(SystemTime::now())
}

/// Waits, unless somebody wants us to stop.
fn rest(pause: Duration, interrupts: &Interrupts) -> Result<(), FetchError> {
    let until = Instant::now() + pause;
    loop {
        if interrupts.count() > 0 {
            return Err(FetchError::Interrupted);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        thread::park_timeout(left.min(LOOK_UP));
    }
}
