//! All workers that were ever heard of, and what they do.

use fleet_api::{HostFacts, Playing, WorkerLine};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{signed, unsigned};
use super::bars;
use super::{Store, StoreError};

impl Store {
    /// What the machines have of workers that were heard of since then, in milliseconds; `most` of them.
    pub(crate) async fn hosts(&self, since: u64, most: u32) -> Result<Vec<HostFacts>, StoreError> {
        let rows = sqlx::query("SELECT host FROM workers WHERE seen_ms >= $1 LIMIT $2")
            .bind(signed(since))
            .bind(i64::from(most))
            .fetch_all(&self.pool)
            .await?;
        let texts: Vec<String> = rows
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<_, _>>()?;
        // One that an older worker said in other words says nothing.
        Ok(texts
            .iter()
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect())
    }

    /// At most `limit` workers, those heard of last first, from the one that follows `after`; nothing if
    /// that one is not known.
    pub(crate) async fn workers(
        &self,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Option<Vec<WorkerLine>>, StoreError> {
        let (seen, id) = match after {
            None => (i64::MAX, ""),
            Some(id) => {
                let row = sqlx::query("SELECT seen_ms FROM workers WHERE id = $1")
                    .bind(id)
                    .fetch_optional(&self.pool)
                    .await?;
                let Some(row) = row else { return Ok(None) };
                (row.try_get(0)?, id)
            }
        };
        let rows = sqlx::query(
            "SELECT workers.id, workers.name, workers.owner, workers.host, workers.seen_ms, \
             workers.spool, leases.id, leases.test, tests.name, leases.pairs, leases.reported, \
             workers.barred_ms, workers.barred_by, workers.barred_why \
             FROM workers LEFT JOIN leases ON leases.id = (SELECT MAX(held.id) FROM leases AS held \
             WHERE held.worker = workers.id AND held.state = 'held') \
             LEFT JOIN tests ON tests.id = leases.test \
             WHERE workers.seen_ms < $1 OR (workers.seen_ms = $1 AND workers.id > $2) \
             ORDER BY workers.seen_ms DESC, workers.id LIMIT $3",
        )
        .bind(seen)
        .bind(id)
        .bind(i64::from(limit))
        .fetch_all(&self.pool)
        .await?;
        let workers = rows.iter().map(line).collect::<Result<_, StoreError>>()?;
        Ok(Some(workers))
    }
}

fn line(row: &AnyRow) -> Result<WorkerLine, StoreError> {
    let host: String = row.try_get(3)?;
    // One that an old version kept in another form does not hide all others.
    let host: Option<HostFacts> = serde_json::from_str(&host).ok();
    let of = |fact: fn(&HostFacts) -> &str| host.as_ref().map_or("", fact).to_owned();
    let plays = match row.try_get::<Option<String>, _>(6)? {
        Some(lease) => Some(Playing {
            lease,
            test: row.try_get(7)?,
            test_name: row.try_get::<Option<String>, _>(8)?.unwrap_or_default(),
            pairs: unsigned(row.try_get(9)?),
            reported: unsigned(row.try_get(10)?),
        }),
        None => None,
    };
    Ok(WorkerLine {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        owner: row.try_get(2)?,
        version: of(|host| &host.version),
        platform: of(|host| &host.platform),
        cores: host.as_ref().map_or(0, |host| host.cores),
        memory_mib: host.as_ref().map_or(0, |host| host.memory_mib),
        seen_ms: unsigned(row.try_get(4)?),
        spool: unsigned(row.try_get(5)?),
        plays,
        barred: bars::read(row, 11)?,
    })
}
