//! Tests as they are kept.

use fleet_api::State;
use fleet_core::allotment::{Allotment, PairRange};
use fleet_core::timestamp::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{self, signed, unsigned};
use super::{Store, StoreError, Tx, locking};

/// What of a test never changes, and what does.
#[derive(Clone, Debug)]
pub(crate) struct TestRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) state: State,
    pub(crate) reason: Option<String>,
    pub(crate) spec: String,
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
        "id, name, owner, state, reason, spec, created_ms, ended_ms, next_pair, end_pair, entries, \
         late_pairs, weight, virtual_time"
    };
}

impl TestRow {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let state: String = row.try_get(3)?;
        let ended: Option<i64> = row.try_get(7)?;
        let number = |column: usize| row.try_get::<i64, _>(column).map(unsigned);
        Ok(Self {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            owner: row.try_get(2)?,
            state: State::named(&state).ok_or_else(|| StoreError::Unreadable {
                what: "a test's state",
                why: state,
            })?,
            reason: row.try_get(4)?,
            spec: row.try_get(5)?,
            created: Timestamp(number(6)?),
            ended: ended.map(|at| Timestamp(unsigned(at))),
            next_pair: number(8)?,
            end_pair: number(9)?,
            entries: number(10)?,
            late_pairs: number(11)?,
            weight: row.try_get(12)?,
            virtual_time: row.try_get(13)?,
        })
    }
}

impl Store {
    /// Keeps a new test, unless one with the same key is there; then that one's id and state.
    pub(crate) async fn add_test(
        &self,
        test: TestRow,
        key: Option<String>,
    ) -> Result<(String, State), StoreError> {
        self.write(move |tx| {
            let (test, key) = (test.clone(), key.clone());
            Box::pin(async move {
                if let Some(key) = &key {
                    let known =
                        sqlx::query("SELECT id, state FROM tests WHERE idempotency_key = $1")
                            .bind(key)
                            .fetch_optional(&mut *tx.conn)
                            .await?;
                    if let Some(row) = known {
                        let state: String = row.try_get(1)?;
                        return Ok((
                            row.try_get(0)?,
                            State::named(&state).unwrap_or(State::Submitted),
                        ));
                    }
                }
                sqlx::query(
                    "INSERT INTO tests (id, name, owner, state, spec, idempotency_key, created_ms, \
                     next_pair, end_pair, entries, late_pairs, weight, virtual_time) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, 0, 0, $9, $10)",
                )
                .bind(&test.id)
                .bind(&test.name)
                .bind(&test.owner)
                .bind(test.state.name())
                .bind(&test.spec)
                .bind(key)
                .bind(signed(test.created.0))
                .bind(signed(test.end_pair))
                .bind(test.weight)
                .bind(test.virtual_time)
                .execute(&mut *tx.conn)
                .await?;
                audit::note(tx, test.created, &test.id, &test.owner, "submit", "").await?;
                Ok((test.id, test.state))
            })
        })
        .await
    }

    /// All tests, newest first.
    pub(crate) async fn tests(&self) -> Result<Vec<TestRow>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            columns!(),
            " FROM tests ORDER BY id DESC"
        ))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(TestRow::read).collect()
    }

    /// The test called `id`.
    pub(crate) async fn test(&self, id: &str) -> Result<Option<TestRow>, StoreError> {
        let row = sqlx::query(concat!("SELECT ", columns!(), " FROM tests WHERE id = $1"))
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(TestRow::read).transpose()
    }
}

/// The test called `id`, for this transaction alone.
pub(crate) async fn locked(tx: &mut Tx<'_>, id: &str) -> Result<Option<TestRow>, StoreError> {
    let row = locking!(tx, "SELECT ", columns!(), " FROM tests WHERE id = $1")
        .bind(id)
        .fetch_optional(&mut *tx.conn)
        .await?;
    row.as_ref().map(TestRow::read).transpose()
}

/// The tests of which pairs can be lent.
pub(crate) async fn open(tx: &mut Tx<'_>) -> Result<Vec<TestRow>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM tests WHERE state = 'queued' AND (next_pair < end_pair \
         OR EXISTS (SELECT 1 FROM returned WHERE returned.test = tests.id))"
    ))
    .fetch_all(&mut *tx.conn)
    .await?;
    rows.iter().map(TestRow::read).collect()
}

/// Puts a test into another state.
pub(crate) async fn set_state(
    tx: &mut Tx<'_>,
    at: Timestamp,
    id: &str,
    state: State,
    reason: Option<&str>,
) -> Result<(), StoreError> {
    let ended = state.is_final().then(|| signed(at.0));
    sqlx::query(
        "UPDATE tests SET state = $1, reason = COALESCE($2, reason), ended_ms = $3 WHERE id = $4",
    )
    .bind(state.name())
    .bind(reason)
    .bind(ended)
    .bind(id)
    .execute(&mut *tx.conn)
    .await?;
    Ok(())
}

/// The pairs of a test that nobody has, as far as it was read under lock.
pub(crate) async fn allotment(tx: &mut Tx<'_>, test: &TestRow) -> Result<Allotment, StoreError> {
    let rows = locking!(tx, "SELECT first_pair, pairs FROM returned WHERE test = $1")
        .bind(&test.id)
        .fetch_all(&mut *tx.conn)
        .await?;
    let returned = rows
        .iter()
        .map(|row| {
            Ok(PairRange {
                first: unsigned(row.try_get(0)?),
                count: unsigned(row.try_get(1)?),
            })
        })
        .collect::<Result<_, StoreError>>()?;
    Ok(Allotment::new(test.next_pair, test.end_pair, returned))
}

/// Keeps what is left of a test's allotment.
pub(crate) async fn set_allotment(
    tx: &mut Tx<'_>,
    test: &str,
    allotment: &Allotment,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE tests SET next_pair = $1 WHERE id = $2")
        .bind(signed(allotment.next()))
        .bind(test)
        .execute(&mut *tx.conn)
        .await?;
    sqlx::query("DELETE FROM returned WHERE test = $1")
        .bind(test)
        .execute(&mut *tx.conn)
        .await?;
    for &range in allotment.returned() {
        give_back(tx, test, range).await?;
    }
    Ok(())
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
        .execute(&mut *tx.conn)
        .await?;
    Ok(())
}

/// The virtual times of all owners.
pub(crate) async fn owner_times(
    tx: &mut Tx<'_>,
) -> Result<std::collections::BTreeMap<String, f64>, StoreError> {
    let rows = sqlx::query("SELECT name, virtual_time FROM owners")
        .fetch_all(&mut *tx.conn)
        .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}

/// Moves the clocks of a test and its owner on by so many core-seconds, or back.
pub(crate) async fn charge(
    tx: &mut Tx<'_>,
    test: &TestRow,
    core_seconds: f64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE tests SET virtual_time = virtual_time + $1 WHERE id = $2")
        .bind(core_seconds / test.weight)
        .bind(&test.id)
        .execute(&mut *tx.conn)
        .await?;
    sqlx::query(
        "INSERT INTO owners (name, virtual_time) VALUES ($1, $2) ON CONFLICT (name) \
         DO UPDATE SET virtual_time = owners.virtual_time + excluded.virtual_time",
    )
    .bind(&test.owner)
    .bind(core_seconds)
    .execute(&mut *tx.conn)
    .await?;
    Ok(())
}
