//! Artifacts in a folder.

use std::io;
use std::path::{Path, PathBuf};

use fleet_core::test_spec::Sha256 as Hash;
use futures_util::StreamExt;
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;
use uuid::Uuid;

use super::Download;

/// Of each file `ab/abcdef...`.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

/// A file beside its place.
#[derive(Debug)]
pub(super) struct Upload {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
}

impl Folder {
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub(super) async fn find(&self, hash: &Hash) -> io::Result<Option<PathBuf>> {
        let path = self.path(hash);
        Ok(fs::try_exists(&path).await?.then_some(path))
    }

    pub(super) async fn download(&self, hash: &Hash) -> io::Result<Option<Download>> {
        let file = match File::open(self.path(hash)).await {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(Download {
            length: file.metadata().await?.len(),
            bytes: ReaderStream::new(file).boxed(),
        }))
    }

    pub(super) async fn upload(&self, hash: &Hash) -> io::Result<Upload> {
        let target = self.path(hash);
        let folder = parent(&target);
        if !fs::try_exists(folder).await? {
            fs::create_dir_all(folder).await?;
            sync(&self.0).await?;
        }
        let temporary = folder.join(format!(".{}", Uuid::new_v4()));
        Ok(Upload {
            file: File::create_new(&temporary).await?,
            temporary,
            target,
        })
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        let digits = hash.as_str();
        self.0.join(&digits[..2]).join(digits)
    }
}

impl Upload {
    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await
    }

    /// When this returns no power cut takes it away.
    pub(super) async fn keep(mut self) -> io::Result<()> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        fs::rename(&self.temporary, &self.target).await?;
        sync(parent(&self.target)).await
    }
}

impl Drop for Upload {
    /// What was kept has no temporary file any more.
    fn drop(&mut self) {
        let _it_was_renamed = std::fs::remove_file(&self.temporary);
    }
}

async fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder).await?.sync_all().await
}

fn parent(path: &Path) -> &Path {
    path.parent().expect("it is in our folder")
}
