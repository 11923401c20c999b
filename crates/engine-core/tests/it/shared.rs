//! The files beside the repository that some tests read.

use std::path::Path;

/// The text of a file of `../shared`, or `None`, said aloud, when it is not there.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn read(path: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(path);
    if !path.exists() {
        eprintln!(
            "SKIPPED: ../shared is not here ({} is missing)",
            path.display()
        );
        return None;
    }
    Some(std::fs::read_to_string(&path).expect("a readable file"))
}
