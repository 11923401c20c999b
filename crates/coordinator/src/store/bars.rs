//! Workers that get nothing any more, of whatever test.

use fleet_api::WorkerBar;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{signed, unsigned};
use super::{Store, StoreError, Tx};

/// Bars a worker, or lets it play again; whether there is such a worker.
pub(crate) async fn set(
    tx: &mut Tx<'_>,
    worker: &str,
    bar: Option<(Timestamp, &str, &str)>,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE workers SET barred_ms = $1, barred_by = $2, barred_why = $3 WHERE id = $4",
    )
    .bind(bar.map(|(at, _, _)| signed(at.0)))
    .bind(bar.map(|(_, who, _)| who.to_owned()))
    .bind(bar.map(|(_, _, why)| why.to_owned()))
    .bind(worker)
    .execute(tx.sql().await?)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The bar in a row that has its three columns from `first` on.
pub(super) fn read(row: &AnyRow, first: usize) -> Result<Option<WorkerBar>, StoreError> {
    let Some(at) = row.try_get::<Option<i64>, _>(first)? else {
        return Ok(None);
    };
    Ok(Some(WorkerBar {
        at_ms: unsigned(at),
        who: row
            .try_get::<Option<String>, _>(first + 1)?
            .unwrap_or_default(),
        why: row
            .try_get::<Option<String>, _>(first + 2)?
            .unwrap_or_default(),
    }))
}

impl Store {
    /// What bars `worker`, if something does.
    pub(crate) async fn worker_bar(&self, worker: &str) -> Result<Option<WorkerBar>, StoreError> {
        let row = sqlx::query("SELECT barred_ms, barred_by, barred_why FROM workers WHERE id = $1")
            .bind(worker)
            .fetch_optional(&self.pool)
            .await?;
        match row {
            Some(row) => read(&row, 0),
            None => Ok(None),
        }
    }

    /// The workers that call themselves so, or are called so by people.
    pub(crate) async fn workers_called(&self, called: &str) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query("SELECT id FROM workers WHERE id = $1 OR name = $1 ORDER BY id")
            .bind(called)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }
}
