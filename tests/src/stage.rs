//! A scratch folder and everything that is started from it.

use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use rustix::process::Signal;
use serde_json::Value;
use tempfile::TempDir;

use crate::game::Game;
use crate::remains::{Remains, VARIABLE};
use crate::run::{Run, Running};
use crate::{PATIENCE, program};

/// Where a test plays. All that was started from it is killed when it is dropped.
#[derive(Debug)]
pub struct Stage {
    folder: TempDir,
    mark: String,
}

impl Default for Stage {
    fn default() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Built now, and not when a test has made the machine slow or small.
        program::path();
        Self {
            folder: tempfile::tempdir().expect("there is room for a scratch folder"),
            mark: format!("{}-{number}", process::id()),
        }
    }
}

impl Stage {
    /// The scratch folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in the scratch folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Writes a file into the scratch folder, and gives its path.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("a folder can be made");
        }
        fs::write(&path, text).expect("a file can be written");
        path.display().to_string()
    }

    /// Writes an executable shell script, and gives its path. It finds `arbiter` in its `PATH`.
    pub fn write_script(&self, name: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is our file");
        path
    }

    /// The text of a file in the scratch folder; empty if it is not there.
    pub fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name)).unwrap_or_default();
        String::from_utf8(bytes).expect("what arbiter writes is UTF-8")
    }

    /// The names of the files in the scratch folder, sorted; those that hold output left out.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).expect("it is there").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<_> = names.filter(|name| !crate::run::is_output(name)).collect();
        names.sort();
        names
    }

    /// A program that runs in the scratch folder, finds `arbiter` in its `PATH` and bears the mark.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let arbiter = program::path().parent().expect("a file lies in a folder");
        let games = Path::new("/usr/games");
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [arbiter, games].map(Path::to_owned);
        let path = env::join_paths(folders.into_iter().chain(env::split_paths(&path)));
        let mut command = Command::new(program);
        command
            .current_dir(self.folder())
            .env("PATH", path.expect("no folder has a colon in its name"))
            .env(VARIABLE, &self.mark)
            .env_remove("NO_COLOR");
        command
    }

    /// The arbiter that is tested.
    pub fn program(&self) -> &'static Path {
        program::path()
    }

    /// Starts arbiter with some words.
    pub fn start<S: AsRef<str>>(&self, words: &[S]) -> Running<'_> {
        let mut command = self.command(program::path());
        command.args(words.iter().map(AsRef::as_ref));
        Running::start(self, command)
    }

    /// Runs arbiter with some words to its end.
    #[track_caller]
    pub fn arbiter<S: AsRef<str>>(&self, words: &[S]) -> Run {
        self.start(words).finish()
    }

    /// Plays a contest: `words`, and what writes `games.pgn`, `summary.json` and `events.jsonl`.
    #[track_caller]
    pub fn play<S: AsRef<str>>(&self, words: &[S]) -> Run {
        self.start_play(words).finish()
    }

    /// Starts what [`play`](Self::play) plays.
    pub fn start_play<S: AsRef<str>>(&self, words: &[S]) -> Running<'_> {
        let files = [
            "--pgn",
            "games.pgn",
            "--summary",
            "summary.json",
            "--events",
            "events.jsonl",
        ];
        let words = words.iter().map(AsRef::as_ref);
        self.start(&[&["match"], words.collect::<Vec<_>>().as_slice(), &files].concat())
    }

    /// What `summary.json` says.
    #[track_caller]
    pub fn summary(&self) -> Value {
        serde_json::from_str(&self.read("summary.json")).expect("summary.json is JSON")
    }

    /// What `events.jsonl` says, complete lines only.
    pub fn events(&self) -> Vec<Value> {
        let text = self.read("events.jsonl");
        let lines = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        lines
            .map(|line| serde_json::from_str(line).expect("an event is JSON"))
            .collect()
    }

    /// What `games.pgn` says.
    pub fn games(&self) -> Vec<Game> {
        Game::read_all(&self.read("games.pgn"))
    }

    /// Waits until `done`; it is a mistake if that takes long.
    #[track_caller]
    pub fn wait_until(&self, what: &str, done: impl Fn() -> bool) -> Duration {
        let begun = Instant::now();
        while !done() {
            assert!(begun.elapsed() < PATIENCE, "in vain: waited for {what}");
            thread::sleep(Duration::from_millis(5));
        }
        begun.elapsed()
    }

    /// Sends a signal to all that was started from here and is still alive.
    pub fn signal_all(&self, signal: Signal) {
        Remains::of(&self.mark)
            .iter()
            .for_each(|remains| remains.signal(signal));
    }

    /// The command lines of what was started from here and is still alive.
    pub fn survivors(&self) -> Vec<String> {
        Remains::of(&self.mark)
            .into_iter()
            .map(|remains| remains.command)
            .collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        Remains::of(&self.mark).iter().for_each(Remains::kill);
    }
}
