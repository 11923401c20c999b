//! Pairs as they were reported, and the sequence in which they were counted.

use std::time::Duration;

use fleet_core::allotment::PairRange;
use fleet_core::standing::Entry;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::{signed, unsigned};
use super::{Store, StoreError, Tx};
use crate::results;

/// A pair that was believed.
#[derive(Clone, Debug)]
pub(crate) struct PairRow {
    pub(crate) pair: u64,
    /// Both games as they were reported, JSON.
    pub(crate) games: String,
    /// How long both took, one after the other.
    pub(crate) took: Duration,
    /// What counts.
    pub(crate) entry: Entry,
}

impl Store {
    /// What was counted of `test` from place `from` on, in order.
    pub(crate) async fn entries(&self, test: &str, from: u64) -> Result<Vec<Entry>, StoreError> {
        let rows = sqlx::query(
            "SELECT first_pair, pairs, results FROM entries WHERE test = $1 AND place >= $2 \
             ORDER BY place",
        )
        .bind(test)
        .bind(signed(from))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let range = PairRange {
                    first: unsigned(row.try_get(0)?),
                    count: unsigned(row.try_get(1)?),
                };
                let text: Option<String> = row.try_get(2)?;
                match text {
                    None => Ok(Entry::Lapsed(range)),
                    Some(text) => results::read(&text)
                        .map(|games| Entry::Pair {
                            pair: range.first,
                            games,
                        })
                        .ok_or(StoreError::Unreadable {
                            what: "a pair's results",
                            why: text,
                        }),
                }
            })
            .collect()
    }

    /// The games of `test` that were counted, by pair from `from` on, at most `most` pairs.
    pub(crate) async fn games(
        &self,
        test: &str,
        from: u64,
        most: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT pair, games FROM pairs WHERE test = $1 AND pair >= $2 AND late = 0 \
             ORDER BY pair LIMIT $3",
        )
        .bind(test)
        .bind(signed(from))
        .bind(i64::from(most))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| Ok((unsigned(row.try_get(0)?), row.try_get(1)?)))
            .collect()
    }
}

/// Which of a range have been reported.
pub(crate) async fn reported(
    tx: &mut Tx<'_>,
    test: &str,
    range: PairRange,
) -> Result<std::collections::BTreeSet<u64>, StoreError> {
    let rows = sqlx::query("SELECT pair FROM pairs WHERE test = $1 AND pair >= $2 AND pair < $3")
        .bind(test)
        .bind(signed(range.first))
        .bind(signed(range.end()))
        .fetch_all(&mut *tx.conn)
        .await?;
    rows.iter()
        .map(|row| Ok(unsigned(row.try_get(0)?)))
        .collect()
}

/// Keeps a pair; whether it was new.
pub(crate) async fn add(
    tx: &mut Tx<'_>,
    at: Timestamp,
    (test, lease, worker): (&str, &str, &str),
    pair: &PairRow,
    late: bool,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO pairs (test, pair, lease, worker, received_ms, late, games) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (test, pair) DO NOTHING",
    )
    .bind(test)
    .bind(signed(pair.pair))
    .bind(lease)
    .bind(worker)
    .bind(signed(at.0))
    .bind(i64::from(late))
    .bind(&pair.games)
    .execute(&mut *tx.conn)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Gives `entry` the place `place`.
pub(crate) async fn count(
    tx: &mut Tx<'_>,
    test: &str,
    place: u64,
    entry: &Entry,
) -> Result<(), StoreError> {
    let (range, text) = match entry {
        Entry::Pair { pair, games } => (
            PairRange {
                first: *pair,
                count: 1,
            },
            Some(results::text(games)),
        ),
        Entry::Lapsed(range) => (*range, None),
    };
    sqlx::query(
        "INSERT INTO entries (test, place, first_pair, pairs, results) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(test)
    .bind(signed(place))
    .bind(signed(range.first))
    .bind(signed(range.count))
    .bind(text)
    .execute(&mut *tx.conn)
    .await?;
    Ok(())
}

/// Keeps how many places of `test` are taken, and how many of its pairs came late.
pub(crate) async fn set_counts(
    tx: &mut Tx<'_>,
    test: &str,
    entries: u64,
    late: u64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE tests SET entries = $1, late_pairs = $2 WHERE id = $3")
        .bind(signed(entries))
        .bind(signed(late))
        .bind(test)
        .execute(&mut *tx.conn)
        .await?;
    Ok(())
}
