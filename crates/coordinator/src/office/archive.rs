//! The games of tests that are over go to object storage, if there is one, and leave the database.
//!
//! A shelf is an object, `games/TEST/NUMBER.jsonl.gz`: the pairs that were counted of a range of pair
//! numbers, a line each as it was reported. What is on it follows from what was counted and from nothing
//! else, so it may be written again by whoever was interrupted or by another coordinator. Text is taken
//! from the database only after its shelf was read again. What comes late is not counted, and stays.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use fleet_api::{Code, Game, PairReport, Problem};
use fleet_core::allotment::PairRange;
use tokio::task::spawn_blocking;

use super::setbacks::Setbacks;
use super::{Office, problem};
use crate::artifacts::ArtifactError;
use crate::store::{archives, audit};

/// How often a test that is over is looked for.
const EVERY: Duration = Duration::from_secs(5);

/// Pair numbers of a shelf: a few megabytes of text, a few hundred kilobytes when packed.
const SHELF: u32 = 1024;

/// The longest text of a shelf, in bytes: that of games that are a hundred times longer than usual.
const SHELF_BYTES_MAX: u64 = 1 << 30;

impl Office {
    /// Archives for ever.
    pub(super) async fn archive_for_ever(self) {
        if !self.artifacts().keep_games() {
            return;
        }
        let mut ticks = tokio::time::interval(EVERY);
        let mut setbacks = Setbacks::default();
        loop {
            ticks.tick().await;
            if let Err(problem) = self.archive_all(&mut setbacks).await {
                tracing::warn!(%problem, "games were not archived; it is tried again");
            }
        }
    }

    async fn archive_all(&self, setbacks: &mut Setbacks) -> Result<(), Problem> {
        loop {
            let at = self.now();
            let Some(test) = self.store().unarchived(&setbacks.at(at)).await? else {
                break;
            };
            let archived = self.archive(&test).await;
            let is_storage_there = archived.is_ok();
            setbacks.note(at, "archiving games", &test, archived);
            if !is_storage_there {
                break;
            }
        }
        Ok(())
    }

    /// Archives the games of a test that is over.
    async fn archive(&self, test: &str) -> Result<(), Problem> {
        let (mut from, mut pairs) = (0, 0);
        // Shelf after shelf, of those that have anything.
        while let Some((pair, _)) = self.store().games(test, from, 1).await?.pop() {
            let range = shelf_of(pair);
            let rows = self.store().games(test, range.first, SHELF).await?;
            let rows: Vec<_> = rows
                .into_iter()
                .take_while(|(pair, _)| range.contains(*pair))
                .collect();
            pairs += rows.len() as u64;
            from = range.end();
            // Both happen whole or not at all, so what has no text is on its shelf.
            if rows.iter().any(|(_, games)| games.is_empty()) {
                continue;
            }
            let packed = spawn_blocking(move || pack(&rows)).await;
            let packed = packed.expect("packing does not panic");
            let packed = packed.map_err(ArtifactError::Io)?;
            let name = name_of(test, range);
            self.artifacts().put_games(&name, packed).await?;
            let test = test.to_owned();
            self.store()
                .write(move |tx| {
                    let test = test.clone();
                    Box::pin(async move { archives::take_away(tx, &test, range).await })
                })
                .await?;
        }
        let (at, id) = (self.now(), test.to_owned());
        self.store()
            .write(move |tx| {
                let test = id.clone();
                Box::pin(async move {
                    if archives::note(tx, at, &test, pairs).await? {
                        let detail = format!("{pairs} pairs");
                        audit::note(tx, at, &test, "arbiter", "archived", &detail).await?;
                    }
                    Ok(())
                })
            })
            .await?;
        tracing::info!(test, pairs, "the games of a test were archived");
        Ok(())
    }

    /// The pairs of `test` that count, as they were reported, from pair `from` on, wherever they are;
    /// about as many as `most`, and none when there are no more.
    pub(super) async fn pairs(
        &self,
        test: &str,
        from: u64,
        most: u32,
    ) -> Result<Vec<(u64, String)>, Problem> {
        let mut rows = self.store().games(test, from, most).await?;
        let mut shelf = BTreeMap::new();
        for (pair, games) in rows.iter_mut().filter(|(_, games)| games.is_empty()) {
            if !shelf.contains_key(pair) {
                shelf = self.shelf(test, shelf_of(*pair)).await?;
            }
            *games = shelf.get(pair).cloned().ok_or_else(|| {
                let text = format!("pair {} is not among the archived games", *pair + 1);
                problem(Code::Internal, text)
            })?;
        }
        Ok(rows)
    }

    /// What is on a shelf.
    async fn shelf(&self, test: &str, range: PairRange) -> Result<BTreeMap<u64, String>, Problem> {
        let packed = self.artifacts().games(&name_of(test, range)).await?;
        let unpacked = spawn_blocking(move || unpack(&packed)).await;
        unpacked
            .expect("unpacking does not panic")
            .map_err(|error| problem(Code::Internal, format!("archived games: {error}")))
    }
}

/// The shelf that has `pair`.
fn shelf_of(pair: u64) -> PairRange {
    PairRange {
        first: pair - pair % u64::from(SHELF),
        count: u64::from(SHELF),
    }
}

fn name_of(test: &str, range: PairRange) -> String {
    format!("{test}/{:09}.jsonl.gz", range.first)
}

fn pack(rows: &[(u64, String)]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    for (pair, games) in rows {
        // As `PairReport` would be written; the games are JSON as they are.
        writeln!(packed, "{{\"pair\":{pair},\"games\":{games}}}")?;
    }
    packed.finish()
}

fn unpack(packed: &[u8]) -> io::Result<BTreeMap<u64, String>> {
    let mut text = String::new();
    let mut unpacked = GzDecoder::new(packed).take(SHELF_BYTES_MAX);
    unpacked.read_to_string(&mut text)?;
    let pairs = text.lines().map(|line| {
        let report: PairReport = serde_json::from_str(line)?;
        let games: &[Game; 2] = &report.games;
        Ok((report.pair, serde_json::to_string(games)?))
    });
    pairs.collect()
}
