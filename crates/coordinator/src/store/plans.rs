//! Tests of which pairs can be lent, as far as a plan needs to know them.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Store, StoreError};

/// A test of which pairs can be lent.
#[derive(Clone, Debug)]
pub(crate) struct OpenTest {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) virtual_time: f64,
    /// The virtual time of its owner.
    pub(crate) owner_time: f64,
    /// Its class, if somebody has changed it.
    pub(crate) priority: Option<i64>,
}

/// Of which tests pairs can be lent.
macro_rules! is_open {
    () => {
        "tests.state = 'queued' AND (tests.next_pair < tests.end_pair \
         OR EXISTS (SELECT 1 FROM returned WHERE returned.test = tests.id))"
    };
}

macro_rules! open_tests {
    () => {
        concat!(
            "SELECT tests.id, tests.owner, tests.virtual_time, COALESCE(owners.virtual_time, 0.0), \
             tests.priority FROM tests LEFT JOIN owners ON owners.name = tests.owner WHERE ",
            is_open!()
        )
    };
}

pub(super) use is_open;

/// How many tests there are of which pairs can be lent.
pub(super) const OPEN_TESTS: &str = concat!("SELECT COUNT(*) FROM tests WHERE ", is_open!());

impl OpenTest {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get(0)?,
            owner: row.try_get(1)?,
            virtual_time: row.try_get(2)?,
            owner_time: row.try_get(3)?,
            priority: row.try_get(4)?,
        })
    }
}

impl Store {
    /// All tests of which pairs can be lent.
    pub(crate) async fn open_tests(&self) -> Result<Vec<OpenTest>, StoreError> {
        let rows = sqlx::query(open_tests!()).fetch_all(&self.pool).await?;
        rows.iter().map(OpenTest::read).collect()
    }

    /// Whether pairs of the test called `id` can be lent.
    pub(crate) async fn is_open(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.open_test(id).await?.is_some())
    }

    /// The test called `id`, if pairs of it can be lent.
    pub(crate) async fn open_test(&self, id: &str) -> Result<Option<OpenTest>, StoreError> {
        let row = sqlx::query(concat!(open_tests!(), " AND tests.id = $1"))
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(OpenTest::read).transpose()
    }
}
