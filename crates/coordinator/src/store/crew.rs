//! Who plays in a test: each worker on each of its platforms has a seat.
//!
//! The ledger knows seats, which are small numbers, and what a worker's platform was when it played.

use std::collections::BTreeSet;

use fleet_api::{CrewBar, HostFacts};
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::{signed, unsigned};
use super::{Store, StoreError, Tx, one_more};

/// A seat, and whether its worker is barred.
#[derive(Clone, Debug)]
pub(crate) struct SeatRow {
    pub(crate) seat: u64,
    pub(crate) worker: String,
    pub(crate) platform: String,
    pub(crate) name: String,
    pub(crate) barred: Option<CrewBar>,
}

/// Why a worker has no more pairs of a test. [`Self::LIFTED`] is that it has again, and is not barred
/// by itself any more: somebody has looked at it.
pub(crate) struct Bar;

impl Bar {
    pub(crate) const FLAGGED: &str = "flagged";
    pub(crate) const ASIDE: &str = "set aside";
    pub(crate) const LIFTED: &str = "lifted";
}

impl Store {
    /// The crew of `test`, by seat.
    pub(crate) async fn crew(&self, test: &str) -> Result<Vec<SeatRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT crew.seat, crew.worker, crew.platform, crew.name, bars.kind, bars.at_ms, \
             bars.who, bars.why FROM crew LEFT JOIN bars ON bars.test = crew.test \
             AND bars.worker = crew.worker AND bars.kind <> 'lifted' \
             WHERE crew.test = $1 ORDER BY crew.seat",
        )
        .bind(test)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let kind: Option<String> = row.try_get(4)?;
                let barred = match kind {
                    Some(kind) => Some(CrewBar {
                        kind,
                        at_ms: unsigned(row.try_get(5)?),
                        who: row.try_get(6)?,
                        why: row.try_get(7)?,
                    }),
                    None => None,
                };
                Ok(SeatRow {
                    seat: unsigned(row.try_get(0)?),
                    worker: row.try_get(1)?,
                    platform: row.try_get(2)?,
                    name: row.try_get(3)?,
                    barred,
                })
            })
            .collect()
    }

    /// A test whose workers may have to be looked at: by how many entries it was before, and how many
    /// it has. None of `but`.
    pub(crate) async fn to_look_at(
        &self,
        but: &BTreeSet<String>,
    ) -> Result<Option<Look>, StoreError> {
        // Minus one is after the last look, at the end.
        let rows = sqlx::query(
            "SELECT id, looked, entries, CAST(CASE WHEN ended_ms IS NULL THEN 0 ELSE 1 END AS BIGINT) \
             FROM tests WHERE (ended_ms IS NOT NULL AND looked >= 0) \
             OR (ended_ms IS NULL AND entries >= 64 AND entries >= 2 * looked) \
             ORDER BY 4 DESC, id LIMIT $1",
        )
        .bind(one_more(but))
        .fetch_all(&self.pool)
        .await?;
        for row in rows {
            let test: String = row.try_get(0)?;
            if !but.contains(&test) {
                return Ok(Some(Look {
                    test,
                    looked: unsigned(row.try_get(1)?),
                    entries: unsigned(row.try_get(2)?),
                    is_last: row.try_get::<i64, _>(3)? == 1,
                }));
            }
        }
        Ok(None)
    }
}

/// A look at the workers of a test that is due.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) test: String,
    pub(crate) looked: u64,
    pub(crate) entries: u64,
    pub(crate) is_last: bool,
}

/// Takes note that a look was taken; not if somebody else has.
pub(crate) async fn looked(tx: &mut Tx<'_>, look: &Look) -> Result<bool, StoreError> {
    let now = if look.is_last {
        -1
    } else {
        signed(look.entries)
    };
    let done = sqlx::query("UPDATE tests SET looked = $1 WHERE id = $2 AND looked = $3")
        .bind(now)
        .bind(&look.test)
        .bind(signed(look.looked))
        .execute(tx.sql().await?)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// What is known of the bar of `worker` at `test`: its kind.
pub(crate) async fn bar(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
) -> Result<Option<String>, StoreError> {
    let row = sqlx::query("SELECT kind FROM bars WHERE test = $1 AND worker = $2")
        .bind(test)
        .bind(worker)
        .fetch_optional(tx.sql().await?)
        .await?;
    row.map(|row| Ok(row.try_get(0)?)).transpose()
}

/// Bars `worker` from `test`, or lifts its bar.
pub(crate) async fn set_bar(
    tx: &mut Tx<'_>,
    at: Timestamp,
    (test, worker): (&str, &str),
    kind: &str,
    who: &str,
    why: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO bars (test, worker, kind, at_ms, who, why) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (test, worker) DO UPDATE SET kind = excluded.kind, at_ms = excluded.at_ms, \
         who = excluded.who, why = excluded.why",
    )
    .bind(test)
    .bind(worker)
    .bind(kind)
    .bind(signed(at.0))
    .bind(who)
    .bind(why)
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

/// The seat of `worker` on its platform at `test`, which is locked; a new one if it has none, from 1.
/// None if the worker is barred.
pub(crate) async fn seat(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
    host: &HostFacts,
) -> Result<Option<u64>, StoreError> {
    let known = sqlx::query(
        "SELECT seat, (SELECT COUNT(*) FROM bars WHERE bars.test = crew.test \
         AND bars.worker = crew.worker AND bars.kind <> 'lifted') \
         FROM crew WHERE test = $1 AND worker = $2 AND platform = $3",
    )
    .bind(test)
    .bind(worker)
    .bind(&host.platform)
    .fetch_optional(tx.sql().await?)
    .await?;
    if let Some(row) = known {
        let bars: i64 = row.try_get(1)?;
        let seat = unsigned(row.try_get(0)?);
        return Ok((bars == 0).then_some(seat));
    }
    let bar = bar(tx, test, worker).await?;
    if bar.is_some_and(|kind| kind != Bar::LIFTED) {
        return Ok(None);
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
    Ok(Some(seat))
}
