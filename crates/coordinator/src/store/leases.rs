//! Leases as they are kept.

use std::collections::BTreeSet;
use std::time::Duration;

use fleet_core::allotment::PairRange;
use fleet_core::lease::{Held, Term};
use fleet_core::timestamp::Timestamp;
use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{signed, unsigned};
use super::{Dialect, Store, StoreError, Tx, unit};

/// A lease.
#[derive(Clone, Debug)]
pub(crate) struct LeaseRow {
    pub(crate) id: String,
    pub(crate) test: String,
    pub(crate) worker: String,
    /// The place of the worker, on its platform, in the crew of the test.
    pub(crate) seat: u64,
    /// What the worker called its claim.
    pub(crate) claim: String,
    pub(crate) range: PairRange,
    pub(crate) state: LeaseState,
    /// Games at a time.
    pub(crate) slots: u64,
    /// CPUs that they keep busy.
    pub(crate) cores: u64,
    /// Core-seconds that its test was charged for it.
    pub(crate) charged: f64,
    pub(crate) held: Held,
    /// Which life of which coordinator granted it: only that one's clock can say how long ago.
    pub(crate) granted_by: String,
    pub(crate) reported: u64,
    /// What the reported pairs took, one after the other.
    pub(crate) played: Duration,
}

/// Where a lease stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaseState {
    Held,
    Settled,
    Lapsed,
    /// Over, and what still comes of it is set aside.
    Barred,
}

impl LeaseState {
    const ALL: [Self; 4] = [Self::Held, Self::Settled, Self::Lapsed, Self::Barred];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Settled => "settled",
            Self::Lapsed => "lapsed",
            Self::Barred => "barred",
        }
    }
}

macro_rules! columns {
    () => {
        "id, test, worker, claim, first_pair, pairs, state, slots, granted_ms, progress_ms, plies, \
         reported, idle_ms, total_ms, cores, charged, played_ms, granted_by, seat"
    };
}

impl LeaseRow {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let state: String = row.try_get(6)?;
        let number = |column: usize| row.try_get::<i64, _>(column).map(unsigned);
        Ok(Self {
            id: row.try_get(0)?,
            test: row.try_get(1)?,
            worker: row.try_get(2)?,
            claim: row.try_get(3)?,
            range: PairRange {
                first: number(4)?,
                count: number(5)?,
            },
            state: LeaseState::ALL
                .into_iter()
                .find(|known| known.name() == state)
                .ok_or_else(|| StoreError::Unreadable {
                    what: "a lease's state",
                    why: state,
                })?,
            slots: number(7)?,
            held: Held {
                granted: Timestamp(number(8)?),
                progress: Timestamp(number(9)?),
                plies: number(10)?,
                term: Term {
                    idle: Duration::from_millis(number(12)?),
                    total: Duration::from_millis(number(13)?),
                },
            },
            reported: number(11)?,
            cores: number(14)?,
            charged: row.try_get(15)?,
            played: Duration::from_millis(number(16)?),
            granted_by: row.try_get(17)?,
            seat: number(18)?,
        })
    }
}

impl Store {
    /// The lease called `id`.
    pub(crate) async fn lease(&self, id: &str) -> Result<Option<LeaseRow>, StoreError> {
        let row = sqlx::query(concat!("SELECT ", columns!(), " FROM leases WHERE id = $1"))
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(LeaseRow::read).transpose()
    }

    /// Leases that were granted since then and have come to their end by `at`, after their tests.
    pub(crate) async fn overdue(
        &self,
        at: Timestamp,
        granted_since: Timestamp,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT test, id FROM leases \
             WHERE state = 'held' AND until_ms < $1 AND granted_ms >= $2",
        )
        .bind(signed(at.0))
        .bind(signed(granted_since.0))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect()
    }

    /// Pairs of `test` that are lent out and not reported, and to how many workers.
    pub(crate) async fn lent(&self, test: &str) -> Result<(u64, u64), StoreError> {
        let row = sqlx::query(
            "SELECT CAST(COALESCE(SUM(pairs - reported), 0) AS BIGINT), COUNT(DISTINCT worker) FROM leases \
             WHERE test = $1 AND state = 'held'",
        )
        .bind(test)
        .fetch_one(&self.pool)
        .await?;
        let pairs = row.try_get(0)?;
        Ok((unsigned(pairs), unsigned(row.try_get(1)?)))
    }
}

/// The lease called `id`, for this transaction alone.
pub(crate) async fn locked(tx: &mut Tx<'_>, id: &str) -> Result<Option<LeaseRow>, StoreError> {
    if !tx.unit.leases.contains_key(id) {
        lock_all(tx, &BTreeSet::from([&id.to_owned()])).await?;
    }
    Ok(tx.unit.leases.get(id).cloned())
}

/// Locks all of these that are there.
pub(super) async fn lock_all(tx: &mut Tx<'_>, ids: &BTreeSet<&String>) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let lock = match tx.dialect {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE",
    };
    let values = unit::list(1, ids.len());
    let mut query = unit::once(format!(
        concat!(
            "SELECT ",
            columns!(),
            " FROM leases WHERE id IN ({}) ORDER BY id{}"
        ),
        values, lock
    ));
    for &id in ids {
        query = query.bind(id.clone());
    }
    for row in query.fetch_all(&mut *tx.conn).await? {
        let lease = LeaseRow::read(&row)?;
        tx.unit.leases.insert(lease.id.clone(), lease);
    }
    Ok(())
}

/// The leases that `worker` holds.
pub(crate) async fn held_by(tx: &mut Tx<'_>, worker: &str) -> Result<Vec<LeaseRow>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM leases WHERE worker = $1 AND state = 'held'"
    ))
    .bind(worker)
    .fetch_all(tx.sql().await?)
    .await?;
    rows.iter().map(LeaseRow::read).collect()
}

/// Workers that hold leases of `test`.
pub(crate) async fn holders(tx: &mut Tx<'_>, test: &str) -> Result<u64, StoreError> {
    let row =
        sqlx::query("SELECT COUNT(DISTINCT worker) FROM leases WHERE test = $1 AND state = 'held'")
            .bind(test)
            .fetch_one(tx.sql().await?)
            .await?;
    Ok(unsigned(row.try_get(0)?))
}

/// What a pair of `test` took `worker` under its last lease of it, if that is known.
pub(crate) async fn pace(
    tx: &mut Tx<'_>,
    worker: &str,
    test: &str,
) -> Result<Option<Duration>, StoreError> {
    let row = sqlx::query(
        "SELECT played_ms, reported FROM leases WHERE worker = $1 AND test = $2 AND reported > 0 \
         ORDER BY granted_ms DESC LIMIT 1",
    )
    .bind(worker)
    .bind(test)
    .fetch_optional(tx.sql().await?)
    .await?;
    row.map(|row| {
        let played = Duration::from_millis(unsigned(row.try_get(0)?));
        let pairs = u32::try_from(row.try_get::<i64, _>(1)?).unwrap_or(u32::MAX);
        Ok(played / pairs.max(1))
    })
    .transpose()
}

/// Keeps a new lease.
pub(crate) async fn add(tx: &mut Tx<'_>, lease: &LeaseRow) -> Result<(), StoreError> {
    let held = lease.held;
    let millis = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    sqlx::query(
        "INSERT INTO leases (id, test, worker, claim, first_pair, pairs, state, slots, granted_ms, \
         progress_ms, plies, reported, idle_ms, total_ms, until_ms, cores, charged, played_ms, \
         granted_by, seat, trouble) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 0, $18, $19, \
         '')",
    )
    .bind(&lease.id)
    .bind(&lease.test)
    .bind(&lease.worker)
    .bind(&lease.claim)
    .bind(signed(lease.range.first))
    .bind(signed(lease.range.count))
    .bind(lease.state.name())
    .bind(signed(lease.slots))
    .bind(signed(held.granted.0))
    .bind(signed(held.progress.0))
    .bind(signed(held.plies))
    .bind(signed(lease.reported))
    .bind(millis(held.term.idle))
    .bind(millis(held.term.total))
    .bind(signed(held.until().0))
    .bind(signed(lease.cores))
    .bind(lease.charged)
    .bind(&lease.granted_by)
    .bind(signed(lease.seat))
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

/// Keeps what has changed of a lease that is locked.
pub(crate) fn update(tx: &mut Tx<'_>, lease: LeaseRow) {
    tx.unit.changed_leases.insert(lease.id.clone());
    tx.unit.leases.insert(lease.id.clone(), lease);
}

/// Keeps what a lease was given back for.
pub(crate) async fn set_trouble(
    tx: &mut Tx<'_>,
    id: &str,
    trouble: &str,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE leases SET trouble = $1 WHERE id = $2")
        .bind(trouble)
        .bind(id)
        .execute(tx.sql().await?)
        .await?;
    Ok(())
}

/// Stores what changes of these leases.
pub(super) async fn write(conn: &mut AnyConnection, rows: &[&LeaseRow]) -> Result<(), StoreError> {
    // Both databases call the columns of a list of values so.
    let mut query = unit::once(format!(
        "UPDATE leases SET state = changed.column2, progress_ms = changed.column3, \
         plies = changed.column4, reported = changed.column5, until_ms = changed.column6, \
         charged = changed.column7, played_ms = changed.column8 \
         FROM (VALUES {}) AS changed WHERE leases.id = changed.column1",
        unit::places(1, rows.len(), 8)
    ));
    for lease in rows {
        query = query
            .bind(lease.id.clone())
            .bind(lease.state.name())
            .bind(signed(lease.held.progress.0))
            .bind(signed(lease.held.plies))
            .bind(signed(lease.reported))
            .bind(signed(lease.held.until().0))
            .bind(lease.charged)
            .bind(i64::try_from(lease.played.as_millis()).unwrap_or(i64::MAX));
    }
    query.execute(conn).await?;
    Ok(())
}

/// Ends all leases of a test that is over.
pub(crate) async fn end_all(tx: &mut Tx<'_>, test: &str) -> Result<(), StoreError> {
    sqlx::query("UPDATE leases SET state = 'settled' WHERE test = $1 AND state = 'held'")
        .bind(test)
        .execute(tx.sql().await?)
        .await?;
    Ok(())
}
