//! The sources of the workspace as lines of code.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that decide and never do.
pub(crate) const PURE: [&str; 4] = ["engine-core", "uci", "stats", "match-core"];

/// A Rust file of the workspace.
pub(crate) struct Source {
    /// Path below the root of the repository.
    pub(crate) path: PathBuf,
    /// The whole text.
    pub(crate) text: String,
}

impl Source {
    /// Lines with their numbers, from 1, comments left out, up to the first `#[cfg(test)]`.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.split("//").next().unwrap_or(line)))
            .take_while(|(_, line)| !line.contains("#[cfg(test)]"))
    }

    /// Lines of code that name one of `words`, as `path:line: word`.
    pub(crate) fn naming(&self, words: &[&str]) -> Vec<String> {
        self.code()
            .flat_map(|(number, line)| {
                let found = words.iter().filter(move |word| line.contains(**word));
                found.map(move |word| format!("{}:{number}: {word}", self.path.display()))
            })
            .collect()
    }
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the end-to-end crate lies below the root")
        .to_owned()
}

/// All Rust files of the workspace's crates, in a fixed order.
pub(crate) fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["crates", "tests"] {
        collect(&root().join(folder), &mut found);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(
        found.len() > 20,
        "the workspace has more than {} files",
        found.len()
    );
    found
}

/// The files below `crates/NAME/src`.
pub(crate) fn sources_of(name: &str) -> Vec<Source> {
    let folder = Path::new("crates").join(name).join("src");
    let found: Vec<_> = sources()
        .into_iter()
        .filter(|source| source.path.starts_with(&folder))
        .collect();
    assert!(!found.is_empty(), "crate `{name}` has sources");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace is readable") {
        let path = entry.expect("an entry of the workspace is readable").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            let path = path
                .strip_prefix(root())
                .expect("sources lie below the root")
                .to_owned();
            found.push(Source { path, text });
        }
    }
}
