//! A path that shells and `make` take for one word, whatever folder its owner has chosen.

use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Another name of a folder: its own where that is plain, else a link in the folder for temporary files.
/// Quoting would not do: a recipe says `make EXE={out}`, and then `make` takes the name apart.
#[derive(Debug)]
pub(crate) struct Alias {
    path: PathBuf,
    _link: Option<TempDir>,
}

impl Alias {
    pub(crate) fn of(folder: &Path) -> Self {
        let link = match is_plain(folder) {
            true => None,
            false => Self::link(folder).ok(),
        };
        link.unwrap_or_else(|| Self {
            path: folder.to_owned(),
            _link: None,
        })
    }

    fn link(folder: &Path) -> io::Result<Self> {
        let link = tempfile::tempdir()?;
        let path = link.path().join("made");
        symlink(folder, &path)?;
        Ok(Self {
            path,
            _link: Some(link),
        })
    }

    /// A file of the folder, as a word for a shell.
    pub(crate) fn word(&self, file: &str) -> String {
        let path = self.path.join(file);
        let text = path.display().to_string();
        match is_plain(&path) {
            true => text,
            false => format!("'{}'", text.replace('\'', r"'\''")),
        }
    }
}

/// Whether neither a shell nor `make` finds anything in it that has a meaning.
fn is_plain(path: &Path) -> bool {
    let is_plain = |char: char| char.is_alphanumeric() || "/._-+@,".contains(char);
    path.to_str().is_some_and(|text| text.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_word_is_a_single_one_and_leads_to_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["plain", "a b", "it's", "$HOME", "a;b", "a\nb"] {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            let alias = Alias::of(&folder);
            // Where no link is to be had.
            let quoted = Alias {
                path: folder.clone(),
                _link: None,
            };
            for (alias, file) in [(&alias, "x"), (&quoted, "y")] {
                let command = format!("set -- {0}; echo $# > {0}", alias.word(file));
                let status = Command::new("sh").args(["-c", &command]).status();
                assert!(status.expect("a shell").success(), "{command}");
                let written = fs::read_to_string(folder.join(file)).expect("it is there");
                assert_eq!(written, "1\n", "{command}");
            }
        }
    }
}
