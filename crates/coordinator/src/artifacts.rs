//! Files by their SHA-256: engines, networks, books.

use std::io;
use std::path::{Path, PathBuf};

use fleet_core::test_spec::Sha256 as Hash;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

use crate::secret::hex;

/// A folder of files that are called what they hash to.
#[derive(Clone, Debug)]
pub struct Artifacts {
    folder: PathBuf,
    /// The longest file, in bytes.
    most: u64,
}

/// A file that is on its way in.
#[derive(Debug)]
pub(crate) struct Upload {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    wanted: Hash,
    hasher: Sha256,
    length: u64,
    most: u64,
}

/// Why a file was not taken.
#[derive(Debug, Error)]
pub(crate) enum ArtifactError {
    /// The disk says no.
    #[error("failed to keep the file")]
    Io(#[from] io::Error),
    /// It is another file than it was said to be, or half of it.
    #[error("the file has the SHA-256 `{found}` and not `{wanted}`")]
    Hash {
        /// Of what came.
        found: String,
        /// What was said.
        wanted: String,
    },
    /// It does not end.
    #[error("a file has at most {0} bytes")]
    TooLong(u64),
}

impl Artifacts {
    /// Those in `folder`, which is made, of at most `most` bytes each.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(folder: PathBuf, most: u64) -> io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        Ok(Self { folder, most })
    }

    /// The longest file, in bytes.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Where the file with this hash is, if it is there.
    pub(crate) async fn find(&self, hash: &Hash) -> Option<PathBuf> {
        let path = self.path(hash);
        fs::try_exists(&path).await.unwrap_or(false).then_some(path)
    }

    /// Begins to take the file with this hash.
    pub(crate) async fn upload(&self, hash: Hash) -> Result<Upload, ArtifactError> {
        let target = self.path(&hash);
        let folder = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).await?;
        let temporary = folder.join(format!(".{}", Uuid::new_v4()));
        Ok(Upload {
            file: File::create_new(&temporary).await?,
            temporary,
            target,
            wanted: hash,
            hasher: Sha256::new(),
            length: 0,
            most: self.most,
        })
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        let digits = hash.as_str();
        self.folder.join(&digits[..2]).join(digits)
    }
}

impl Upload {
    /// The next bytes.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), ArtifactError> {
        self.length += bytes.len() as u64;
        if self.length > self.most {
            return Err(ArtifactError::TooLong(self.most));
        }
        self.hasher.update(bytes);
        Ok(self.file.write_all(bytes).await?)
    }

    /// The file is whole: keeps it if it is what it was said to be.
    pub(crate) async fn finish(mut self) -> Result<(), ArtifactError> {
        let found = hex(&std::mem::take(&mut self.hasher).finalize());
        if found != self.wanted.as_str() {
            return Err(ArtifactError::Hash {
                found,
                wanted: self.wanted.as_str().to_owned(),
            });
        }
        self.file.sync_all().await?;
        Ok(fs::rename(&self.temporary, &self.target).await?)
    }
}

impl Drop for Upload {
    /// What was not finished leaves nothing; what was has no temporary file any more.
    fn drop(&mut self) {
        let _it_was_renamed = std::fs::remove_file(&self.temporary);
    }
}
