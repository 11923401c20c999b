//! Workers as they are kept, and what is known of their luck.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::signed;
use super::tests::TestRow;
use super::{Store, StoreError, Tx};

/// A test that a worker had trouble with is not given to it again for so long.
const TROUBLE: Duration = Duration::from_secs(10 * 60);

/// What a plan for a worker is made from.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// Tests of which pairs can be lent.
    pub(crate) open: Vec<TestRow>,
    /// The virtual times of owners.
    pub(crate) owners: BTreeMap<String, f64>,
    /// Tests that the worker had trouble with lately.
    pub(crate) troubled: BTreeSet<String>,
}

/// Takes note of a worker; not if its name is that of somebody else's.
pub(crate) async fn seen(
    tx: &mut Tx<'_>,
    at: Timestamp,
    worker: &str,
    owner: &str,
    name: &str,
    host: &str,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO workers (id, owner, name, host, seen_ms) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, host = excluded.host, \
         seen_ms = excluded.seen_ms WHERE workers.owner = excluded.owner",
    )
    .bind(worker)
    .bind(owner)
    .bind(name)
    .bind(host)
    .bind(signed(at.0))
    .execute(&mut *tx.conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

impl Store {
    /// What a plan for `worker` is made from.
    pub(crate) async fn snapshot(
        &self,
        worker: &str,
        at: Timestamp,
    ) -> Result<Snapshot, StoreError> {
        let mut conn = self.pool.acquire().await?;
        let mut tx = Tx {
            conn: &mut conn,
            dialect: self.dialect(),
        };
        let open = super::tests::open(&mut tx).await?;
        let owners = super::tests::owner_times(&mut tx).await?;
        let since = Timestamp(at.0.saturating_sub(TROUBLE.as_millis() as u64));
        let rows = sqlx::query(
            "SELECT DISTINCT test FROM leases WHERE worker = $1 AND trouble <> '' \
             AND granted_ms > $2",
        )
        .bind(worker)
        .bind(signed(since.0))
        .fetch_all(&mut *conn)
        .await?;
        let troubled = rows
            .iter()
            .map(|row| Ok(row.try_get(0)?))
            .collect::<Result<_, StoreError>>()?;
        Ok(Snapshot {
            open,
            owners,
            troubled,
        })
    }
}
