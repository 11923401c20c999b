//! The files of this machine that a test names.

use std::env;
use std::path::{Path, PathBuf};

use fleet_client::sha256_of;
use match_core::spec::raw::{RawEngine, RawSpec, Settings};
use match_runner::Lookup;
use toml_edit::{DocumentMut, value};

use super::SubmitError;

/// Extensions of networks.
const NETWORKS: [&str; 5] = ["nnue", "nn", "net", "onnx", "pb"];

/// A file that workers will fetch.
#[derive(Debug)]
pub(super) struct Artifact {
    /// As the test calls it.
    pub(super) key: String,
    /// Where it is here.
    pub(super) path: PathBuf,
    /// What it is called by its content.
    pub(super) sha256: String,
}

/// All of `raw`: programs, networks that options name, the book. What is built in, trusted, built by
/// workers or noted already is not among them.
pub(super) fn of(raw: &RawSpec) -> Result<Vec<Artifact>, SubmitError> {
    let mut found = Found {
        raw,
        artifacts: Vec::new(),
    };
    for engine in &raw.engine {
        let engine = raw.each.clone().overlaid_with(engine.clone());
        found.program(&engine)?;
        found.networks(&engine)?;
    }
    if let Some(book) = &raw.openings.file {
        let key = book.display().to_string();
        found.add("the book", key, book.clone())?;
    }
    Ok(found.artifacts)
}

/// Writes the hashes into the test and leaves all the rest as it is.
pub(super) fn note(artifacts: &[Artifact], document: &mut DocumentMut) {
    if artifacts.is_empty() {
        return;
    }
    let fleet = document.entry("fleet").or_insert_with(toml_edit::table);
    let fleet = fleet.as_table_like_mut().expect("the test was read");
    let noted = fleet.entry("artifacts").or_insert_with(toml_edit::table);
    let noted = noted.as_table_like_mut().expect("the test was read");
    for artifact in artifacts {
        noted.insert(&artifact.key, value(&artifact.sha256));
    }
}

/// Whether it is called as networks are. What a recipe builds may have brought its own.
fn is_network(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        NETWORKS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    })
}

struct Found<'a> {
    raw: &'a RawSpec,
    artifacts: Vec<Artifact>,
}

impl Found<'_> {
    fn program(&mut self, engine: &RawEngine) -> Result<(), SubmitError> {
        let Some(cmd) = &engine.cmd else {
            return Ok(());
        };
        let is_built_in = cmd == "sparring" || cmd.starts_with("sparring:");
        if is_built_in || !self.is_wanted(cmd) {
            return Ok(());
        }
        let name = engine.name.clone().unwrap_or_else(|| cmd.clone());
        if let Some(dir) = &engine.dir
            && !self.trusts(dir)
        {
            return Err(SubmitError::Dir {
                engine: name,
                dir: dir.clone(),
            });
        }
        let lookup = Lookup {
            dir: engine.dir.as_deref(),
            here: &env::current_dir().unwrap_or_default(),
            path: &env::var_os("PATH").unwrap_or_default(),
        };
        match lookup.resolve(Path::new(cmd)) {
            Ok(path) => self.add(&format!("engine `{name}`"), cmd.clone(), path),
            Err(source) => Err(SubmitError::Program {
                engine: name,
                source,
            }),
        }
    }

    /// Values of options that are paths of files here. A value such as `16` is none, whatever lies
    /// about in the folder.
    fn networks(&mut self, engine: &RawEngine) -> Result<(), SubmitError> {
        let Settings(options) = &engine.options;
        for (option, value) in options {
            let path = Path::new(value);
            let what = format!("option `{option}`");
            if value.contains(['/', '.']) && path.is_file() {
                self.add(&what, value.clone(), path.to_owned())?;
            } else if engine.git.is_none() && is_network(path) && self.is_wanted(value) {
                // An engine that finds none plays on without a word, and another than was meant.
                return Err(SubmitError::Network {
                    what,
                    path: path.to_owned(),
                });
            }
        }
        Ok(())
    }

    fn add(&mut self, what: &str, key: String, path: PathBuf) -> Result<(), SubmitError> {
        if !self.is_wanted(&key) {
            return Ok(());
        }
        let sha256 = sha256_of(&path).map_err(|source| SubmitError::File {
            what: what.to_owned(),
            path: path.clone(),
            source,
        })?;
        self.artifacts.push(Artifact { key, path, sha256 });
        Ok(())
    }

    /// Whether it is neither known nor trusted.
    fn is_wanted(&self, key: &str) -> bool {
        let Settings(noted) = &self.raw.fleet.artifacts;
        let is_known = self.artifacts.iter().any(|artifact| artifact.key == key)
            || noted.iter().any(|(path, _)| path == key);
        !is_known && !self.trusts(Path::new(key))
    }

    fn trusts(&self, path: &Path) -> bool {
        let mut trusted = self.raw.fleet.trust.iter().flatten();
        trusted.any(|trusted| trusted == path)
    }
}
