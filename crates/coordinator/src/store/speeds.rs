//! How fast workers are with the base engine of a test.

use fleet_api::Speed;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::{signed, unsigned};
use super::{Store, StoreError, Tx};

/// What a worker said last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// Under which lease.
    pub(crate) lease: String,
    /// Nodes a second.
    pub(crate) nps: u64,
}

impl Store {
    /// What `worker` said last of its speed in `test`.
    pub(crate) async fn speed(&self, test: &str, worker: &str) -> Result<Option<Said>, StoreError> {
        let row = sqlx::query("SELECT lease, nps FROM speeds WHERE test = $1 AND worker = $2")
            .bind(test)
            .bind(worker)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| {
            Ok(Said {
                lease: row.try_get(0)?,
                nps: unsigned(row.try_get(1)?),
            })
        })
        .transpose()
    }

    /// The speeds of all workers in `test`. Their factors are left for others to fill in.
    pub(crate) async fn speeds(&self, test: &str) -> Result<Vec<Speed>, StoreError> {
        let rows = sqlx::query(
            "SELECT speeds.worker, COALESCE(workers.name, ''), speeds.nps FROM speeds \
             LEFT JOIN workers ON workers.id = speeds.worker WHERE speeds.test = $1 \
             ORDER BY speeds.worker",
        )
        .bind(test)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Speed {
                    worker: row.try_get(0)?,
                    host: row.try_get(1)?,
                    nps: unsigned(row.try_get(2)?),
                    factor: 1.0,
                })
            })
            .collect()
    }
}

/// Keeps what a worker says of its speed.
pub(crate) async fn set(
    tx: &mut Tx<'_>,
    at: Timestamp,
    (test, worker): (&str, &str),
    said: &Said,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO speeds (test, worker, lease, nps, at_ms) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (test, worker) DO UPDATE SET lease = excluded.lease, nps = excluded.nps, \
         at_ms = excluded.at_ms WHERE speeds.lease <> excluded.lease",
    )
    .bind(test)
    .bind(worker)
    .bind(&said.lease)
    .bind(signed(said.nps))
    .bind(signed(at.0))
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

/// Nodes a second of `worker` in `test`, as far as it is known.
pub(crate) async fn known(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
) -> Result<Option<u64>, StoreError> {
    let row = sqlx::query("SELECT nps FROM speeds WHERE test = $1 AND worker = $2")
        .bind(test)
        .bind(worker)
        .fetch_optional(tx.sql().await?)
        .await?;
    row.map(|row| Ok(unsigned(row.try_get(0)?))).transpose()
}
