//! Artifacts in object storage that speaks S3.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use fleet_core::test_spec::Sha256 as Hash;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::buffered::BufWriter;
use object_store::path::Path;
use object_store::{ClientConfigKey, ObjectStore, ObjectStoreExt, RetryConfig};
use thiserror::Error;
use tokio::io::AsyncWriteExt;
use tokio::runtime::Handle;
use uuid::Uuid;

use super::cache::Cache;
use super::{ArtifactError, Download};

/// The size of a part of a longer file, in bytes; S3 wants 5 MiB at least.
const PART: usize = 8 << 20;

/// Parts of a file that are under way at a time.
const PARTS: usize = 2;

/// Copies of books take about so many bytes of the disk.
const CACHE_MAX: u64 = 1 << 30;

/// How often a call that failed is made again, and for how long.
const RETRIES: usize = 4;
const RETRY_FOR: Duration = Duration::from_secs(20);

/// `s3://bucket/prefix`: files are `PREFIX/artifacts/HASH`, games `PREFIX/games/NAME`.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    cache: Cache,
}

/// A file of which nobody sees anything until it is kept.
#[derive(Debug)]
pub(super) struct Upload(Option<BufWriter>);

/// Why object storage cannot be used.
#[derive(Debug, Error)]
pub enum BucketError {
    /// The address is none.
    #[error("`{0}` is no place for artifacts: `s3://bucket/prefix`, or a folder")]
    Address(String),
    /// The address says who we are.
    #[error("an address of object storage has no credentials in it")]
    Credentials,
    /// The variables `AWS_*` do not fit.
    #[error("object storage is not set up")]
    Unfit(#[source] object_store::Error),
    /// It does not take an object and give it back.
    #[error("`{address}` cannot be written and read")]
    Unusable {
        /// Which.
        address: String,
        /// Why.
        source: object_store::Error,
    },
    /// Copies of books cannot be kept.
    #[error("failed to use the folder `{}`", path.display())]
    Cache {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Bucket {
    pub(super) async fn open(
        address: &str,
        variables: &[(String, String)],
        cache: PathBuf,
    ) -> Result<Self, BucketError> {
        let (bucket, prefix) = read_address(address)?;
        let cache = Cache::open(cache.clone(), CACHE_MAX).map_err(|source| BucketError::Cache {
            path: cache,
            source,
        })?;
        // One implementation of TLS in the program; it stays if there is one already.
        let _there_is_one = rustls::crypto::ring::default_provider().install_default();
        let retry = RetryConfig {
            max_retries: RETRIES,
            retry_timeout: RETRY_FOR,
            ..RetryConfig::default()
        };
        let known = variables.iter().filter_map(|(name, value)| {
            let key: AmazonS3ConfigKey = name.to_ascii_lowercase().parse().ok()?;
            Some((key, value))
        });
        let store = known
            .fold(AmazonS3Builder::new(), |builder, (key, value)| {
                builder.with_config(key, value)
            })
            .with_bucket_name(bucket)
            .with_retry(retry)
            // Of a whole file of a gigabyte; a silence is shorter.
            .with_config(client(ClientConfigKey::Timeout), "900 seconds")
            .with_config(client(ClientConfigKey::ReadTimeout), "30 seconds")
            .build()
            .map_err(BucketError::Unfit)?;
        let bucket = Self {
            store: Arc::new(store),
            prefix,
            cache,
        };
        bucket
            .try_out()
            .await
            .map_err(|source| BucketError::Unusable {
                address: address.to_owned(),
                source,
            })?;
        Ok(bucket)
    }

    /// Better now than when the first file comes.
    async fn try_out(&self) -> object_store::Result<()> {
        let path = self
            .prefix
            .clone()
            .join(format!("arbiter-{}", Uuid::new_v4()));
        self.store.put(&path, "it can be written".into()).await?;
        self.store.get(&path).await?.bytes().await?;
        self.store.delete(&path).await
    }

    pub(super) async fn has(&self, hash: &Hash) -> Result<bool, ArtifactError> {
        Ok(found(self.store.head(&self.path(hash)).await)?.is_some())
    }

    pub(super) async fn download(&self, hash: &Hash) -> Result<Option<Download>, ArtifactError> {
        let object = found(self.store.get(&self.path(hash)).await)?;
        Ok(object.map(|object| Download {
            length: object.meta.size,
            bytes: object.into_stream().map_err(io::Error::from).boxed(),
        }))
    }

    /// A copy on the disk.
    pub(super) async fn local(&self, hash: &Hash) -> Result<Option<PathBuf>, ArtifactError> {
        if let Some(path) = self.cache.find(hash) {
            return Ok(Some(path));
        }
        match self.download(hash).await? {
            Some(download) => Ok(Some(self.cache.add(hash, download.bytes).await?)),
            None => Ok(None),
        }
    }

    pub(super) fn upload(&self, hash: &Hash) -> Upload {
        let writer = BufWriter::with_capacity(Arc::clone(&self.store), self.path(hash), PART);
        Upload(Some(writer.with_max_concurrency(PARTS)))
    }

    pub(super) async fn put_games(&self, name: &str, bytes: Bytes) -> Result<(), ArtifactError> {
        let path = self.games_path(name);
        self.store.put(&path, bytes.clone().into()).await?;
        let kept = self.store.get(&path).await?.bytes().await?;
        if kept != bytes {
            let text = format!("`{path}` was written and is another when it is read");
            return Err(io::Error::other(text).into());
        }
        Ok(())
    }

    pub(super) async fn games(&self, name: &str) -> Result<Bytes, ArtifactError> {
        let object = self.store.get(&self.games_path(name)).await?;
        Ok(object.bytes().await?)
    }

    fn path(&self, hash: &Hash) -> Path {
        self.prefix.clone().join("artifacts").join(hash.as_str())
    }

    fn games_path(&self, name: &str) -> Path {
        let parts = name.split('/');
        parts.fold(self.prefix.clone().join("games"), |path, part| {
            path.join(part)
        })
    }
}

impl Upload {
    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer().write_all(bytes).await
    }

    pub(super) async fn keep(mut self) -> io::Result<()> {
        // If it fails the parts are taken back.
        let mut writer = self.0.take().expect("it is kept or dropped once");
        writer.shutdown().await
    }

    fn writer(&mut self) -> &mut BufWriter {
        self.0.as_mut().expect("it is kept or dropped once")
    }
}

impl Drop for Upload {
    /// Parts that were sent are taken back, in their own time: who drops this cannot wait.
    fn drop(&mut self) {
        let (Some(mut writer), Ok(runtime)) = (self.0.take(), Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            // What is being prepared cannot be aborted before it is.
            let _what_failed_is_aborted_too = writer.flush().await;
            if let Err(error) = writer.abort().await {
                tracing::warn!(%error, "parts of an upload are left in object storage");
            }
        });
    }
}

/// The bucket and the prefix of an address.
fn read_address(address: &str) -> Result<(&str, Path), BucketError> {
    if address.contains('@') {
        // It may be a secret: it is not said again.
        return Err(BucketError::Credentials);
    }
    let wrong = || BucketError::Address(address.to_owned());
    let rest = address.strip_prefix("s3://").ok_or_else(wrong)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = Path::parse(prefix).map_err(|_| wrong())?;
    match bucket.is_empty() || bucket.contains(['?', '#', ':', ' ']) {
        true => Err(wrong()),
        false => Ok((bucket, prefix)),
    }
}

fn client(key: ClientConfigKey) -> AmazonS3ConfigKey {
    AmazonS3ConfigKey::Client(key)
}

/// Nothing is an answer.
fn found<T>(answer: object_store::Result<T>) -> object_store::Result<Option<T>> {
    match answer {
        Ok(object) => Ok(Some(object)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_a_bucket_and_a_prefix_and_nothing_else() {
        for (address, bucket, prefix) in [
            ("s3://games", "games", ""),
            ("s3://games/", "games", ""),
            ("s3://games/arbiter/one", "games", "arbiter/one"),
        ] {
            let (found, path) = read_address(address).expect("it is one");
            assert_eq!((found, path.as_ref()), (bucket, prefix), "{address}");
        }
        for address in ["s3://", "s3:///x", "http://x/y", "s3://a?b", "s3://a/../b"] {
            let error = read_address(address).expect_err("it is none").to_string();
            assert!(error.contains(address), "{error}");
        }
        let error = read_address("s3://key:secret@games/x").expect_err("it is none");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
