//! What a transaction has read under lock and is about to write: a unit of work (Fowler 2002).
//!
//! A batch of reports reads the rows of its tests and leases once and writes them once, and its new
//! pairs go to the database together: what a report costs is mostly the way there and back. Nobody need
//! think of it, because whoever asks the database itself, by [`Tx::sql`], finds everything written.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row};

use super::audit::{signed, unsigned};
use super::leases::{self, LeaseRow};
use super::tests::{self, TestRow};
use super::{Dialect, StoreError, Tx, notices};

/// Values of one statement at most; SQLite takes 32766 and PostgreSQL 65535.
const VALUES: usize = 30_000;

/// What a transaction holds.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// Tests that are locked, as they are to be in the end.
    pub(super) tests: BTreeMap<String, TestRow>,
    pub(super) changed_tests: BTreeSet<String>,
    /// By how much the clocks of owners move.
    pub(super) owners: BTreeMap<String, f64>,
    /// Leases that are locked, as they are to be in the end.
    pub(super) leases: BTreeMap<String, LeaseRow>,
    pub(super) changed_leases: BTreeSet<String>,
    /// Pairs of which it is known whether they are there, and those that are.
    asked: BTreeSet<(String, u64)>,
    known: BTreeSet<(String, u64)>,
    pub(super) pairs: Vec<NewPair>,
    pub(super) entries: Vec<NewEntry>,
}

/// A row of `pairs`.
#[derive(Debug)]
pub(super) struct NewPair {
    pub(super) test: String,
    pub(super) pair: u64,
    pub(super) lease: String,
    pub(super) worker: String,
    pub(super) received_ms: u64,
    pub(super) late: bool,
    pub(super) games: String,
}

/// A row of `entries`.
#[derive(Debug)]
pub(super) struct NewEntry {
    pub(super) test: String,
    pub(super) place: u64,
    pub(super) first_pair: u64,
    pub(super) pairs: u64,
    pub(super) results: Option<String>,
    pub(super) seat: u64,
    pub(super) kind: i64,
}

/// What a write will need, so that the needs of a whole batch are read together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foresight {
    /// The test that it locks.
    pub(crate) test: Option<String>,
    /// The lease that it locks.
    pub(crate) lease: Option<String>,
    /// The pairs that it may add.
    pub(crate) pairs: Vec<u64>,
}

impl Tx<'_> {
    /// The database, with all that was changed so far.
    pub(super) async fn sql(&mut self) -> Result<&mut AnyConnection, StoreError> {
        self.write_rows().await?;
        // Whoever asks may change it.
        self.unit.leases.clear();
        self.unit.asked.clear();
        self.unit.known.clear();
        Ok(&mut *self.conn)
    }

    /// Reads what is going to be needed. Locks are taken in the order of names, so that two
    /// coordinators do not wait for each other.
    pub(super) async fn foresee(&mut self, needs: &[&Foresight]) -> Result<(), StoreError> {
        let tests: BTreeSet<&String> = needs.iter().filter_map(|need| need.test.as_ref()).collect();
        for test in tests {
            tests::locked(self, test).await?;
        }
        let leases: BTreeSet<&String> = needs
            .iter()
            .filter_map(|need| need.lease.as_ref())
            .collect();
        leases::lock_all(self, &leases).await?;
        let mut pairs: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        for need in needs {
            if let Some(test) = &need.test {
                pairs.entry(test).or_default().extend(&need.pairs);
            }
        }
        for (test, pairs) in pairs {
            self.ask_for(test, &pairs).await?;
        }
        Ok(())
    }

    /// Finds out which of these pairs are there, if it is not known yet.
    pub(super) async fn ask_for(
        &mut self,
        test: &str,
        pairs: &BTreeSet<u64>,
    ) -> Result<(), StoreError> {
        let unknown: Vec<u64> = pairs
            .iter()
            .copied()
            .filter(|&pair| !self.unit.asked.contains(&(test.to_owned(), pair)))
            .collect();
        for some in unknown.chunks(VALUES / 2) {
            let sql = format!(
                "SELECT pair FROM pairs WHERE test = $1 AND pair IN ({})",
                list(2, some.len())
            );
            let mut query = once(sql).bind(test.to_owned());
            for &pair in some {
                query = query.bind(signed(pair));
            }
            for row in query.fetch_all(&mut *self.conn).await? {
                let pair = unsigned(row.try_get(0)?);
                self.unit.known.insert((test.to_owned(), pair));
            }
            for &pair in some {
                self.unit.asked.insert((test.to_owned(), pair));
            }
        }
        Ok(())
    }

    /// Whether a pair is there, which was asked for.
    pub(super) fn is_known(&self, test: &str, pair: u64) -> bool {
        self.unit.known.contains(&(test.to_owned(), pair))
    }

    /// Takes note that a pair is there, which was asked for. Whether it was not there before.
    pub(super) fn is_new(&mut self, test: &str, pair: u64) -> bool {
        self.unit.known.insert((test.to_owned(), pair))
    }

    /// Writes everything. It is the last that is done in a transaction.
    pub(super) async fn write_all(&mut self) -> Result<(), StoreError> {
        self.write_rows().await?;
        let changed = std::mem::take(&mut self.unit.changed_tests);
        for id in &changed {
            tests::write(self.conn, &self.unit.tests[id]).await?;
        }
        for (owner, core_seconds) in std::mem::take(&mut self.unit.owners) {
            tests::move_owner(self.conn, owner, core_seconds).await?;
        }
        if self.dialect == Dialect::Postgres {
            for id in &changed {
                notices::send(self.conn, id).await?;
            }
        }
        Ok(())
    }

    /// Writes pairs, entries and leases.
    async fn write_rows(&mut self) -> Result<(), StoreError> {
        let pairs = std::mem::take(&mut self.unit.pairs);
        for rows in pairs.chunks(VALUES / 7) {
            let mut query = once(format!(
                "INSERT INTO pairs (test, pair, lease, worker, received_ms, late, games) VALUES {}",
                places(1, rows.len(), 7)
            ));
            for row in rows {
                query = query
                    .bind(&row.test)
                    .bind(signed(row.pair))
                    .bind(&row.lease)
                    .bind(&row.worker)
                    .bind(signed(row.received_ms))
                    .bind(i64::from(row.late))
                    .bind(&row.games);
            }
            query.execute(&mut *self.conn).await?;
        }
        let entries = std::mem::take(&mut self.unit.entries);
        for rows in entries.chunks(VALUES / 7) {
            let mut query = once(format!(
                "INSERT INTO entries (test, place, first_pair, pairs, results, seat, kind) VALUES {}",
                places(1, rows.len(), 7)
            ));
            for row in rows {
                query = query
                    .bind(&row.test)
                    .bind(signed(row.place))
                    .bind(signed(row.first_pair))
                    .bind(signed(row.pairs))
                    .bind(&row.results)
                    .bind(signed(row.seat))
                    .bind(row.kind);
            }
            query.execute(&mut *self.conn).await?;
        }
        let changed = std::mem::take(&mut self.unit.changed_leases);
        let changed: Vec<&LeaseRow> = changed.iter().map(|id| &self.unit.leases[id]).collect();
        for rows in changed.chunks(VALUES / 8) {
            leases::write(self.conn, rows).await?;
        }
        Ok(())
    }
}

/// A query that will not come again with as many values.
pub(super) fn once<'q>(sql: String) -> Query<'q, Any, AnyArguments> {
    sqlx::query(AssertSqlSafe(sql)).persistent(false)
}

/// `($1, $2), ($3, $4)`: so many rows of so many values, from the place `first` on.
pub(super) fn places(first: usize, rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let from = first + row * columns;
        format!("({})", list(from, columns))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    rows.join(", ")
}

/// `$1, $2`: so many values, from the place `first` on.
pub(super) fn list(first: usize, values: usize) -> String {
    let places: Vec<String> = (first..first + values)
        .map(|place| format!("${place}"))
        .collect();
    places.join(", ")
}
