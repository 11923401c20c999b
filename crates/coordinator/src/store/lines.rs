//! Tests as a list shows them, with totals that were worked out before: nobody folds a test of years
//! ago from its beginning to say how it ended.

use fleet_api::{State, WhichTests};
use fleet_core::timestamp::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{signed, unsigned};
use super::{Store, StoreError, tests};

/// Greater than every name of a test in every order of letters: these have hexadecimal digits.
const AFTER_ALL: &str = "z";

/// What a list says of a test.
#[derive(Clone, Debug)]
pub(crate) struct LineRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) state: State,
    pub(crate) created: Timestamp,
    /// How many there are.
    pub(crate) entries: u64,
    /// As it was worked out last.
    pub(crate) score: Option<Score>,
}

/// How a test stood after so many entries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Score {
    pub(crate) entries: u64,
    pub(crate) pairs: u64,
    pub(crate) pairs_wanted: Option<u64>,
    pub(crate) llr: Option<f64>,
}

impl Store {
    /// These tests, newest first.
    pub(crate) async fn lines(&self, which: WhichTests) -> Result<Vec<LineRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT tests.id, tests.name, tests.owner, tests.state, tests.created_ms, tests.entries, \
             scores.entries, scores.pairs, scores.pairs_wanted, scores.llr \
             FROM tests LEFT JOIN scores ON scores.test = tests.id \
             WHERE tests.state = COALESCE($1, tests.state) \
             AND tests.owner = COALESCE($2, tests.owner) \
             AND tests.id < COALESCE($3, $4) ORDER BY tests.id DESC LIMIT $5",
        )
        .bind(which.state.map(|state| state.name().to_owned()))
        .bind(which.owner)
        .bind(which.after)
        .bind(AFTER_ALL)
        .bind(which.limit.map_or(i64::MAX, i64::from))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(LineRow::read).collect()
    }

    /// Keeps how these tests stand, unless newer ones are there.
    pub(crate) async fn keep_scores(
        &self,
        mut scores: Vec<(String, Score)>,
    ) -> Result<(), StoreError> {
        // In the order in which everybody locks rows.
        scores.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.write(move |tx| {
            let scores = scores.clone();
            Box::pin(async move {
                for (test, score) in scores {
                    sqlx::query(
                        "INSERT INTO scores (test, entries, pairs, pairs_wanted, llr) \
                         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (test) DO UPDATE \
                         SET entries = excluded.entries, pairs = excluded.pairs, \
                         pairs_wanted = excluded.pairs_wanted, llr = excluded.llr \
                         WHERE scores.entries < excluded.entries",
                    )
                    .bind(test)
                    .bind(signed(score.entries))
                    .bind(signed(score.pairs))
                    .bind(score.pairs_wanted.map(signed))
                    .bind(score.llr)
                    .execute(tx.sql().await?)
                    .await?;
                }
                Ok(())
            })
        })
        .await
    }
}

impl LineRow {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let entries: Option<i64> = row.try_get(6)?;
        let score = match entries {
            Some(entries) => Some(Score {
                entries: unsigned(entries),
                pairs: unsigned(row.try_get(7)?),
                pairs_wanted: row.try_get::<Option<i64>, _>(8)?.map(unsigned),
                llr: row.try_get(9)?,
            }),
            None => None,
        };
        Ok(Self {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            owner: row.try_get(2)?,
            state: tests::state(row, 3)?,
            created: Timestamp(unsigned(row.try_get(4)?)),
            entries: unsigned(row.try_get(5)?),
            score,
        })
    }
}
