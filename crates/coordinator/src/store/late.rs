//! Pairs that came after the end of their test: kept apart, shown, and never counted.

use fleet_core::standing::Entry;
use sqlx::Row;

use super::audit::{signed, unsigned};
use super::pairs::PairRow;
use super::{Store, StoreError, Tx};

impl Store {
    /// How many late pairs of `test` scored 0 to 4 half points for the first engine.
    pub(crate) async fn late_pentanomial(&self, test: &str) -> Result<[u64; 5], StoreError> {
        let rows = sqlx::query("SELECT half_points, pairs FROM late WHERE test = $1")
            .bind(test)
            .fetch_all(&self.pool)
            .await?;
        let mut pentanomial = [0; 5];
        for row in rows {
            let half_points = usize::try_from(row.try_get::<i64, _>(0)?).ok();
            if let Some(count) = half_points.and_then(|it| pentanomial.get_mut(it)) {
                *count = unsigned(row.try_get(1)?);
            }
        }
        Ok(pentanomial)
    }
}

/// Takes note of the score of a pair that came late, and was not there before.
pub(crate) async fn count(tx: &mut Tx<'_>, test: &str, pair: &PairRow) -> Result<(), StoreError> {
    let Entry::Pair(played) = pair.entry else {
        return Ok(());
    };
    sqlx::query(
        "INSERT INTO late (test, half_points, pairs) VALUES ($1, $2, 1) \
         ON CONFLICT (test, half_points) DO UPDATE SET pairs = late.pairs + 1",
    )
    .bind(test)
    .bind(signed(played.half_points() as u64))
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}
