//! Tests as they are kept.

use std::num::NonZeroU64;

use fleet_api::State;
use fleet_core::allotment::{Allotment, PairRange};
use fleet_core::timestamp::Timestamp;
use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{self, signed, unsigned};
use super::{Store, StoreError, Tx, clocks, locking};

/// What of a test never changes, and what does.
#[derive(Clone, Debug)]
pub(crate) struct TestRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) state: State,
    pub(crate) reason: Option<String>,
    pub(crate) created: Timestamp,
    pub(crate) ended: Option<Timestamp>,
    pub(crate) next_pair: u64,
    pub(crate) end_pair: u64,
    pub(crate) entries: u64,
    pub(crate) late_pairs: u64,
    pub(crate) weight: f64,
    pub(crate) virtual_time: f64,
}

/// The columns of [`TestRow`], in its order.
macro_rules! columns {
    () => {
        "id, name, owner, state, reason, created_ms, ended_ms, next_pair, end_pair, entries, \
         late_pairs, weight, virtual_time"
    };
}

impl TestRow {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let ended: Option<i64> = row.try_get(6)?;
        let number = |column: usize| row.try_get::<i64, _>(column).map(unsigned);
        Ok(Self {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            owner: row.try_get(2)?,
            state: state(row, 3)?,
            reason: row.try_get(4)?,
            created: Timestamp(number(5)?),
            ended: ended.map(|at| Timestamp(unsigned(at))),
            next_pair: number(7)?,
            end_pair: number(8)?,
            entries: number(9)?,
            late_pairs: number(10)?,
            weight: row.try_get(11)?,
            virtual_time: row.try_get(12)?,
        })
    }
}

/// The state of a test, which stands in this column.
pub(super) fn state(row: &AnyRow, column: usize) -> Result<State, StoreError> {
    let name: String = row.try_get(column)?;
    State::named(&name).ok_or(StoreError::Unreadable {
        what: "a test's state",
        why: name,
    })
}

impl Store {
    /// Keeps a new test, its text and how many openings its book has, unless one with the same key is
    /// there; then that one's id and state.
    pub(crate) async fn add_test(
        &self,
        test: TestRow,
        text: String,
        openings: NonZeroU64,
        key: Option<String>,
    ) -> Result<(String, State), StoreError> {
        self.write(move |tx| {
            let (test, text, key) = (test.clone(), text.clone(), key.clone());
            Box::pin(async move {
                let mut test = test;
                if let Some(key) = &key {
                    let known =
                        sqlx::query("SELECT id, state FROM tests WHERE idempotency_key = $1")
                            .bind(key)
                            .fetch_optional(tx.sql().await?)
                            .await?;
                    if let Some(row) = known {
                        let state: String = row.try_get(1)?;
                        return Ok((
                            row.try_get(0)?,
                            State::named(&state).unwrap_or(State::Submitted),
                        ));
                    }
                }
                if test.state == State::Queued {
                    test.virtual_time = clocks::join(tx, &test).await?;
                }
                sqlx::query(
                    "INSERT INTO tests (id, name, owner, state, spec, idempotency_key, created_ms, \
                     next_pair, end_pair, entries, late_pairs, weight, virtual_time, openings) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, 0, 0, $9, $10, $11)",
                )
                .bind(&test.id)
                .bind(&test.name)
                .bind(&test.owner)
                .bind(test.state.name())
                .bind(&text)
                .bind(key)
                .bind(signed(test.created.0))
                .bind(signed(test.end_pair))
                .bind(test.weight)
                .bind(test.virtual_time)
                .bind(signed(openings.get()))
                .execute(tx.sql().await?)
                .await?;
                audit::note(tx, test.created, &test.id, &test.owner, "submit", "").await?;
                Ok((test.id, test.state))
            })
        })
        .await
    }

    /// The test called `id`.
    pub(crate) async fn test(&self, id: &str) -> Result<Option<TestRow>, StoreError> {
        let row = sqlx::query(concat!("SELECT ", columns!(), " FROM tests WHERE id = $1"))
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(TestRow::read).transpose()
    }

    /// The test called `id` as it was submitted.
    pub(crate) async fn test_text(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT spec FROM tests WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    /// How many openings the book of the test called `id` had when it was submitted; not kept of tests of
    /// old.
    pub(crate) async fn openings(&self, id: &str) -> Result<Option<NonZeroU64>, StoreError> {
        let row = sqlx::query("SELECT openings FROM tests WHERE id = $1")
            .bind(id)
            .fetch_one(&self.pool)
            .await?;
        let openings: Option<i64> = row.try_get(0)?;
        Ok(openings.map(unsigned).and_then(NonZeroU64::new))
    }

    /// Keeps that.
    pub(crate) async fn set_openings(
        &self,
        id: &str,
        openings: NonZeroU64,
    ) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |tx| {
            let id = id.clone();
            Box::pin(async move {
                sqlx::query("UPDATE tests SET openings = $1 WHERE id = $2")
                    .bind(signed(openings.get()))
                    .bind(id)
                    .execute(tx.sql().await?)
                    .await?;
                Ok(())
            })
        })
        .await
    }
}

/// The test called `id`, for this transaction alone.
pub(crate) async fn locked(tx: &mut Tx<'_>, id: &str) -> Result<Option<TestRow>, StoreError> {
    if let Some(row) = tx.unit.tests.get(id) {
        return Ok(Some(row.clone()));
    }
    let row = locking!(tx, "SELECT ", columns!(), " FROM tests WHERE id = $1")
        .bind(id)
        .fetch_optional(&mut *tx.conn)
        .await?;
    hold(tx, row.as_ref())
}

/// Locks the test called `id`, unless another coordinator has locked it at present. Whether it did.
pub(crate) async fn lock_if_free(tx: &mut Tx<'_>, id: &str) -> Result<bool, StoreError> {
    if tx.unit.tests.contains_key(id) {
        return Ok(true);
    }
    let row = locking!(skip locked; tx, "SELECT ", columns!(), " FROM tests WHERE id = $1")
        .bind(id)
        .fetch_optional(&mut *tx.conn)
        .await?;
    Ok(hold(tx, row.as_ref())?.is_some())
}

fn hold(tx: &mut Tx<'_>, row: Option<&AnyRow>) -> Result<Option<TestRow>, StoreError> {
    let row = row.map(TestRow::read).transpose()?;
    if let Some(row) = &row {
        tx.unit.tests.insert(row.id.clone(), row.clone());
    }
    Ok(row)
}

/// Changes a test that is locked.
fn change(tx: &mut Tx<'_>, id: &str, change: impl FnOnce(&mut TestRow)) {
    let row = tx.unit.tests.get_mut(id);
    change(row.expect("who changes a test has locked it"));
    tx.unit.changed_tests.insert(id.to_owned());
}

/// Stores what changes of a test.
pub(super) async fn write(conn: &mut AnyConnection, row: &TestRow) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE tests SET state = $1, reason = $2, ended_ms = $3, next_pair = $4, entries = $5, \
         late_pairs = $6, virtual_time = $7 WHERE id = $8",
    )
    .bind(row.state.name())
    .bind(&row.reason)
    .bind(row.ended.map(|at| signed(at.0)))
    .bind(signed(row.next_pair))
    .bind(signed(row.entries))
    .bind(signed(row.late_pairs))
    .bind(row.virtual_time)
    .bind(&row.id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Moves the clock of an owner on by so many core-seconds, or back.
pub(super) async fn move_owner(
    conn: &mut AnyConnection,
    owner: String,
    core_seconds: f64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO owners (name, virtual_time) VALUES ($1, $2) ON CONFLICT (name) \
         DO UPDATE SET virtual_time = owners.virtual_time + excluded.virtual_time / owners.weight",
    )
    .bind(owner)
    .bind(core_seconds)
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes note of a test's weight, which is stored already, and that the test has changed.
pub(super) fn set_weight(tx: &mut Tx<'_>, id: &str, weight: Option<f64>) {
    change(tx, id, |row| row.weight = weight.unwrap_or(row.weight));
}

/// Puts a test that is locked into another state.
pub(crate) async fn set_state(
    tx: &mut Tx<'_>,
    at: Timestamp,
    id: &str,
    state: State,
    reason: Option<&str>,
) -> Result<(), StoreError> {
    let joined = match locked(tx, id).await? {
        Some(test) if state == State::Queued => Some(clocks::join(tx, &test).await?),
        _ => None,
    };
    change(tx, id, |row| {
        row.state = state;
        row.virtual_time = joined.unwrap_or(row.virtual_time);
        row.ended = state.is_final().then_some(at);
        if let Some(reason) = reason {
            row.reason = Some(reason.to_owned());
        }
    });
    Ok(())
}

/// Keeps how many places of a test that is locked are taken, and how many of its pairs came late.
pub(crate) fn set_counts(tx: &mut Tx<'_>, id: &str, entries: u64, late: u64) {
    change(tx, id, |row| {
        row.entries = entries;
        row.late_pairs = late;
    });
}

/// What of a test that is locked is lent next, and how many of its pairs nobody has. Of what came back
/// only the lowest range is there: there may be thousands.
pub(crate) async fn allotment(
    tx: &mut Tx<'_>,
    test: &TestRow,
) -> Result<(Allotment, u64), StoreError> {
    let row = sqlx::query(
        "SELECT first_pair, pairs, (SELECT CAST(SUM(pairs) AS BIGINT) FROM returned WHERE test = $1) \
         FROM returned WHERE test = $1 ORDER BY first_pair LIMIT 1",
    )
    .bind(&test.id)
    .fetch_optional(tx.sql().await?)
    .await?;
    let new = test.end_pair.saturating_sub(test.next_pair);
    let (lowest, open) = match row {
        Some(row) => (
            Some(range(&row)?),
            new.saturating_add(unsigned(row.try_get(2)?)),
        ),
        None => (None, new),
    };
    let lowest = lowest.into_iter().collect();
    Ok((Allotment::new(test.next_pair, test.end_pair, lowest), open))
}

/// Keeps what was lent of a test that is locked; `before` is as it was read.
pub(crate) async fn set_allotment(
    tx: &mut Tx<'_>,
    test: &str,
    before: &Allotment,
    after: &Allotment,
) -> Result<(), StoreError> {
    change(tx, test, |row| row.next_pair = after.next());
    for range in before.returned() {
        if !after.returned().contains(range) {
            sqlx::query("DELETE FROM returned WHERE test = $1 AND first_pair = $2")
                .bind(test)
                .bind(signed(range.first))
                .execute(tx.sql().await?)
                .await?;
        }
    }
    for &range in after.returned() {
        if !before.returned().contains(&range) {
            give_back(tx, test, range).await?;
        }
    }
    Ok(())
}

/// Lends these pairs of a test that is locked no more: their results have come.
pub(crate) async fn forget(
    tx: &mut Tx<'_>,
    test: &TestRow,
    pairs: &[u64],
) -> Result<(), StoreError> {
    for &pair in pairs {
        let row = sqlx::query(
            "SELECT first_pair, pairs FROM returned WHERE test = $1 AND first_pair <= $2 \
             ORDER BY first_pair DESC LIMIT 1",
        )
        .bind(&test.id)
        .bind(signed(pair))
        .fetch_optional(tx.sql().await?)
        .await?;
        let below = row.as_ref().map(range).transpose()?;
        let before = Allotment::new(test.next_pair, test.end_pair, below.into_iter().collect());
        let mut after = before.clone();
        after.forget(pair);
        set_allotment(tx, &test.id, &before, &after).await?;
    }
    Ok(())
}

/// A row of `returned`.
fn range(row: &AnyRow) -> Result<PairRange, StoreError> {
    Ok(PairRange {
        first: unsigned(row.try_get(0)?),
        count: unsigned(row.try_get(1)?),
    })
}

/// These pairs can be lent again.
pub(crate) async fn give_back(
    tx: &mut Tx<'_>,
    test: &str,
    range: PairRange,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO returned (test, first_pair, pairs) VALUES ($1, $2, $3)")
        .bind(test)
        .bind(signed(range.first))
        .bind(signed(range.count))
        .execute(tx.sql().await?)
        .await?;
    Ok(())
}

/// Moves the clocks of a test that is locked and of its owner on by so many core-seconds, or back.
pub(crate) fn charge(tx: &mut Tx<'_>, id: &str, core_seconds: f64) {
    let mut owner = String::new();
    change(tx, id, |row| {
        row.virtual_time += core_seconds / row.weight;
        owner.clone_from(&row.owner);
    });
    *tx.unit.owners.entry(owner).or_default() += core_seconds;
}
