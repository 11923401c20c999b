//! Pure crates decide and never do.

use crate::source::{PURE, sources_of};

/// What a pure crate never names: whatever does something, or differs from run to run.
const DOING: [&str; 14] = [
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "HashMap",
    "HashSet",
    "RandomState",
    "println!",
    "eprintln!",
    "thread_rng",
    "async fn",
];

#[test]
fn pure_crates_name_no_clock_thread_file_process_or_chance() {
    for name in PURE {
        for source in sources_of(name) {
            assert_eq!(
                source.naming(&DOING),
                Vec::<String>::new(),
                "`{name}` is pure"
            );
        }
    }
}

/// Where the built-in engine misbehaves on demand, so that tests see what a runner does about it.
const DEEDS: &str = "crates/sparring/src/vice/conduct/deeds.rs";

#[test]
fn only_match_runner_starts_processes() {
    for name in PURE.into_iter().chain(["sparring"]) {
        for source in sources_of(name) {
            if source.path.ends_with(DEEDS) {
                continue;
            }
            assert_eq!(source.naming(&["Command::new"]), Vec::<String>::new());
        }
    }
}
