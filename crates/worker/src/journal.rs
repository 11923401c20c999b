//! What was played here, for people: `played.jsonl` in the worker's folder, a line a pair.
//!
//! A pair is in it before the coordinator hears of it, and stays when it is acknowledged; so a worker can
//! always show what it played, whatever a coordinator says. It is no spool: nothing is read from it, and where
//! it cannot be written results are reported all the same. After a crash a pair may be in it twice, word for
//! word.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fleet_api::PairReport;
use serde::Serialize;

use crate::home::Home;

/// When the file has this many bytes it becomes `played.1.jsonl`, in place of the one before: some 30,000
/// pairs of usual games each.
const BYTES_MAX: u64 = 64 << 20;

/// The journal of a home.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    bytes_max: u64,
    /// Nothing before the first pair, and after whatever went wrong.
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    file: File,
    bytes: u64,
}

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    test: &'a str,
    lease: &'a str,
    #[serde(flatten)]
    pair: &'a PairReport,
}

impl Journal {
    /// That of a home.
    pub(crate) fn of(home: &Home) -> Self {
        Self::at(home.folder("played.jsonl"), BYTES_MAX)
    }

    fn at(path: PathBuf, bytes_max: u64) -> Self {
        Self {
            open: Mutex::default(),
            path,
            bytes_max,
        }
    }

    /// Adds `pairs` of `test` that were played under `lease`.
    pub(crate) fn add(&self, test: &str, lease: &str, pairs: &[PairReport]) -> io::Result<()> {
        let mut lines = Vec::new();
        for pair in pairs {
            serde_json::to_writer(&mut lines, &Line { test, lease, pair })?;
            lines.push(b'\n');
        }
        let mut place = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Half a line may be in it when this fails: the next time it is opened anew.
        let mut open = match place.take() {
            Some(open) => open,
            None => Open::at(&self.path)?,
        };
        if open.bytes > 0 && open.bytes + lines.len() as u64 > self.bytes_max {
            fs::rename(&self.path, self.path.with_extension("1.jsonl"))?;
            open = Open::at(&self.path)?;
        }
        open.file.write_all(&lines)?;
        open.bytes += lines.len() as u64;
        *place = Some(open);
        Ok(())
    }
}

impl Open {
    /// Half a line that is there, of a crash or a full disk, is taken away.
    fn at(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let bytes = whole_lines(&mut file)?;
        file.set_len(bytes)?;
        Ok(Self { file, bytes })
    }
}

/// How many bytes of a file are whole lines.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = [0; 4096];
    while end > 0 {
        let begin = end.saturating_sub(block.len() as u64);
        let block = &mut block[..usize::try_from(end - begin).expect("at most a block")];
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(block)?;
        if let Some(newline) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(begin + newline as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use fleet_api::{Game, Verdict};

    use super::*;

    fn pair(number: u64) -> PairReport {
        let game = || Game {
            white: "a".into(),
            black: "b".into(),
            result: "1-0".into(),
            verdict: Verdict {
                kind: "rules".into(),
                reason: "checkmate".into(),
                since_ply: None,
                loser: None,
                fault: None,
            },
            start: String::new(),
            book: String::new(),
            moves: String::new(),
            spent: Vec::new(),
            seconds: 1.0,
        };
        PairReport {
            pair: number,
            games: [game(), game()],
            base_nps: None,
        }
    }

    fn numbers(path: &Path) -> Vec<u64> {
        let text = fs::read_to_string(path).expect("it is there");
        let lines = text.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!((&line["test"], &line["lease"]), (&"t".into(), &"l".into()));
            line["pair"].as_u64().expect("a number")
        });
        lines.collect()
    }

    #[test]
    fn a_torn_line_is_taken_away_and_the_next_one_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("played.jsonl");
        let journal = Journal::at(path.clone(), 1 << 20);
        journal.add("t", "l", &[pair(0), pair(1)]).expect("room");
        let whole = fs::read(&path).expect("it is there");
        for torn in [whole.len() - 1, whole.len() / 2 + 7, 5] {
            fs::write(&path, &whole[..torn]).expect("room");
            let journal = Journal::at(path.clone(), 1 << 20);
            journal.add("t", "l", &[pair(7)]).expect("room");
            assert_eq!(numbers(&path).last(), Some(&7), "torn at {torn}");
        }
    }

    #[test]
    fn it_does_not_grow_for_ever() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("played.jsonl");
        let journal = Journal::at(path.clone(), 2000);
        for number in 0..40 {
            journal.add("t", "l", &[pair(number)]).expect("room");
        }
        let mut kept = numbers(&path.with_extension("1.jsonl"));
        kept.extend(numbers(&path));
        assert_eq!(kept.last(), Some(&39));
        assert!(
            kept.windows(2).all(|pair| pair[1] == pair[0] + 1),
            "{kept:?}"
        );
        let bytes = fs::metadata(&path).expect("it is there").len();
        assert!(bytes <= 2000, "{bytes}");
    }
}
