//! The games of PGN files, in pairs where they are.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use engine_core::pgn::{RawGame, Reader};
use match_core::pair_finder::{Cluster, Omission, PairFinder};
use thiserror::Error;

use crate::command::pgn::{ReadError, open};
use crate::failure::Failure;
use crate::printer::Printer;

/// What was found besides the clusters.
#[derive(Debug)]
pub(crate) struct Found {
    /// Names of players in the order in which they came; clusters number them by it.
    pub(crate) players: Vec<String>,
    /// What their tags `TimeControl` said, likewise.
    pub(crate) time_controls: Vec<String>,
    /// How many games do not count, and why.
    pub(crate) omitted: BTreeMap<Omission, u64>,
}

/// None that counts.
#[derive(Debug, Error)]
#[error("no finished game of two players in {}", names(.0))]
struct NoGames(Vec<PathBuf>);

fn names(files: &[PathBuf]) -> String {
    match files {
        [file] => format!("`{}`", file.display()),
        [first, others @ ..] => format!("`{}` and {} more", first.display(), others.len()),
        [] => "no files".to_owned(),
    }
}

/// Tells `tell` of all pairs and single games of `files`, in little memory. Both games of a pair
/// are in one file. That games were left out is noted; that all were is a failure.
///
/// Nothing replays the moves: a result counts although `arbiter pgn check` may doubt it.
pub(crate) fn read(
    files: &[PathBuf],
    printer: &Printer,
    mut tell: impl FnMut(Cluster),
) -> Result<Found, Failure> {
    let mut finder = PairFinder::new();
    let mut omitted = BTreeMap::new();
    let mut raw = RawGame::new();
    let mut is_empty = true;
    let mut tell = |cluster| {
        is_empty = false;
        tell(cluster);
    };
    for path in files {
        let fail = |source| {
            let path = path.clone();
            Failure::usage(ReadError { path, source })
        };
        let mut reader = Reader::new(open(path).map_err(fail)?).with_comments();
        while reader.read_game(&mut raw).map_err(fail)? {
            if let Err(omission) = finder.add(&raw) {
                *omitted.entry(omission).or_default() += 1;
            }
            std::iter::from_fn(|| finder.poll()).for_each(&mut tell);
        }
        finder.end_file();
        std::iter::from_fn(|| finder.poll()).for_each(&mut tell);
    }
    let found = Found {
        players: finder.players().to_vec(),
        time_controls: finder.time_controls().to_vec(),
        omitted,
    };
    if let Some(omissions) = found.omissions() {
        printer.note(omissions);
    }
    if is_empty {
        return Err(Failure::usage(NoGames(files.to_vec())));
    }
    Ok(found)
}

impl Found {
    /// `3 games left out: no result`; nothing if all games count.
    fn omissions(&self) -> Option<String> {
        let mut text = String::new();
        for (omission, count) in &self.omitted {
            let comma = if text.is_empty() { "" } else { ", " };
            let games = if *count == 1 { "game" } else { "games" };
            let _a_string_takes_all = write!(text, "{comma}{count} {games} left out: {omission}");
        }
        (!text.is_empty()).then_some(text)
    }
}
