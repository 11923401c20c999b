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
    #[error("no program `{}`; looked for {}", program.display(), list(tried))]
    Missing {
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
        Err(refused.unwrap_or_else(|| ProgramError::Missing {
            program: program.into(),
            tried,
        }))
    }

    fn candidates(&self, program: &Path) -> Vec<PathBuf> {
        let own = self.dir.map(|dir| self.here.join(dir).join(program));
        let ours = self.here.join(program);
        if program.is_absolute() {
            return vec![program.into()];
        }
        let mut all: Vec<PathBuf> = own.into_iter().collect();
        if program.components().count() == 1 && !has_slash(program) {
            // An empty word in PATH means the current folder; `join` does the same.
            all.extend(
                std::env::split_paths(self.path).map(|folder| self.here.join(folder).join(program)),
            );
        }
        if !all.contains(&ours) {
            all.push(ours);
        }
        all
    }
}

fn has_slash(program: &Path) -> bool {
    program.as_os_str().as_encoded_bytes().contains(&b'/')
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

fn list(tried: &[PathBuf]) -> String {
    let shown: Vec<String> = tried
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    shown.join(", ")
}
