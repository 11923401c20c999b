//! Workers as they are kept, and what is known of their luck.

use std::collections::BTreeSet;

use fleet_api::Life;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::signed;
use super::{Store, StoreError, Tx, unit};

/// Whether a worker was taken note of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Yes,
    /// Its name is that of another user's worker.
    Foreign,
    /// Another process goes by its name, which is none of those before it.
    Copied,
    /// An administrator keeps it out.
    Barred,
}

/// Takes note of a worker of this `owner`'s, on a machine with this `name` and these facts.
pub(crate) async fn seen(
    tx: &mut Tx<'_>,
    at: Timestamp,
    (worker, owner): (&str, &str),
    (name, host): (&str, &str),
    life: Option<&Life>,
) -> Result<Seen, StoreError> {
    let own = life.map_or("", |life| &life.id);
    let before = life.map_or(&[][..], |life| &life.before);
    let sql = format!(
        "INSERT INTO workers (id, owner, name, host, seen_ms, life) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, host = excluded.host, \
         seen_ms = excluded.seen_ms, life = excluded.life WHERE workers.owner = excluded.owner \
         AND workers.barred_ms IS NULL AND (excluded.life = '' OR workers.life IN ({}))",
        unit::list(6, before.len() + 2)
    );
    let mut query = unit::once(sql)
        .bind(worker)
        .bind(owner)
        .bind(name)
        .bind(host)
        .bind(signed(at.0))
        .bind(own)
        // Of those that never said one nothing is known.
        .bind("");
    for life in before {
        query = query.bind(life);
    }
    let done = query.execute(tx.sql().await?).await?;
    if done.rows_affected() > 0 {
        return Ok(Seen::Yes);
    }
    let known = sqlx::query("SELECT owner, barred_ms FROM workers WHERE id = $1")
        .bind(worker)
        .fetch_one(tx.sql().await?)
        .await?;
    let its_owner: String = known.try_get(0)?;
    let barred: Option<i64> = known.try_get(1)?;
    Ok(match its_owner == owner {
        false => Seen::Foreign,
        true if barred.is_some() => Seen::Barred,
        true => Seen::Copied,
    })
}

/// Takes note that `worker` is alive, with so many pairs that nobody has acknowledged.
pub(crate) async fn heard(
    tx: &mut Tx<'_>,
    at: Timestamp,
    worker: &str,
    spool: u64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE workers SET spool = $1, seen_ms = $2 WHERE id = $3")
        .bind(signed(spool))
        .bind(signed(at.0))
        .bind(worker)
        .execute(tx.sql().await?)
        .await?;
    Ok(())
}

impl Store {
    /// Whose worker it is, if it is known.
    pub(crate) async fn worker_owner(&self, worker: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT owner FROM workers WHERE id = $1")
            .bind(worker)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    /// Tests that `worker` had trouble with lately.
    pub(crate) async fn troubled(
        &self,
        worker: &str,
        at: Timestamp,
    ) -> Result<BTreeSet<String>, StoreError> {
        let rows = sqlx::query(
            "SELECT test FROM trials WHERE worker = $1 AND until_ms > $2 \
             UNION SELECT test FROM bars WHERE worker = $1 AND kind <> 'lifted'",
        )
        .bind(worker)
        .bind(signed(at.0))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }
}
