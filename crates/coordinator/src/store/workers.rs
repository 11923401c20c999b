//! Workers as they are kept, and what is known of their luck.

use std::collections::BTreeSet;

use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::signed;
use super::{Store, StoreError, Tx};

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
    .execute(tx.sql().await?)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Takes note that `worker` is alive, with so many pairs that nobody has acknowledged.
pub(crate) async fn heard(
    tx: &mut Tx<'_>,
    at: Timestamp,
    worker: &str,
    spool: u64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE workers SET spool = $1, seen_ms = $2 WHERE id = $3")
        .bind(signed(spool))
        .bind(signed(at.0))
        .bind(worker)
        .execute(tx.sql().await?)
        .await?;
    Ok(())
}

impl Store {
    /// Whose worker it is, if it is known.
    pub(crate) async fn worker_owner(&self, worker: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT owner FROM workers WHERE id = $1")
            .bind(worker)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    /// Tests that `worker` had trouble with lately.
    pub(crate) async fn troubled(
        &self,
        worker: &str,
        at: Timestamp,
    ) -> Result<BTreeSet<String>, StoreError> {
        let rows = sqlx::query(
            "SELECT test FROM trials WHERE worker = $1 AND until_ms > $2 \
             UNION SELECT test FROM bars WHERE worker = $1 AND kind <> 'lifted'",
        )
        .bind(worker)
        .bind(signed(at.0))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }
}
