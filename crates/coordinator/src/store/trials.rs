//! What workers had trouble with: in words, and as what follows from it.

use fleet_api::{Barred, Trouble};
use fleet_core::timestamp::Timestamp;
use fleet_core::trial::{FOREVER, Finding, Trial};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{signed, unsigned};
use super::{Store, StoreError, Tx};

/// Troubles that are kept of a test: the last ones, of some kilobytes each.
const KEPT: i64 = 50;

impl Store {
    /// The last `most` troubles of `test`, newest first.
    pub(crate) async fn troubles(&self, test: &str, most: i64) -> Result<Vec<Trouble>, StoreError> {
        let rows = sqlx::query(
            "SELECT worker, host, at_ms, text FROM troubles WHERE test = $1 \
             ORDER BY at_ms DESC, lease LIMIT $2",
        )
        .bind(test)
        .bind(most)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Trouble {
                    worker: row.try_get(0)?,
                    host: row.try_get(1)?,
                    at_ms: unsigned(row.try_get(2)?),
                    text: row.try_get(3)?,
                })
            })
            .collect()
    }

    /// Workers that get nothing of `test` at `at`.
    pub(crate) async fn barred(
        &self,
        test: &str,
        at: Timestamp,
    ) -> Result<Vec<Barred>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT worker, host, ",
            columns!(),
            " FROM trials WHERE test = $1 AND until_ms > $2 ORDER BY host, worker"
        ))
        .bind(test)
        .bind(signed(at.0))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let trial = read(row, 2)?;
                Ok(Barred {
                    worker: row.try_get(0)?,
                    host: row.try_get(1)?,
                    why: trial
                        .last
                        .as_ref()
                        .map(ToString::to_string)
                        .unwrap_or_default(),
                    until_ms: (trial.until < FOREVER).then_some(trial.until.0),
                })
            })
            .collect()
    }
}

macro_rules! columns {
    () => {
        "agreed, failures, last, until_ms"
    };
}
use columns;

/// A trial from the columns beginning with `at`.
fn read(row: &AnyRow, at: usize) -> Result<Trial, StoreError> {
    let last: String = row.try_get(at + 2)?;
    let last: Option<Finding> =
        serde_json::from_str(&last).map_err(|error| StoreError::Unreadable {
            what: "what a host found",
            why: error.to_string(),
        })?;
    Ok(Trial {
        agreed: row.try_get::<i64, _>(at)? != 0,
        failures: u32::try_from(row.try_get::<i64, _>(at + 1)?).unwrap_or(u32::MAX),
        last,
        until: Timestamp(unsigned(row.try_get(at + 3)?)),
    })
}

/// What people call the machine of `worker`.
pub(crate) async fn host(tx: &mut Tx<'_>, worker: &str) -> Result<String, StoreError> {
    let row = sqlx::query("SELECT name FROM workers WHERE id = $1")
        .bind(worker)
        .fetch_optional(tx.sql().await?)
        .await?;
    Ok(row
        .map(|row| row.try_get(0))
        .transpose()?
        .unwrap_or_default())
}

/// Keeps what was told with the end of `lease`; whether it was not known yet.
pub(crate) async fn tell(
    tx: &mut Tx<'_>,
    lease: &str,
    test: &str,
    trouble: &Trouble,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO troubles (lease, test, worker, host, at_ms, text) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (lease) DO NOTHING",
    )
    .bind(lease)
    .bind(test)
    .bind(&trouble.worker)
    .bind(&trouble.host)
    .bind(signed(trouble.at_ms))
    .bind(&trouble.text)
    .execute(tx.sql().await?)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "DELETE FROM troubles WHERE test = $1 AND at_ms < (SELECT MIN(at_ms) FROM \
         (SELECT at_ms FROM troubles WHERE test = $1 ORDER BY at_ms DESC LIMIT $2) AS kept)",
    )
    .bind(test)
    .bind(KEPT)
    .execute(tx.sql().await?)
    .await?;
    Ok(true)
}

/// A worker's dealings with a test.
pub(crate) async fn of(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
) -> Result<Option<Trial>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM trials WHERE test = $1 AND worker = $2"
    ))
    .bind(test)
    .bind(worker)
    .fetch_optional(tx.sql().await?)
    .await?;
    row.as_ref().map(|row| read(row, 0)).transpose()
}

/// Those of all workers, by the names of their hosts.
pub(crate) async fn of_all(
    tx: &mut Tx<'_>,
    test: &str,
) -> Result<Vec<(String, Trial)>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT host, ",
        columns!(),
        " FROM trials WHERE test = $1 ORDER BY worker"
    ))
    .bind(test)
    .fetch_all(tx.sql().await?)
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, read(row, 1)?)))
        .collect()
}

/// Keeps a trial.
pub(crate) async fn set(
    tx: &mut Tx<'_>,
    (test, worker, host): (&str, &str, &str),
    trial: &Trial,
) -> Result<(), StoreError> {
    let last = serde_json::to_string(&trial.last).unwrap_or_default();
    sqlx::query(
        "INSERT INTO trials (test, worker, host, agreed, failures, last, until_ms) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (test, worker) DO UPDATE SET \
         host = excluded.host, agreed = excluded.agreed, failures = excluded.failures, \
         last = excluded.last, until_ms = excluded.until_ms",
    )
    .bind(test)
    .bind(worker)
    .bind(host)
    .bind(i64::from(trial.agreed))
    .bind(i64::from(trial.failures))
    .bind(last)
    .bind(signed(trial.until.0))
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

/// Forgets what failed for a time: somebody has looked at it and lets the test go on.
pub(crate) async fn forgive(tx: &mut Tx<'_>, test: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM trials WHERE test = $1 AND agreed = 0 AND until_ms < $2")
        .bind(test)
        .bind(signed(FOREVER.0))
        .execute(tx.sql().await?)
        .await?;
    Ok(())
}

/// Whether pairs of `test` were played, counted or not.
pub(crate) async fn is_played(tx: &mut Tx<'_>, test: &str) -> Result<bool, StoreError> {
    let row = sqlx::query("SELECT 1 FROM pairs WHERE test = $1 LIMIT 1")
        .bind(test)
        .fetch_optional(tx.sql().await?)
        .await?;
    Ok(row.is_some())
}
