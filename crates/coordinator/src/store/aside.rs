//! Pairs whose worker was set aside: moved away from those that count, and back.

use std::collections::BTreeMap;

use fleet_core::standing::{Entry, Played};
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::{signed, unsigned};
use super::pairs::{self, PairRow};
use super::{StoreError, Tx};

/// Keeps a pair that came from a worker that is set aside; whether it was new.
pub(crate) async fn add(
    tx: &mut Tx<'_>,
    at: Timestamp,
    (test, lease, worker): (&str, &str, &str),
    pair: &PairRow,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO aside (test, pair, lease, worker, received_ms, games) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (test, pair, lease) DO NOTHING",
    )
    .bind(test)
    .bind(signed(pair.pair))
    .bind(lease)
    .bind(worker)
    .bind(signed(at.0))
    .bind(&pair.games)
    .execute(tx.sql().await?)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Moves the pairs of `worker` that count aside; they are given as they were counted, in order.
pub(crate) async fn take_out(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
) -> Result<Vec<Played>, StoreError> {
    let rows = sqlx::query(
        "SELECT pair FROM pairs WHERE test = $1 AND worker = $2 AND late = 0 ORDER BY pair",
    )
    .bind(test)
    .bind(worker)
    .fetch_all(tx.sql().await?)
    .await?;
    let known = played(tx, test, worker).await?;
    let taken = rows
        .iter()
        .map(|row| {
            let pair = unsigned(row.try_get(0)?);
            known.get(&pair).copied().ok_or_else(|| not_counted(pair))
        })
        .collect::<Result<_, StoreError>>()?;
    for sql in [
        "INSERT INTO aside (test, pair, lease, worker, received_ms, games) \
         SELECT test, pair, lease, worker, received_ms, games FROM pairs \
         WHERE test = $1 AND worker = $2 AND late = 0 ON CONFLICT (test, pair, lease) DO NOTHING",
        "DELETE FROM pairs WHERE test = $1 AND worker = $2 AND late = 0",
        "UPDATE leases SET state = 'barred' WHERE test = $1 AND worker = $2",
    ] {
        sqlx::query(sql)
            .bind(test)
            .bind(worker)
            .execute(tx.sql().await?)
            .await?;
    }
    Ok(taken)
}

/// Moves the pairs of `worker` back that nobody else has played since; they are given as they were
/// played, in order, and how many stay.
pub(crate) async fn put_back(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
) -> Result<(Vec<Played>, u64), StoreError> {
    let rows = sqlx::query(
        "SELECT pair, lease FROM aside WHERE test = $1 AND worker = $2 AND NOT EXISTS \
         (SELECT 1 FROM pairs WHERE pairs.test = aside.test AND pairs.pair = aside.pair) \
         ORDER BY pair, received_ms",
    )
    .bind(test)
    .bind(worker)
    .fetch_all(tx.sql().await?)
    .await?;
    // The same pair may be there twice, played again by the same worker: the last one is brought back.
    let mut leases: BTreeMap<u64, String> = BTreeMap::new();
    for row in rows {
        leases.insert(unsigned(row.try_get(0)?), row.try_get(1)?);
    }
    let known = played(tx, test, worker).await?;
    let mut back = Vec::with_capacity(leases.len());
    for (pair, lease) in leases {
        back.push(known.get(&pair).copied().ok_or_else(|| not_counted(pair))?);
        for sql in [
            "INSERT INTO pairs (test, pair, lease, worker, received_ms, late, games) \
             SELECT test, pair, lease, worker, received_ms, 0, games FROM aside \
             WHERE test = $1 AND pair = $2 AND lease = $3",
            "DELETE FROM aside WHERE test = $1 AND pair = $2 AND lease = $3",
        ] {
            sqlx::query(sql)
                .bind(test)
                .bind(signed(pair))
                .bind(&lease)
                .execute(tx.sql().await?)
                .await?;
        }
    }
    sqlx::query(
        "UPDATE leases SET state = 'settled' WHERE test = $1 AND worker = $2 AND state = 'barred'",
    )
    .bind(test)
    .bind(worker)
    .execute(tx.sql().await?)
    .await?;
    let left = left(tx, test, worker).await?;
    Ok((back, left))
}

/// How many pairs of `worker` are aside.
pub(crate) async fn left(tx: &mut Tx<'_>, test: &str, worker: &str) -> Result<u64, StoreError> {
    let left = sqlx::query("SELECT COUNT(*) FROM aside WHERE test = $1 AND worker = $2")
        .bind(test)
        .bind(worker)
        .fetch_one(tx.sql().await?)
        .await?;
    Ok(unsigned(left.try_get(0)?))
}

/// What is known of the pairs of `worker`, as they came last.
async fn played(
    tx: &mut Tx<'_>,
    test: &str,
    worker: &str,
) -> Result<BTreeMap<u64, Played>, StoreError> {
    let rows = sqlx::query(
        "SELECT first_pair, pairs, results, seat, kind FROM entries WHERE test = $1 AND seat IN \
         (SELECT seat FROM crew WHERE crew.test = $1 AND worker = $2) ORDER BY place",
    )
    .bind(test)
    .bind(worker)
    .fetch_all(tx.sql().await?)
    .await?;
    let mut known = BTreeMap::new();
    for row in &rows {
        match pairs::entry(row)? {
            Entry::Pair(played) | Entry::CameAside(played) => {
                known.insert(played.pair, played);
            }
            Entry::SetAside { .. } | Entry::BroughtBack(_) | Entry::Lapsed(_) => {}
        }
    }
    Ok(known)
}

fn not_counted(pair: u64) -> StoreError {
    StoreError::Unreadable {
        what: "a pair without an entry",
        why: format!("pair {}", pair + 1),
    }
}
