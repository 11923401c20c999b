//! Who plays in a test: each worker on each of its platforms has a seat.
//!
//! The ledger knows seats, which are small numbers, and what a worker's platform was when it played.

use fleet_api::HostFacts;
use sqlx::Row;

use super::audit::{signed, unsigned};
use super::{StoreError, Tx};

/// The seat of `worker` on its platform at `test`, which is locked; a new one if it has none. The
/// first is 1.
pub(crate) async fn seat(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
    host: &HostFacts,
) -> Result<u64, StoreError> {
    let known =
        sqlx::query("SELECT seat FROM crew WHERE test = $1 AND worker = $2 AND platform = $3")
            .bind(test)
            .bind(worker)
            .bind(&host.platform)
            .fetch_optional(tx.sql().await?)
            .await?;
    if let Some(row) = known {
        return Ok(unsigned(row.try_get(0)?));
    }
    let last: i64 = sqlx::query("SELECT COALESCE(MAX(seat), 0) FROM crew WHERE test = $1")
        .bind(test)
        .fetch_one(tx.sql().await?)
        .await?
        .try_get(0)?;
    let seat = unsigned(last) + 1;
    sqlx::query(
        "INSERT INTO crew (test, seat, worker, platform, name) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(test)
    .bind(signed(seat))
    .bind(worker)
    .bind(&host.platform)
    .bind(&host.name)
    .execute(tx.sql().await?)
    .await?;
    Ok(seat)
}
