//! The reference values in `../shared`, beside the repository.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use stats::{Pentanomial, Results, Trinomial};

/// The text of a file of `../shared`; `None`, said aloud, where there is no such folder.
#[expect(clippy::print_stderr, reason = "a test that cannot run says so")]
pub(crate) fn read(path: &str) -> Option<String> {
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if !shared.is_dir() {
        eprintln!("SKIPPED: ../shared is not here");
        return None;
    }
    Some(fs::read_to_string(shared.join(path)).expect("../shared is complete"))
}

/// The reference values of one function; none where there is no `../shared`.
pub(crate) fn vectors(function: &str) -> Vec<Value> {
    let Some(text) = read("vectors/stats.json") else {
        return Vec::new();
    };
    let mut all: Value = serde_json::from_str(&text).expect("the vectors are JSON");
    let Value::Array(cases) = all["cases"].take() else {
        panic!("the vectors have cases")
    };
    let cases: Vec<_> = cases
        .into_iter()
        .filter(|case| case["function"] == function)
        .collect();
    assert!(!cases.is_empty(), "no vectors for `{function}`");
    cases
}

/// The public case of this name, as `data`.
pub(crate) fn case(id: &str) -> Option<Value> {
    let text = read("cases/statistics.jsonl")?;
    let cases = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("cases are JSON lines"));
    let mut found = cases.filter(|case| case["id"] == id);
    Some(found.next().expect("the case exists")["data"].take())
}

/// `[LL, LD, DD+WL, WD, WW]` or `[losses, draws, wins]`.
pub(crate) fn results(counts: &Value) -> Results {
    let counts: Vec<u64> = counts
        .as_array()
        .expect("counts are a list")
        .iter()
        .map(|count| count.as_u64().expect("counts are whole"))
        .collect();
    match counts[..] {
        [losses, draws, wins] => Trinomial {
            wins,
            draws,
            losses,
        }
        .into(),
        _ => Pentanomial(counts.try_into().expect("five counts")).into(),
    }
}

pub(crate) fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("`{value}` is not a number"))
}

#[track_caller]
pub(crate) fn assert_near(found: f64, wanted: f64, tolerance: f64, what: impl std::fmt::Display) {
    assert!(
        (found - wanted).abs() <= tolerance,
        "{what}: found {found:e}, wanted {wanted:e} within {tolerance:e}, off by {:e}",
        (found - wanted).abs()
    );
}
