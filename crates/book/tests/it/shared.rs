//! The files that live beside the repository.

use std::path::PathBuf;

/// A file or folder of `../shared`, or nothing, said aloud.
#[expect(clippy::print_stderr, reason = "a test that tests nothing says so")]
pub(crate) fn path(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: ../shared is not here (no `{name}`)");
    None
}
