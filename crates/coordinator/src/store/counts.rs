//! How much there is of everything.

use std::time::Duration;

use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::signed;
use super::plans::OPEN_TESTS;
use super::{Store, StoreError};

/// A worker that was not heard of for so long is not counted.
const RECENT: Duration = Duration::from_secs(10 * 60);

/// Counts of what all coordinators share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// Tests by state.
    pub(crate) tests: Vec<(String, i64)>,
    /// Queued tests of which pairs can be lent.
    pub(crate) open: i64,
    /// Leases that are held.
    pub(crate) held: i64,
    /// Pairs of these that are not reported.
    pub(crate) lent: i64,
    /// Pairs that came back.
    pub(crate) returned: i64,
    /// Workers that were heard of lately.
    pub(crate) workers: i64,
    /// What these say that nobody has acknowledged.
    pub(crate) spool: i64,
}

impl Store {
    /// Counts at `at`.
    pub(crate) async fn counts(&self, at: Timestamp) -> Result<Counts, StoreError> {
        let mut conn = self.pool.acquire().await?;
        let tests = sqlx::query("SELECT state, COUNT(*) FROM tests GROUP BY state")
            .fetch_all(&mut *conn)
            .await?;
        let tests = tests
            .iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect::<Result<_, StoreError>>()?;
        let open = sqlx::query(OPEN_TESTS).fetch_one(&mut *conn).await?;
        let leases = sqlx::query(
            "SELECT COUNT(*), CAST(COALESCE(SUM(pairs - reported), 0) AS BIGINT) FROM leases \
             WHERE state = 'held'",
        )
        .fetch_one(&mut *conn)
        .await?;
        let returned = sqlx::query("SELECT CAST(COALESCE(SUM(pairs), 0) AS BIGINT) FROM returned")
            .fetch_one(&mut *conn)
            .await?;
        let since = at.0.saturating_sub(RECENT.as_millis() as u64);
        let workers = sqlx::query(
            "SELECT COUNT(*), CAST(COALESCE(SUM(spool), 0) AS BIGINT) FROM workers \
             WHERE seen_ms > $1",
        )
        .bind(signed(since))
        .fetch_one(&mut *conn)
        .await?;
        Ok(Counts {
            tests,
            open: open.try_get(0)?,
            held: leases.try_get(0)?,
            lent: leases.try_get(1)?,
            returned: returned.try_get(0)?,
            workers: workers.try_get(0)?,
            spool: workers.try_get(1)?,
        })
    }
}
