//! Everything that must not be lost: SQLite by default, PostgreSQL by URL. All SQL is below here.
//!
//! Reads go to a pool. Writes go through one task that puts whatever waits into one transaction: the
//! disk is waited for once for all of them, and nobody is answered before it said yes. A write that
//! fails is undone alone, by its savepoint.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool, Connection, Executor};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

pub(crate) mod audit;
pub(crate) mod crew;
pub(crate) mod leases;
pub(crate) mod pairs;
mod schema;
pub(crate) mod tests;
pub(crate) mod tokens;
pub(crate) mod workers;

/// Writes that one transaction takes at most.
const BATCH: usize = 256;

/// Connections that read at a time.
const READERS: u32 = 4;

/// How often a write that lost against another coordinator is tried.
const TRIES: u32 = 5;

/// A database.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: AnyPool,
    dialect: Dialect,
    writes: mpsc::Sender<Write>,
}

/// What the two databases do differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// One writer at a time, so a row that was read is as it was.
    Sqlite,
    /// Rows must be locked to stay as they are.
    Postgres,
}

/// A connection inside a transaction, with what must be known of its database.
pub(crate) struct Tx<'c> {
    pub(crate) conn: &'c mut AnyConnection,
    pub(crate) dialect: Dialect,
}

/// Why something was not stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database says no.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// What is stored cannot be read.
    #[error("the database has {what} that cannot be read: {why}")]
    Unreadable {
        /// What.
        what: &'static str,
        /// Why.
        why: String,
    },
    /// A database of a newer arbiter.
    #[error("the database has version {found}, and this arbiter knows up to {known}")]
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// An address of no known kind.
    #[error("`{0}` is not a database: `postgres://...`, or a folder for SQLite")]
    Url(String),
    /// The task that writes is gone.
    #[error("the coordinator is shutting down")]
    Closed,
}

type Boxed<'c, T> = Pin<Box<dyn Future<Output = T> + Send + 'c>>;
type Work =
    Arc<dyn for<'t, 'c> Fn(&'t mut Tx<'c>) -> Boxed<'t, Result<Reply, StoreError>> + Send + Sync>;
type Reply = Box<dyn std::any::Any + Send>;

struct Write {
    work: Work,
    done: oneshot::Sender<Result<Reply, StoreError>>,
}

impl Store {
    /// Opens the database `arbiter.db` in `folder`, or makes it.
    ///
    /// # Errors
    /// When it cannot be opened, or is one of a newer arbiter.
    pub async fn open_sqlite(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("arbiter.db");
        let url = format!("sqlite://{}?mode=rwc", path.display());
        Self::open(&url, Dialect::Sqlite).await
    }

    /// Opens the database at `url`, `postgres://...`.
    ///
    /// # Errors
    /// When it cannot be reached, or is one of a newer arbiter.
    pub async fn open_url(url: &str) -> Result<Self, StoreError> {
        match url.split(':').next() {
            Some("postgres" | "postgresql") => Self::open(url, Dialect::Postgres).await,
            _ => Err(StoreError::Url(
                url.split('@').next_back().unwrap_or_default().to_owned(),
            )),
        }
    }

    async fn open(url: &str, dialect: Dialect) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(Duration::from_secs(30))
            .after_connect(move |conn, _meta| {
                Box::pin(async move {
                    if dialect == Dialect::Sqlite {
                        // FULL: what was acknowledged survives a power cut.
                        conn.execute("PRAGMA journal_mode = WAL").await?;
                        conn.execute("PRAGMA synchronous = FULL").await?;
                        conn.execute("PRAGMA busy_timeout = 10000").await?;
                    }
                    Ok(())
                })
            })
            .connect(url)
            .await?;
        schema::migrate(&pool, dialect).await?;
        let (writes, waiting) = mpsc::channel(4 * BATCH);
        tokio::spawn(writer(pool.clone(), dialect, waiting));
        Ok(Self {
            pool,
            dialect,
            writes,
        })
    }

    /// Runs `work` in a transaction and gives its result when that is committed. It may be run again
    /// when the transaction was lost to another coordinator, so it changes nothing but the database.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'t, 'c> Fn(&'t mut Tx<'c>) -> Boxed<'t, Result<T, StoreError>>
            + Send
            + Sync
            + 'static,
    {
        let work = Arc::new(work);
        let (done, result) = oneshot::channel();
        let write = Write {
            work: Arc::new(move |tx| {
                let work = Arc::clone(&work);
                Box::pin(async move {
                    let reply = work(tx).await?;
                    Ok(Box::new(reply) as Reply)
                })
            }),
            done,
        };
        self.writes
            .send(write)
            .await
            .map_err(|_| StoreError::Closed)?;
        let reply = result.await.map_err(|_| StoreError::Closed)??;
        Ok(*reply.downcast().expect("the type that `work` gave"))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }
}

/// Takes whatever waits, again and again, until nobody can send any more.
async fn writer(pool: AnyPool, dialect: Dialect, mut waiting: mpsc::Receiver<Write>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        let mut tries = 0;
        let results = loop {
            tries += 1;
            match run(&pool, dialect, &batch).await {
                Ok(results) => break Ok(results),
                Err(error) if tries < TRIES => {
                    tracing::warn!(%error, tries, "a transaction failed and is tried again");
                    tokio::time::sleep(Duration::from_millis(20 << tries)).await;
                }
                Err(error) => break Err(error),
            }
        };
        match results {
            Ok(results) => {
                for (write, result) in batch.drain(..).zip(results) {
                    let _nobody_waits = write.done.send(result);
                }
            }
            Err(error) => {
                tracing::error!(%error, "nothing was stored");
                let text = error.to_string();
                for write in batch.drain(..) {
                    let error = StoreError::Database(sqlx::Error::Protocol(text.clone()));
                    let _nobody_waits = write.done.send(Err(error));
                }
            }
        }
    }
}

/// One transaction with all of `batch`.
async fn run(
    pool: &AnyPool,
    dialect: Dialect,
    batch: &[Write],
) -> Result<Vec<Result<Reply, StoreError>>, sqlx::Error> {
    let mut conn = pool.acquire().await?;
    let mut transaction = match dialect {
        // It will write: waiting for the lock later would be a failure.
        Dialect::Sqlite => conn.begin_with("BEGIN IMMEDIATE").await?,
        Dialect::Postgres => conn.begin().await?,
    };
    let mut results = Vec::with_capacity(batch.len());
    for write in batch {
        transaction.execute("SAVEPOINT one").await?;
        let mut tx = Tx {
            conn: &mut transaction,
            dialect,
        };
        let result = (write.work)(&mut tx).await;
        if let Err(error) = &result {
            if is_conflict(error) {
                return Err(sqlx::Error::Protocol(error.to_string()));
            }
            transaction.execute("ROLLBACK TO SAVEPOINT one").await?;
        }
        transaction.execute("RELEASE SAVEPOINT one").await?;
        results.push(result);
    }
    transaction.commit().await?;
    Ok(results)
}

/// Whether two coordinators stood in each other's way: a serialisation failure or a deadlock.
fn is_conflict(error: &StoreError) -> bool {
    let StoreError::Database(sqlx::Error::Database(error)) = error else {
        return false;
    };
    matches!(
        error.code().as_deref(),
        Some("40001" | "40P01" | "5" | "517")
    )
}

/// A query that locks the rows it reads where the database needs to be told.
macro_rules! locking {
    ($tx:expr, $($sql:expr),+) => {
        match $tx.dialect {
            $crate::store::Dialect::Sqlite => sqlx::query(concat!($($sql),+)),
            $crate::store::Dialect::Postgres => sqlx::query(concat!($($sql),+, " FOR UPDATE")),
        }
    };
}
pub(crate) use locking;
