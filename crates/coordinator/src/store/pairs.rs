//! Pairs as they were reported, and the sequence in which they were counted.

use std::collections::BTreeSet;
use std::time::Duration;

use fleet_core::allotment::PairRange;
use fleet_core::standing::{Entry, Played};
use fleet_core::timestamp::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{signed, unsigned};
use super::unit::{NewEntry, NewPair};
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
            "SELECT first_pair, pairs, results, seat, kind FROM entries \
             WHERE test = $1 AND place >= $2 ORDER BY place",
        )
        .bind(test)
        .bind(signed(from))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(entry).collect()
    }

    /// The games of `test` that were counted, by pair from `from` on, at most `most` pairs.
    pub(crate) async fn games(
        &self,
        test: &str,
        from: u64,
        most: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        self.games_that(test, from, most, false).await
    }

    /// Those that came late.
    pub(crate) async fn late_games(
        &self,
        test: &str,
        from: u64,
        most: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        self.games_that(test, from, most, true).await
    }

    async fn games_that(
        &self,
        test: &str,
        from: u64,
        most: u32,
        are_late: bool,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT pair, games FROM pairs WHERE test = $1 AND pair >= $2 AND late = $3 \
             ORDER BY pair LIMIT $4",
        )
        .bind(test)
        .bind(signed(from))
        .bind(i64::from(are_late))
        .bind(i64::from(most))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| Ok((unsigned(row.try_get(0)?), row.try_get(1)?)))
            .collect()
    }
}

/// What an entry is, as it is kept.
const PAIR: i64 = 0;
const LAPSED: i64 = 1;
const SET_ASIDE: i64 = 2;
const SET_ASIDE_OVER: i64 = 3;
const CAME_ASIDE: i64 = 4;
const BROUGHT_BACK: i64 = 5;

/// Reads `first_pair, pairs, results, seat, kind`.
pub(super) fn entry(row: &AnyRow) -> Result<Entry, StoreError> {
    let range = PairRange {
        first: unsigned(row.try_get(0)?),
        count: unsigned(row.try_get(1)?),
    };
    let text: Option<String> = row.try_get(2)?;
    let kind: i64 = row.try_get(4)?;
    if kind == LAPSED {
        return Ok(Entry::Lapsed(range));
    }
    let text = text.unwrap_or_default();
    let games = results::read(&text).ok_or(StoreError::Unreadable {
        what: "a pair's results",
        why: text,
    })?;
    let played = Played {
        pair: range.first,
        seat: unsigned(row.try_get(3)?),
        games,
    };
    Ok(match kind {
        PAIR => Entry::Pair(played),
        SET_ASIDE | SET_ASIDE_OVER => Entry::SetAside {
            played,
            over: kind == SET_ASIDE_OVER,
        },
        CAME_ASIDE => Entry::CameAside(played),
        BROUGHT_BACK => Entry::BroughtBack(played),
        other => {
            return Err(StoreError::Unreadable {
                what: "an entry's kind",
                why: other.to_string(),
            });
        }
    })
}

/// Which of a range have been reported.
pub(crate) async fn reported(
    tx: &mut Tx<'_>,
    test: &str,
    range: PairRange,
) -> Result<BTreeSet<u64>, StoreError> {
    let rows = sqlx::query("SELECT pair FROM pairs WHERE test = $1 AND pair >= $2 AND pair < $3")
        .bind(test)
        .bind(signed(range.first))
        .bind(signed(range.end()))
        .fetch_all(tx.sql().await?)
        .await?;
    rows.iter()
        .map(|row| Ok(unsigned(row.try_get(0)?)))
        .collect()
}

/// Whether a pair of a test that is locked was reported before.
pub(crate) async fn is_known(tx: &mut Tx<'_>, test: &str, pair: u64) -> Result<bool, StoreError> {
    tx.ask_for(test, &BTreeSet::from([pair])).await?;
    Ok(tx.is_known(test, pair))
}

/// Keeps a pair of a test that is locked; whether it was new.
pub(crate) async fn add(
    tx: &mut Tx<'_>,
    at: Timestamp,
    (test, lease, worker): (&str, &str, &str),
    pair: &PairRow,
    late: bool,
) -> Result<bool, StoreError> {
    tx.ask_for(test, &BTreeSet::from([pair.pair])).await?;
    let is_new = tx.is_new(test, pair.pair);
    if is_new {
        tx.unit.pairs.push(NewPair {
            test: test.to_owned(),
            pair: pair.pair,
            lease: lease.to_owned(),
            worker: worker.to_owned(),
            received_ms: at.0,
            late,
            games: pair.games.clone(),
        });
    }
    Ok(is_new)
}

/// Gives `entry` the place `place`.
pub(crate) fn count(tx: &mut Tx<'_>, test: &str, place: u64, entry: &Entry) {
    let (kind, played) = match entry {
        Entry::Pair(played) => (PAIR, Some(played)),
        Entry::Lapsed(_) => (LAPSED, None),
        Entry::SetAside {
            played,
            over: false,
        } => (SET_ASIDE, Some(played)),
        Entry::SetAside { played, over: true } => (SET_ASIDE_OVER, Some(played)),
        Entry::CameAside(played) => (CAME_ASIDE, Some(played)),
        Entry::BroughtBack(played) => (BROUGHT_BACK, Some(played)),
    };
    let range = match entry {
        Entry::Lapsed(range) => *range,
        Entry::Pair(played)
        | Entry::SetAside { played, .. }
        | Entry::CameAside(played)
        | Entry::BroughtBack(played) => PairRange {
            first: played.pair,
            count: 1,
        },
    };
    tx.unit.entries.push(NewEntry {
        test: test.to_owned(),
        place,
        first_pair: range.first,
        pairs: range.count,
        results: played.map(|played| results::text(&played.games)),
        seat: played.map_or(0, |played| played.seat),
        kind,
    });
}
