//! Specs, records and results to test with.

use std::num::NonZeroU64;
use std::path::Path;
use std::time::Duration;

use engine_core::{Color, Ending, Outcome, Position};
use match_core::fault::Fault;
use match_core::fixture::Fixture;
use match_core::opening::Opening;
use match_core::record::GameRecord;
use match_core::schedule::Schedule;
use match_core::spec::Spec;
use match_core::spec::raw::RawSpec;
use match_core::verdict::Verdict;

/// The spec of a TOML text that must be right.
#[track_caller]
pub(crate) fn spec(toml: &str) -> Spec {
    let raw = RawSpec::from_toml(Path::new("test.toml"), toml).expect("a readable spec");
    raw.resolve().expect("a whole spec").0
}

/// `engines` engines at a node limit, named a, b, c ..., and `pairs` pairs for each two of them.
pub(crate) fn contest(engines: usize, pairs: u64, more: &str) -> Spec {
    let mut toml = format!("pairs = {pairs}\n{more}\n[each]\ncmd = 'engine'\nnodes = 1\n");
    for name in ('a'..).take(engines) {
        toml.push_str(&format!("[[engine]]\nname = '{name}'\n"));
    }
    spec(&toml)
}

pub(crate) fn schedule(spec: &Spec, book_len: u64) -> Schedule {
    Schedule::new(spec, openings(book_len))
}

pub(crate) fn openings(book_len: u64) -> NonZeroU64 {
    NonZeroU64::new(book_len).expect("a book has openings")
}

/// The record of a game without a move that ended by `verdict`.
pub(crate) fn record(fixture: Fixture, verdict: Verdict) -> GameRecord {
    GameRecord {
        fixture,
        opening: Opening {
            start: Position::startpos(),
            moves: Vec::new(),
        },
        plies: Vec::new(),
        verdict,
        duration: Duration::from_secs(1),
    }
}

pub(crate) fn mate_by(winner: Color) -> Verdict {
    Verdict::Rules(Ending::Checkmate { winner })
}

pub(crate) fn stalemate() -> Verdict {
    Verdict::Rules(Ending::Stalemate)
}

pub(crate) fn forfeit(loser: Color, fault: Fault) -> Verdict {
    Verdict::Forfeit {
        loser,
        fault,
        outcome: Outcome::loss(loser),
    }
}
