//! Who changed what and when.

use fleet_api::AuditEntry;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;
use uuid::Uuid;

use super::{Store, StoreError, Tx};

/// Notes a change of `test`.
pub(crate) async fn note(
    tx: &mut Tx<'_>,
    at: Timestamp,
    test: &str,
    who: &str,
    action: &str,
    detail: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO audit (id, test, at_ms, who, action, detail) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(Uuid::now_v7().to_string())
    .bind(test)
    .bind(signed(at.0))
    .bind(who)
    .bind(action)
    .bind(detail)
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

impl Store {
    /// The changes of `test`, oldest first.
    pub(crate) async fn audit(&self, test: &str) -> Result<Vec<AuditEntry>, StoreError> {
        let rows =
            sqlx::query("SELECT at_ms, who, action, detail FROM audit WHERE test = $1 ORDER BY id")
                .bind(test)
                .fetch_all(&self.pool)
                .await?;
        rows.into_iter()
            .map(|row| {
                Ok(AuditEntry {
                    at_ms: unsigned(row.try_get(0)?),
                    who: row.try_get(1)?,
                    action: row.try_get(2)?,
                    detail: row.try_get(3)?,
                })
            })
            .collect()
    }
}

/// A number as databases keep it; ours are far below 2^63.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// And back.
pub(crate) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
