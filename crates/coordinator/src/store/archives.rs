//! Tests whose games are no longer here.

use std::collections::BTreeSet;

use fleet_core::allotment::PairRange;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::signed;
use super::{Store, StoreError, Tx, one_more};

impl Store {
    /// A test that is over and whose games are still here. None of `but`.
    pub(crate) async fn unarchived(
        &self,
        but: &BTreeSet<String>,
    ) -> Result<Option<String>, StoreError> {
        let rows = sqlx::query(
            "SELECT id FROM tests WHERE ended_ms IS NOT NULL \
             AND NOT EXISTS (SELECT 1 FROM archives WHERE archives.test = tests.id) ORDER BY id LIMIT $1",
        )
        .bind(one_more(but))
        .fetch_all(&self.pool)
        .await?;
        for row in rows {
            let test: String = row.try_get(0)?;
            if !but.contains(&test) {
                return Ok(Some(test));
            }
        }
        Ok(None)
    }
}

/// Takes the text of the games of a range of pairs away. Pairs that came late keep theirs.
pub(crate) async fn take_away(
    tx: &mut Tx<'_>,
    test: &str,
    range: PairRange,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE pairs SET games = '' WHERE test = $1 AND pair >= $2 AND pair < $3 AND late = 0",
    )
    .bind(test)
    .bind(signed(range.first))
    .bind(signed(range.end()))
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

/// All games of a test, `pairs` pairs, are elsewhere; whether that is new.
pub(crate) async fn note(
    tx: &mut Tx<'_>,
    at: Timestamp,
    test: &str,
    pairs: u64,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO archives (test, at_ms, pairs) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    )
    .bind(test)
    .bind(signed(at.0))
    .bind(signed(pairs))
    .execute(tx.sql().await?)
    .await?;
    Ok(done.rows_affected() > 0)
}
