//! What is counted again, and what came of it.

use std::collections::BTreeSet;
use std::time::Duration;

use fleet_api::Recounted;
use fleet_core::standing::Entry;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::{self, signed, unsigned};
use super::{Store, StoreError, one_more, pairs};

/// A test that goes on is counted again when it has twice as many entries, and at least so many.
const ENTRIES_MIN: i64 = 100;

/// Or after so long, if there is anything new.
const EVERY: Duration = Duration::from_secs(10 * 60);

impl Store {
    /// Places `from` to below `end` of `test`, at most `most`, each with what is there or why it
    /// cannot be read.
    pub(crate) async fn places(
        &self,
        test: &str,
        from: u64,
        end: u64,
        most: u32,
    ) -> Result<Vec<(u64, Result<Entry, String>)>, StoreError> {
        let rows = sqlx::query(
            "SELECT first_pair, pairs, results, seat, kind, place FROM entries \
             WHERE test = $1 AND place >= $2 AND place < $3 ORDER BY place LIMIT $4",
        )
        .bind(test)
        .bind(signed(from))
        .bind(signed(end))
        .bind(i64::from(most))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let entry = pairs::entry(row).map_err(|error| error.to_string());
                Ok((unsigned(row.try_get(5)?), entry))
            })
            .collect()
    }

    /// The last recount of `test`.
    pub(crate) async fn recount(&self, test: &str) -> Result<Option<Recounted>, StoreError> {
        let row =
            sqlx::query("SELECT at_ms, pairs, replayed, differences FROM recounts WHERE test = $1")
                .bind(test)
                .fetch_optional(&self.pool)
                .await?;
        row.map(|row| {
            let differences: String = row.try_get(3)?;
            let differences: Vec<String> = differences.lines().map(str::to_owned).collect();
            Ok(Recounted {
                at_ms: unsigned(row.try_get(0)?),
                equal: differences.is_empty(),
                pairs: unsigned(row.try_get(1)?),
                replayed: unsigned(row.try_get(2)?),
                differences,
            })
        })
        .transpose()
    }

    /// Keeps what came of a recount of `test` up to place `entries`. It is on record if `who` asked
    /// for it, or if it says something new.
    pub(crate) async fn set_recount(
        &self,
        test: &str,
        entries: u64,
        counted: &Recounted,
        who: Option<&str>,
    ) -> Result<(), StoreError> {
        let before = self.recount(test).await?;
        let before = before.map_or_else(Vec::new, |before| before.differences);
        let is_news = who.is_some() || counted.differences != before;
        let (test, counted) = (test.to_owned(), counted.clone());
        let who = who.unwrap_or("arbiter").to_owned();
        self.write(move |tx| {
            let (test, counted, who) = (test.clone(), counted.clone(), who.clone());
            Box::pin(async move {
                let differences = counted.differences.join("\n");
                sqlx::query(
                    "INSERT INTO recounts (test, at_ms, entries, pairs, replayed, differences) \
                     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (test) DO UPDATE \
                     SET at_ms = excluded.at_ms, entries = excluded.entries, pairs = excluded.pairs, \
                     replayed = excluded.replayed, differences = excluded.differences",
                )
                .bind(&test)
                .bind(signed(counted.at_ms))
                .bind(signed(entries))
                .bind(signed(counted.pairs))
                .bind(signed(counted.replayed))
                .bind(&differences)
                .execute(tx.sql().await?)
                .await?;
                if is_news {
                    let detail = match counted.equal {
                        true => "equal".to_owned(),
                        false => format!("differs: {}", counted.differences.join("; ")),
                    };
                    let at = Timestamp(counted.at_ms);
                    audit::note(tx, at, &test, &who, "recount", &detail).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// A test that is to be counted again, and whether it is over. None of `but`.
    pub(crate) async fn to_recount(
        &self,
        at: Timestamp,
        but: &BTreeSet<String>,
    ) -> Result<Option<(String, bool)>, StoreError> {
        let since = Timestamp(at.0.saturating_sub(EVERY.as_millis() as u64));
        let rows = sqlx::query(
            "SELECT tests.id, CAST(CASE WHEN tests.ended_ms IS NULL THEN 0 ELSE 1 END AS BIGINT) \
             FROM tests \
             LEFT JOIN recounts ON recounts.test = tests.id \
             WHERE (tests.ended_ms IS NOT NULL AND (recounts.at_ms IS NULL \
             OR recounts.at_ms < tests.ended_ms OR recounts.entries < tests.entries)) \
             OR (tests.ended_ms IS NULL AND (tests.entries >= $1 + 2 * COALESCE(recounts.entries, 0) \
             OR (recounts.at_ms < $2 AND recounts.entries < tests.entries))) \
             ORDER BY 2 DESC, tests.id LIMIT $3",
        )
        .bind(ENTRIES_MIN)
        .bind(signed(since.0))
        .bind(one_more(but))
        .fetch_all(&self.pool)
        .await?;
        for row in rows {
            let test: String = row.try_get(0)?;
            if !but.contains(&test) {
                return Ok(Some((test, row.try_get::<i64, _>(1)? == 1)));
            }
        }
        Ok(None)
    }
}
