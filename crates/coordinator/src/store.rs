//! Everything that must not be lost: SQLite by default, PostgreSQL by URL. All SQL is below here.
//!
//! Reads go to a pool. Writes go through one task that puts whatever waits into one transaction: the
//! disk is waited for once for all of them, and nobody is answered before it said yes. When one of
//! them fails all are undone, and each is done again in a transaction of its own.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::future::Future;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Executor};
use thiserror::Error;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::timeout;

use tally::Tally;
use unit::{Foresight, Unit};

pub(crate) mod archives;
pub(crate) mod aside;
pub(crate) mod audit;
pub(crate) mod bars;
mod clocks;
pub(crate) mod counts;
#[cfg(test)]
pub(crate) mod crash;
pub(crate) mod crew;
mod house;
pub(crate) mod late;
pub(crate) mod leases;
pub(crate) mod lines;
pub(crate) mod notices;
pub(crate) mod pairs;
pub(crate) mod plans;
mod recounts;
mod roster;
mod schema;
pub(crate) mod speeds;
pub(crate) mod tally;
pub(crate) mod tests;
pub(crate) mod tokens;
pub(crate) mod trials;
pub(crate) mod unit;
pub(crate) mod users;
pub(crate) mod wishes;
pub(crate) mod workers;

/// Writes that one transaction takes at most: those that come later must not wait for long.
const BATCH: usize = 64;

/// Connections that read at a time.
const READERS: u32 = 4;

/// How long a database may take at the start until it lets us in.
const FIRST_ANSWER: Duration = Duration::from_secs(10);

/// How often a write that lost against another coordinator is tried.
const TRIES: u32 = 5;

/// A database.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: AnyPool,
    writes: mpsc::Sender<Write>,
    notices: broadcast::Sender<notices::Notice>,
    tally: Arc<Tally>,
    #[cfg(test)]
    pub(crate) crash: crash::Crash,
}

/// What the two databases do differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// One writer at a time, so a row that was read is as it was.
    Sqlite,
    /// Rows must be locked to stay as they are.
    Postgres,
}

/// A transaction.
pub(crate) struct Tx<'c> {
    /// Not for whom [`Tx::sql`] can serve.
    conn: &'c mut AnyConnection,
    dialect: Dialect,
    unit: Unit,
}

/// Why something was not stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database says no. What it says is all there is to say: it is no source beside that.
    #[error("the database: {0}")]
    Database(sqlx::Error),
    /// The database says nothing.
    #[error("the database does not answer within {FIRST_ANSWER:?}")]
    Silent,
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
    /// A fault of this program.
    #[error("a write ended in a panic, and nothing of it was stored")]
    Panicked,
    /// The task that writes is gone.
    #[error("the coordinator is shutting down")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

type Boxed<'c, T> = Pin<Box<dyn Future<Output = T> + Send + 'c>>;
type Work =
    Arc<dyn for<'t, 'c> Fn(&'t mut Tx<'c>) -> Boxed<'t, Result<Reply, StoreError>> + Send + Sync>;
type Reply = Box<dyn std::any::Any + Send>;

struct Write {
    needs: Foresight,
    work: Work,
    done: oneshot::Sender<Result<Reply, StoreError>>,
}

impl Store {
    /// Opens the database `arbiter.db` in `folder`, or makes it.
    ///
    /// # Errors
    /// When it cannot be opened, or is one of a newer arbiter.
    pub async fn open_sqlite(folder: &Path) -> Result<Self, StoreError> {
        let folder = folder.canonicalize().map_err(sqlx::Error::Io)?;
        let path = folder.join("arbiter.db");
        // SQLite would let everybody read it, and there are hashes of passwords in it.
        let mut file = OpenOptions::new();
        file.create(true).append(true).mode(0o600);
        file.open(&path).map_err(sqlx::Error::Io)?;
        Self::open(&sqlite_url(&path), Dialect::Sqlite).await
    }

    /// Opens the database at `url`, `postgres://...`.
    ///
    /// # Errors
    /// When it cannot be reached, or is one of a newer arbiter.
    pub async fn open_url(url: &str) -> Result<Self, StoreError> {
        match url.split(':').next() {
            Some("postgres" | "postgresql") => {
                sqlx::any::install_default_drivers();
                // A pool would try again and again, and not say why it failed.
                let once = timeout(FIRST_ANSWER, AnyConnection::connect(url)).await;
                once.map_err(|_| StoreError::Silent)??.close().await?;
                Self::open(url, Dialect::Postgres).await
            }
            _ => Err(StoreError::Url(
                url.split('@').next_back().unwrap_or_default().to_owned(),
            )),
        }
    }

    async fn open(url: &str, dialect: Dialect) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new()
            .max_connections(READERS + 1)
            .acquire_timeout(Duration::from_secs(30))
            // A file does not go away; a server may, and then its connections do.
            .test_before_acquire(dialect == Dialect::Postgres)
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
        let tally = Arc::new(Tally::default());
        let writer = Writer {
            pool: pool.clone(),
            dialect,
            conn: None,
            tally: Arc::clone(&tally),
            #[cfg(test)]
            crash: crash::Crash::default(),
        };
        #[cfg(test)]
        let crash = writer.crash.clone();
        tokio::spawn(writer.run(waiting));
        let notices = broadcast::Sender::new(notices::KEPT);
        if dialect == Dialect::Postgres {
            tokio::spawn(notices::listen(url.to_owned(), notices.downgrade()));
        }
        Ok(Self {
            pool,
            writes,
            notices,
            tally,
            #[cfg(test)]
            crash,
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
        self.write_with(Foresight::default(), work).await
    }

    /// As [`Self::write`], for what comes often: what it `needs` is read with the needs of others.
    pub(crate) async fn write_with<T, F>(&self, needs: Foresight, work: F) -> Result<T, StoreError>
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
            needs,
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

    /// How much was written in this life.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Writes that wait to be taken.
    pub(crate) fn waiting(&self) -> usize {
        self.writes.max_capacity() - self.writes.capacity()
    }
}

/// The one who writes, with a connection of its own.
struct Writer {
    pool: AnyPool,
    dialect: Dialect,
    conn: Option<PoolConnection<Any>>,
    tally: Arc<Tally>,
    #[cfg(test)]
    crash: crash::Crash,
}

/// Why nothing of a transaction was kept.
enum Undone {
    /// One of its writes failed.
    By(StoreError),
    /// The database failed.
    Lost(StoreError),
}

impl From<sqlx::Error> for Undone {
    fn from(error: sqlx::Error) -> Self {
        Self::Lost(error.into())
    }
}

impl Writer {
    /// Takes whatever waits, again and again, until nobody can send any more.
    async fn run(mut self, mut waiting: mpsc::Receiver<Write>) {
        let mut batch = Vec::with_capacity(BATCH);
        while waiting.recv_many(&mut batch, BATCH).await > 0 {
            let results = match self.run_all(&batch).await {
                Ok(results) => results,
                Err(Undone::By(error)) if batch.len() == 1 => vec![Err(error)],
                Err(Undone::By(_)) => {
                    let mut results = Vec::with_capacity(batch.len());
                    for write in &batch {
                        match self.run_all(std::slice::from_ref(write)).await {
                            Ok(done) => results.extend(done),
                            Err(Undone::By(error) | Undone::Lost(error)) => {
                                results.push(Err(error))
                            }
                        }
                    }
                    results
                }
                Err(Undone::Lost(error)) => {
                    tracing::error!(%error, "nothing was stored");
                    let text = error.to_string();
                    let again = || StoreError::Database(sqlx::Error::Protocol(text.clone()));
                    batch.iter().map(|_| Err(again())).collect()
                }
            };
            for (write, result) in batch.drain(..).zip(results) {
                let _nobody_waits = write.done.send(result);
            }
        }
    }

    /// One transaction with all of `batch`, tried again when another coordinator was in its way.
    async fn run_all(&mut self, batch: &[Write]) -> Result<Vec<Result<Reply, StoreError>>, Undone> {
        let mut tries = 0;
        loop {
            tries += 1;
            let error = match self.try_all(batch).await {
                Err(Undone::By(error)) if is_conflict(&error) => error,
                Err(Undone::Lost(error)) => error,
                done_or_undone => return done_or_undone,
            };
            // Whatever it was, the connection may be in the middle of something: SQLite ends a
            // transaction by itself when the disk is full, and the pool would not know.
            if let Some(mut conn) = self.conn.take() {
                conn.close_on_drop();
            }
            if tries == TRIES {
                return Err(Undone::Lost(error));
            }
            tracing::warn!(%error, tries, "a transaction failed and is tried again");
            tokio::time::sleep(Duration::from_millis(20 << tries)).await;
        }
    }

    async fn try_all(&mut self, batch: &[Write]) -> Result<Vec<Result<Reply, StoreError>>, Undone> {
        let conn = match &mut self.conn {
            Some(conn) => conn,
            none => none.insert(self.pool.acquire().await?),
        };
        let mut transaction = match self.dialect {
            // It will write: waiting for the lock later would be a failure.
            Dialect::Sqlite => conn.begin_with("BEGIN IMMEDIATE").await?,
            Dialect::Postgres => conn.begin().await?,
        };
        let mut tx = Tx {
            conn: &mut transaction,
            dialect: self.dialect,
            unit: Unit::default(),
        };
        match do_all(&mut tx, batch).await {
            Ok(results) => {
                #[cfg(test)]
                self.crash.strike(crash::Point::BeforeCommit).await;
                transaction.commit().await?;
                #[cfg(test)]
                self.crash.strike(crash::Point::AfterCommit).await;
                self.tally.committed(batch.len());
                Ok(results.into_iter().map(Ok).collect())
            }
            Err(error) => {
                transaction.rollback().await?;
                Err(Undone::By(error))
            }
        }
    }
}

/// The address of a file, whatever its name: a `?` or `%` would mean something there.
fn sqlite_url(path: &Path) -> String {
    let mut url = "sqlite://".to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                url.push(char::from(byte));
            }
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url + "?mode=rwc"
}

async fn do_all(tx: &mut Tx<'_>, batch: &[Write]) -> Result<Vec<Reply>, StoreError> {
    let needs: Vec<&Foresight> = batch.iter().map(|write| &write.needs).collect();
    tx.foresee(&needs).await?;
    let mut replies = Vec::with_capacity(batch.len());
    for write in batch {
        // A fault of ours may cost one write and never all that come after it.
        let done = AssertUnwindSafe((write.work)(tx)).catch_unwind().await;
        replies.push(done.map_err(|_| StoreError::Panicked)??);
    }
    tx.write_all().await?;
    Ok(replies)
}

/// So many rows have one that is none of `but`, if there is one.
fn one_more(but: &BTreeSet<String>) -> i64 {
    i64::try_from(but.len())
        .unwrap_or(i64::MAX)
        .saturating_add(1)
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

/// A query that locks the rows it reads where the database needs to be told. With `skip locked;` before
/// it, rows that another coordinator has locked are as if they were not there.
macro_rules! locking {
    (skip locked; $tx:expr, $($sql:expr),+) => {
        $crate::store::locking!(@ $tx, " FOR UPDATE SKIP LOCKED", $($sql),+)
    };
    (@ $tx:expr, $how:literal, $($sql:expr),+) => {
        match $tx.dialect {
            $crate::store::Dialect::Sqlite => sqlx::query(concat!($($sql),+)),
            $crate::store::Dialect::Postgres => sqlx::query(concat!($($sql),+, $how)),
        }
    };
    ($tx:expr, $($sql:expr),+) => {
        $crate::store::locking!(@ $tx, " FOR UPDATE", $($sql),+)
    };
}
pub(crate) use locking;
