//! A folder for a test, a worker in it, and small engines.

use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fleet_client::{Client, sha256_of};
use match_core::spec::PlacementSpec;
use match_runner::Host;
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use worker::{Config, Handle, Talk, Worker, WorkerError};

use crate::coordinator::{Coordinator, PATIENCE, TOKEN};

/// An engine that plays fool's mate from the start position, with either colour. Its bench counts 7
/// nodes. `$before_move` runs before each of its moves.
pub(crate) fn engine(before_move: &str) -> String {
    format!(
        "#!/bin/sh\n\
         [ \"$1\" = bench ] && {{ echo 'Nodes searched : 7'; exit 0; }}\n\
         while read -r word rest; do case $word in\n\
         uci) echo id name scripted; echo uciok;;\n\
         isready) echo readyok;;\n\
         position) set -- $rest; plies=$(($# > 2 ? $# - 2 : 0));;\n\
         go) {before_move}; set -- f2f3 e7e5 g2g4 d8h4; shift $plies; echo bestmove $1;;\n\
         quit) exit 0;;\n\
         esac; done\n"
    )
}

/// From here on modes of files hold for this thread and for those that it starts, also where tests are run by
/// `root`.
pub(crate) fn heed_modes() {
    let mut sets = capabilities(None).expect("they are ours");
    let lifted = CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
    sets.effective.remove(lifted);
    set_capabilities(None, sets).expect("less is always allowed");
}

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

pub(crate) struct Folder(tempfile::TempDir);

/// A worker that runs.
pub(crate) struct Running {
    pub(crate) handle: Handle,
    thread: JoinHandle<Result<(), WorkerError>>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    pub(crate) fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        path
    }

    /// Puts a file into the coordinator's store and gives its hash.
    pub(crate) fn upload(&self, coordinator: &Coordinator, name: &str, text: &str) -> String {
        let path = self.write(name, text);
        let hash = sha256_of(&path).expect("it is there");
        let bytes = text.as_bytes().to_vec();
        coordinator.state().files.insert(hash.clone(), bytes);
        hash
    }

    /// A test between two uploaded engines that wait so before each move.
    pub(crate) fn uploaded_test(&self, coordinator: &Coordinator, before_move: &str) -> String {
        let engine = self.upload(coordinator, "engine", &engine(before_move));
        let book = self.upload(coordinator, "book.epd", BOOK);
        format!(
            "pairs = 100\n[each]\ntc = '60+1'\n\
             [[engine]]\nname = 'new'\ncmd = 'new'\n[[engine]]\nname = 'old'\ncmd = 'old'\n\
             [openings]\nfile = 'book.epd'\n\
             [fleet.artifacts]\nnew = '{engine}'\nold = '{engine}'\n'book.epd' = '{book}'\n"
        )
    }

    /// A repository with a file `engine.sh`; gives its commit.
    pub(crate) fn repository(&self, name: &str, text: &str) -> String {
        self.write(&format!("{name}/engine.sh"), text);
        let git = |words: &[&str]| {
            let output = Command::new("git")
                .arg("-C")
                .arg(self.path(name))
                .args(["-c", "user.name=A", "-c", "user.email=a@b"])
                .args(words)
                .output()
                .expect("git is there");
            let talk = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "git {words:?}: {talk}");
            String::from_utf8(output.stdout).expect("text")
        };
        git(&["init", "--quiet"]);
        git(&["add", "engine.sh"]);
        git(&["commit", "--quiet", "-m", "an engine"]);
        git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    pub(crate) fn config(&self, coordinator: &Coordinator) -> Config {
        Config {
            client: Client::new(coordinator.address(), Some(TOKEN)).expect("an address"),
            data: self.path("worker"),
            name: Some("bench".to_owned()),
            slots: NonZeroUsize::new(2),
            placement: PlacementSpec {
                cpus: None,
                pin: true,
            },
            syzygy: Vec::new(),
            sandbox: None,
            once: false,
            cache_bytes: 1 << 20,
            host: Host::default(),
            talk: Talk::new(|_, _| {}),
        }
    }

    pub(crate) fn start(&self, coordinator: &Coordinator) -> Running {
        self.start_with(coordinator, |_| {})
    }

    /// A worker that is set up otherwise.
    pub(crate) fn start_with(
        &self,
        coordinator: &Coordinator,
        change: impl FnOnce(&mut Config),
    ) -> Running {
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = Arc::clone(&lines);
        let mut config = self.config(coordinator);
        config.talk = Talk::new(move |_, line| told.lock().unwrap().push(line.to_owned()));
        change(&mut config);
        let worker = Worker::new(config).unwrap();
        Running {
            handle: worker.handle(),
            thread: thread::spawn(move || worker.run()),
            lines,
        }
    }

    pub(crate) fn files(&self, name: &str) -> Vec<String> {
        let mut files: Vec<String> = fs::read_dir(self.path(name))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        files.sort();
        files
    }
}

impl Running {
    /// Waits until it has said something with `part`.
    #[track_caller]
    pub(crate) fn wait_for(&self, part: &str) {
        let until = Instant::now() + PATIENCE;
        while !self
            .lines
            .lock()
            .unwrap()
            .iter()
            .any(|line| line.contains(part))
        {
            assert!(Instant::now() < until, "waited in vain for `{part}`");
            thread::park_timeout(Duration::from_millis(10));
        }
    }

    /// Stops it and gives what it has said.
    #[track_caller]
    pub(crate) fn stop(self) -> Vec<String> {
        self.handle.stop();
        self.join().unwrap()
    }

    pub(crate) fn join(self) -> Result<Vec<String>, WorkerError> {
        self.thread.join().expect("no panic")?;
        Ok(std::mem::take(&mut *self.lines.lock().unwrap()))
    }
}
