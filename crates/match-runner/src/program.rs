//! Finds the program of an engine before anything is started, so that a mistake is one clear error.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use thiserror::Error;

/// Why a program cannot be run.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// Nothing of that name anywhere it may be.
    #[error("no program `{}` in PATH{}", program.display(), or_at(tried))]
    MissingName {
        /// As the user wrote it.
        program: PathBuf,
        /// Every place that was tried outside of `PATH`, in that order.
        tried: Vec<PathBuf>,
    },
    /// Nothing where the path leads.
    #[error("no program `{}`: looked for {}", program.display(), list(tried))]
    MissingPath {
        /// As the user wrote it.
        program: PathBuf,
        /// Every place that was tried, in that order.
        tried: Vec<PathBuf>,
    },
    /// Something is there that is no file.
    #[error("`{}` is a folder, not a program", path.display())]
    Folder {
        /// Where.
        path: PathBuf,
    },
    /// A file is there that we may not execute.
    #[error("`{}` is not executable (try `chmod +x`)", path.display())]
    NotExecutable {
        /// Where.
        path: PathBuf,
    },
    /// The working folder is missing.
    #[error("the engine's folder `{}` cannot be used", dir.display())]
    Dir {
        /// As the user wrote it.
        dir: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Where a program name is looked up.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a> {
    /// The engine's own folder, `dir=`.
    pub dir: Option<&'a Path>,
    /// Our folder.
    pub here: &'a Path,
    /// The value of `PATH`.
    pub path: &'a OsStr,
}

impl Lookup<'_> {
    /// The absolute path of `program`.
    ///
    /// An absolute path is taken as it is. A relative path with a slash is looked up from the
    /// engine's folder, then from ours. A bare name is looked up in the engine's folder, in `PATH`
    /// and at last in our folder.
    ///
    /// # Errors
    /// When the folder is missing, or when nothing is found, or when what is found cannot be executed.
    /// A candidate that cannot be executed does not hide a later one that can.
    pub fn resolve(&self, program: &Path) -> Result<PathBuf, ProgramError> {
        if let Some(dir) = self.dir {
            check_folder(&self.here.join(dir)).map_err(|source| ProgramError::Dir {
                dir: dir.into(),
                source,
            })?;
        }
        let mut tried = Vec::new();
        let mut refused = None;
        for candidate in self.candidates(program) {
            match check(&candidate) {
                Ok(true) => return Ok(candidate),
                Ok(false) => tried.push(candidate),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Err(refused.unwrap_or_else(|| self.missing(program, tried)))
    }

    /// `PATH` is not listed: it has a dozen folders, and everybody knows that it is meant.
    fn missing(&self, program: &Path, mut tried: Vec<PathBuf>) -> ProgramError {
        let program = program.to_owned();
        if !is_bare(&program) {
            return ProgramError::MissingPath { program, tried };
        }
        let in_path = self.in_path(&program);
        tried.retain(|candidate| !in_path.contains(candidate));
        ProgramError::MissingName { program, tried }
    }

    fn candidates(&self, program: &Path) -> Vec<PathBuf> {
        let own = self.dir.map(|dir| self.here.join(dir).join(program));
        let ours = self.here.join(program);
        if program.is_absolute() {
            return vec![program.into()];
        }
        let mut all: Vec<PathBuf> = own.into_iter().collect();
        if is_bare(program) {
            all.extend(self.in_path(program));
        }
        if !all.contains(&ours) {
            all.push(ours);
        }
        all
    }

    fn in_path(&self, program: &Path) -> Vec<PathBuf> {
        // An empty word in PATH means the current folder; `join` does the same.
        let folders = std::env::split_paths(self.path);
        folders
            .map(|folder| self.here.join(folder).join(program))
            .collect()
    }
}

/// Whether it is a name and no path.
fn is_bare(program: &Path) -> bool {
    let has_slash = program.as_os_str().as_encoded_bytes().contains(&b'/');
    program.components().count() == 1 && !has_slash
}

fn check_folder(dir: &Path) -> io::Result<()> {
    if dir.metadata()?.is_dir() {
        Ok(())
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

/// Whether there is a program; a thing that is there and is none is an error.
fn check(path: &Path) -> Result<bool, ProgramError> {
    let Ok(metadata) = path.metadata() else {
        return Ok(false);
    };
    if metadata.is_dir() {
        return Err(ProgramError::Folder { path: path.into() });
    }
    if access(path, Access::EXEC_OK).is_err() {
        return Err(ProgramError::NotExecutable { path: path.into() });
    }
    Ok(true)
}

fn or_at(tried: &[PathBuf]) -> String {
    if tried.is_empty() {
        return String::new();
    }
    format!(" or at {}", list(tried))
}

fn list(tried: &[PathBuf]) -> String {
    let shown: Vec<String> = tried
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    shown.join(", ")
}
