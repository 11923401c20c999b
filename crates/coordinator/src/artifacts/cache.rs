//! Copies of files that are elsewhere, of which there are not too many.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use axum::body::Bytes;
use fleet_core::test_spec::Sha256 as Hash;
use futures_util::{Stream, StreamExt};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::ArtifactError;
use crate::secret::hex;

/// Nobody writes a file for longer.
const LONG_AGO: Duration = Duration::from_secs(60 * 60);

/// A folder of files that are called what they hash to. What was not used for longest makes room. Nothing
/// in it need survive anything.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    /// Bytes of all files together; the newest one may have more alone.
    most: u64,
}

/// A file that is not yet what it should be.
struct Temporary(PathBuf);

impl Cache {
    /// The cache in `folder`, which is made; what somebody was writing when he died is removed.
    pub(super) fn open(folder: PathBuf, most: u64) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let is_old = |age: Duration| age > LONG_AGO;
            if entry.file_name().to_string_lossy().starts_with('.')
                && entry.metadata()?.modified()?.elapsed().is_ok_and(is_old)
            {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(Self { folder, most })
    }

    pub(super) fn find(&self, hash: &Hash) -> Option<PathBuf> {
        let path = self.folder.join(hash.as_str());
        let file = File::options().append(true).open(&path).ok()?;
        let _it_only_looks_older = file.set_modified(SystemTime::now());
        Some(path)
    }

    /// Keeps what comes, if it is the file with this hash.
    pub(super) async fn add(
        &self,
        hash: &Hash,
        mut bytes: impl Stream<Item = io::Result<Bytes>> + Unpin,
    ) -> Result<PathBuf, ArtifactError> {
        let temporary = Temporary(self.folder.join(format!(".{}", Uuid::new_v4())));
        let mut file = File::create_new(&temporary.0)?;
        let mut hasher = Sha256::new();
        while let Some(chunk) = bytes.next().await {
            let chunk = chunk?;
            hasher.update(&chunk);
            // Into the kernel's memory: that takes microseconds.
            file.write_all(&chunk)?;
        }
        let found = hex(&hasher.finalize());
        if found != hash.as_str() {
            return Err(ArtifactError::Hash {
                found,
                wanted: hash.as_str().to_owned(),
            });
        }
        let path = self.folder.join(hash.as_str());
        fs::rename(&temporary.0, &path)?;
        self.make_room(&path)?;
        Ok(path)
    }

    /// Removes what was not used for longest, but never `newest`. Who has a file open goes on reading it.
    fn make_room(&self, newest: &Path) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            files.push((metadata.modified()?, metadata.len(), entry.path()));
        }
        files.sort();
        let mut all: u64 = files.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in files {
            if all <= self.most {
                break;
            }
            if path != newest {
                fs::remove_file(&path)?;
                all -= length;
            }
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _it_was_renamed = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    fn hash(text: &str) -> Hash {
        Hash::parse(&hex(&Sha256::digest(text.as_bytes()))).expect("a hash")
    }

    async fn add(cache: &Cache, name: &Hash, text: &'static str) -> Result<PathBuf, ArtifactError> {
        let bytes = stream::iter([Ok(Bytes::from_static(text.as_bytes()))]);
        cache.add(name, bytes).await
    }

    #[tokio::test]
    async fn what_was_not_used_for_longest_makes_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(folder.path().to_owned(), 10).expect("room");
        let (one, two, three) = ("1111", "2222", "3333");
        for text in [one, two] {
            add(&cache, &hash(text), text).await.expect("room");
        }
        let long_ago = SystemTime::UNIX_EPOCH;
        let file = File::options()
            .append(true)
            .open(folder.path().join(hash(one).as_str()));
        file.and_then(|file| file.set_modified(long_ago))
            .expect("it is ours");
        let path = add(&cache, &hash(three), three).await.expect("room");
        assert_eq!(fs::read_to_string(path).expect("it is there"), three);
        assert!(cache.find(&hash(one)).is_none());
        assert!(cache.find(&hash(two)).is_some());
    }

    #[tokio::test]
    async fn half_a_file_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(folder.path().to_owned(), 10).expect("room");
        let error = add(&cache, &hash("whole"), "who").await.expect_err("half");
        assert!(matches!(error, ArtifactError::Hash { .. }), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
    }
}
