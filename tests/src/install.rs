//! What must be on the machine for some tests.

use std::env;
use std::path::{Path, PathBuf};

/// The first real engine.
pub const STOCKFISH: &str = "stockfish";
/// The second: another author, another family, knows Chess960.
pub const ETHEREAL: &str = "ethereal-chess";

/// The root of the repository.
pub fn repository() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.expect("the end-to-end crate lies below the root")
}

/// A file or folder of `../shared`, if that is here; otherwise says aloud what is not tested.
pub fn shared(name: &str) -> Option<String> {
    let path = repository().parent()?.join("shared").join(name);
    if path.exists() {
        return Some(path.display().to_string());
    }
    say_aloud(&format!(
        "SKIPPED: ../shared is not here (no `{}`)",
        path.display()
    ));
    None
}

/// Where an engine of the distribution is; otherwise says aloud what is not tested.
///
/// # Panics
/// If it is missing and `ARBITER_TEST_ENGINES` is `required`, as `scripts/test` sets it.
pub fn engine(name: &str) -> Option<String> {
    let path = env::var_os("PATH").unwrap_or_default();
    // Debian puts games where root's PATH does not lead.
    let folders = env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if let Some(path) = found {
        return Some(path.display().to_string());
    }
    let required = env::var("ARBITER_TEST_ENGINES").is_ok_and(|value| value == "required");
    assert!(!required, "`{name}` is not installed");
    say_aloud(&format!(
        "SKIPPED: `{name}` is not installed (./scripts/test installs it)"
    ));
    None
}

/// Past the capture of test output: a test that did not run must not look like one that passed.
pub fn say_aloud(words: &str) {
    use std::io::Write;
    let _nobody_reads_it = writeln!(std::io::stderr(), "{words}");
}
