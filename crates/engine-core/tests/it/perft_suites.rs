//! The perft suites of `../shared`, and the reader of suites.

use engine_core::perft::suite::{self, Reason};
use engine_core::{FenPositionError, perft};

use crate::shared;

/// Counts larger than this are left out, so that all suites together take a few seconds on one core.
const NODES_MAX: u64 = 700_000;

#[track_caller]
fn check_suite(path: &str, entries_min: usize) {
    let Some(text) = shared::read(path) else {
        return;
    };
    let mut entries = 0;
    for entry in suite::read(&text) {
        let entry = entry.unwrap_or_else(|error| panic!("{path}: {error}"));
        for count in entry.counts.iter().filter(|count| count.nodes <= NODES_MAX) {
            assert_eq!(
                perft(&entry.position, count.depth),
                count.nodes,
                "{path}, line {}: `{}` at depth {}",
                entry.line,
                entry.fen,
                count.depth
            );
        }
        entries += 1;
    }
    assert!(entries >= entries_min, "{path} has only {entries} entries");
}

#[test]
fn the_chess960_suite_is_counted_right() {
    check_suite("vectors/perft/chess960.perft", 960);
}

#[test]
fn the_random_standard_and_chess960_suite_is_counted_right() {
    check_suite("vectors/perft/random_standard_frc_dfrc.epd", 400);
}

#[test]
fn the_tricky_suite_is_counted_right() {
    check_suite("vectors/perft/tricky.perft", 26);
}

/// What a suite gives: `id@line counts` an entry, or the line and reason of its first error.
#[track_caller]
fn check_reading(text: &str, want: &[&str]) {
    let found: Vec<String> = suite::read(text)
        .map(|entry| match entry {
            Ok(entry) => {
                let id = entry.id.as_deref().unwrap_or("-");
                let counts = entry
                    .counts
                    .iter()
                    .map(|c| format!(" {}={}", c.depth, c.nodes));
                format!("{id}@{}{}", entry.line, counts.collect::<String>())
            }
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(found, want);
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn both_suite_formats_are_read_even_mixed() {
    check_reading(
        &format!("{KINGS} ;D1 5 ;D2 25\n\n# talk\n{KINGS};D1 5;\r\n"),
        &["-@1 1=5 2=25", "-@4 1=5"],
    );
    check_reading(
        &format!(
            "id a\nepd {KINGS}\nperft 1 5\nperft 2 25\n\nid b c\nepd 4k3/8/8/8/8/8/8/4K3 b - -\nperft 1 5"
        ),
        &["a@2 1=5 2=25", "b c@7 1=5"],
    );
    check_reading(
        &format!("epd {KINGS}\nperft 1 5\nepd {KINGS}\nperft 2 25\n{KINGS} ;D1 5\n{KINGS} ;D2 25"),
        &["-@1 1=5", "-@3 2=25", "-@5 1=5", "-@6 2=25"],
    );
    check_reading("# nothing\n\n", &[]);
}

#[test]
fn a_fault_in_a_suite_is_reported_with_its_line_and_ends_it() {
    check_reading(
        &format!("{KINGS} ;D1 5\nwhat is this\n{KINGS} ;D1 5"),
        &[
            "-@1 1=5",
            "line 2: `what is this` is neither `FEN ;D1 N ...` nor a line `id`, `epd` or `perft`",
        ],
    );
    check_reading(
        "perft 1 20",
        &["line 1: a count stands before any position"],
    );
    check_reading(
        &format!("\nepd {KINGS}\n"),
        &["line 2: the position has no count"],
    );
    check_reading(
        &format!("\nepd {KINGS}\nepd {KINGS}\nperft 1 5"),
        &["line 2: the position has no count"],
    );
    check_reading(
        &format!("{KINGS} ;D1 5 ;X2 25"),
        &["line 1: `X2 25` is not a depth and a number of nodes, as in `3 8902`"],
    );
    check_reading(
        &format!("{KINGS} ;D1 five"),
        &["line 1: `1 five` is not a depth and a number of nodes, as in `3 8902`"],
    );
}

#[test]
fn an_impossible_position_in_a_suite_says_why() {
    let error = suite::read("8/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5")
        .next()
        .expect("one entry")
        .expect_err("no king");
    assert!(
        matches!(
            error.reason,
            Reason::Position(FenPositionError::Position(_))
        ),
        "{error:?}"
    );
    assert_eq!(error.to_string(), "line 1: black has no king");
}
