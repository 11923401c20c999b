//! The bench of an engine: it counts nodes, and the count is the signature of its search.

use std::path::Path;
use std::time::Duration;

use match_runner::Interrupts;
use thiserror::Error;

use crate::job::{self, JobError, Said};
use crate::room::Room;
use crate::rules::Rules;

/// A bench takes seconds; on the slowest machine under load, a few minutes.
const LIMIT: Duration = Duration::from_secs(10 * 60);

/// Why an engine is not what it should be.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    #[error(transparent)]
    Job(#[from] JobError),
    #[error("`bench` says no number of nodes{0}")]
    Silent(Said),
    #[error("`bench` counts {found} nodes and {expected} are expected")]
    Mismatch { found: u64, expected: u64 },
}

/// Runs `program bench` under the machine's `rules`, with `room` for itself, and compares what it counts.
pub(crate) fn check(
    program: &Path,
    expected: u64,
    rules: &Rules,
    room: Room<'_>,
    interrupts: &Interrupts,
) -> Result<(), BenchError> {
    let folder = tempfile::tempdir_in(room.folder).map_err(|source| {
        let what = "`bench`".to_owned();
        JobError::Start { what, source }
    })?;
    let task = rules.bench(program, "bench", folder.path());
    let said = job::run("`bench`", task, LIMIT, room, room.folder, interrupts)?;
    match nodes(&said.tail) {
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(BenchError::Mismatch { found, expected }),
        None => Err(BenchError::Silent(said)),
    }
}

/// The last number of nodes in what a bench says: `Nodes searched  : 2030154`, `2030154 nodes 1 nps`.
fn nodes(text: &str) -> Option<u64> {
    text.lines().rev().find_map(nodes_of_line)
}

fn nodes_of_line(line: &str) -> Option<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &&str| -> Option<u64> {
        let digits = word.trim_matches([':', '=', ';', '.', ',']);
        digits.replace([',', '_'], "").parse().ok()
    };
    let place = words.iter().position(|word| {
        let word = word.trim_matches([':', '=', ';', ',']);
        word.eq_ignore_ascii_case("nodes") || word.eq_ignore_ascii_case("node")
    })?;
    let before = place
        .checked_sub(1)
        .and_then(|before| number(&words[before]));
    before.or_else(|| words[place + 1..].iter().find_map(number))
}

#[cfg(test)]
mod tests {
    use super::nodes;

    #[test]
    fn nodes_are_found_as_engines_say_them() {
        let stockfish = "info depth 13 nodes 99 nps 5\n===========================\n\
                         Total time (ms) : 1520\nNodes searched  : 2030154\nNodes/second    : 1335627\n";
        assert_eq!(nodes(stockfish), Some(2_030_154));
        assert_eq!(
            nodes("bestmove e2e4\n4514022 nodes 2510246 nps\n"),
            Some(4_514_022)
        );
        assert_eq!(nodes("Nodes: 1,234\n\n"), Some(1_234));
        assert_eq!(nodes("Bench: 12 positions\n16 nodes/s\n"), None);
        assert_eq!(nodes(""), None);
    }
}
