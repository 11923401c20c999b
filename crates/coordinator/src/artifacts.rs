//! Files by their SHA-256 - engines, networks, books - and, in object storage, the games of tests that
//! are over.

use std::io;
use std::path::PathBuf;

use axum::body::Bytes;
use fleet_core::test_spec::Sha256 as Hash;
use futures_util::stream::BoxStream;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::secret::hex;
use bucket::Bucket;
use folder::Folder;

mod bucket;
mod cache;
mod folder;

pub use bucket::BucketError;

/// Files that are called what they hash to.
#[derive(Clone, Debug)]
pub struct Artifacts {
    home: Home,
    /// The longest file, in bytes.
    most: u64,
}

/// Where they are.
#[derive(Clone, Debug)]
enum Home {
    Folder(Folder),
    Bucket(Bucket),
}

/// A file that is on its way in.
#[derive(Debug)]
pub(crate) struct Upload {
    way: Way,
    wanted: Hash,
    hasher: Sha256,
    length: u64,
    most: u64,
}

/// What is not kept at the end leaves nothing.
#[derive(Debug)]
enum Way {
    Folder(folder::Upload),
    Bucket(bucket::Upload),
}

/// A file that is on its way out.
pub(crate) struct Download {
    /// In bytes.
    pub(crate) length: u64,
    pub(crate) bytes: BoxStream<'static, io::Result<Bytes>>,
}

/// Why a file was not taken or given.
#[derive(Debug, Error)]
pub(crate) enum ArtifactError {
    /// The disk says no.
    #[error("the disk: {0}")]
    Io(#[from] io::Error),
    /// The object storage says no.
    #[error("the object storage: {0}")]
    Bucket(#[from] object_store::Error),
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
        Ok(Self {
            home: Home::Folder(Folder::open(folder)?),
            most,
        })
    }

    /// Those in object storage at `address`, `s3://bucket/prefix`, of at most `most` bytes each. Who we are
    /// is said by `variables` that are called as in other programs' environments, `AWS_...`. Books are read
    /// from copies in the folder `cache`, which is made.
    ///
    /// # Errors
    /// When the address is none, or what is written there does not come back.
    pub async fn open_bucket(
        address: &str,
        variables: &[(String, String)],
        cache: PathBuf,
        most: u64,
    ) -> Result<Self, BucketError> {
        Ok(Self {
            home: Home::Bucket(Bucket::open(address, variables, cache).await?),
            most,
        })
    }

    /// The longest file, in bytes.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Whether the file with this hash is here.
    pub(crate) async fn has(&self, hash: &Hash) -> Result<bool, ArtifactError> {
        match &self.home {
            Home::Folder(folder) => Ok(folder.find(hash).await?.is_some()),
            Home::Bucket(bucket) => bucket.has(hash).await,
        }
    }

    /// A path of the file with this hash, for reading it now, if it is here.
    pub(crate) async fn local(&self, hash: &Hash) -> Result<Option<PathBuf>, ArtifactError> {
        match &self.home {
            Home::Folder(folder) => Ok(folder.find(hash).await?),
            Home::Bucket(bucket) => bucket.local(hash).await,
        }
    }

    /// The file with this hash, if it is here.
    pub(crate) async fn download(&self, hash: &Hash) -> Result<Option<Download>, ArtifactError> {
        match &self.home {
            Home::Folder(folder) => Ok(folder.download(hash).await?),
            Home::Bucket(bucket) => bucket.download(hash).await,
        }
    }

    /// Begins to take the file with this hash.
    pub(crate) async fn upload(&self, hash: Hash) -> Result<Upload, ArtifactError> {
        let way = match &self.home {
            Home::Folder(folder) => Way::Folder(folder.upload(&hash).await?),
            Home::Bucket(bucket) => Way::Bucket(bucket.upload(&hash)),
        };
        Ok(Upload {
            way,
            wanted: hash,
            hasher: Sha256::new(),
            length: 0,
            most: self.most,
        })
    }

    /// Whether the games of tests that are over belong here. In a folder they would only move from one
    /// file of the same disk to another.
    pub(crate) fn keep_games(&self) -> bool {
        matches!(self.home, Home::Bucket(_))
    }

    /// Keeps some games, and reads them again before it says so.
    pub(crate) async fn put_games(&self, name: &str, bytes: Vec<u8>) -> Result<(), ArtifactError> {
        match &self.home {
            Home::Folder(_) => unreachable!("they are kept in object storage only"),
            Home::Bucket(bucket) => bucket.put_games(name, bytes.into()).await,
        }
    }

    /// Games that were kept.
    pub(crate) async fn games(&self, name: &str) -> Result<Bytes, ArtifactError> {
        match &self.home {
            Home::Folder(_) => Err(io::Error::other(
                "the games were moved to object storage (`--artifacts s3://...`), which is not used now",
            )
            .into()),
            Home::Bucket(bucket) => bucket.games(name).await,
        }
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
        match &mut self.way {
            Way::Folder(upload) => Ok(upload.write(bytes).await?),
            Way::Bucket(upload) => Ok(upload.write(bytes).await?),
        }
    }

    /// The file is whole: keeps it if it is what it was said to be.
    pub(crate) async fn finish(self) -> Result<(), ArtifactError> {
        let found = hex(&self.hasher.finalize());
        if found != self.wanted.as_str() {
            return Err(ArtifactError::Hash {
                found,
                wanted: self.wanted.as_str().to_owned(),
            });
        }
        match self.way {
            Way::Folder(upload) => Ok(upload.keep().await?),
            Way::Bucket(upload) => Ok(upload.keep().await?),
        }
    }
}
