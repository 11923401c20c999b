//! PostgreSQL servers of tests' own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::install::say_aloud;

/// Nobody waits longer for a server to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server in a temporary folder, reached by its socket there.
#[derive(Debug)]
pub struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    server: Child,
}

impl Postgres {
    /// Starts one; nothing where Debian's package `postgresql` is not installed, said aloud.
    ///
    /// # Panics
    /// If it is missing and `ARBITER_TEST_ENGINES` is `required`, as `scripts/test` sets it.
    pub fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            let required = std::env::var("ARBITER_TEST_ENGINES").is_ok_and(|v| v == "required");
            assert!(!required, "PostgreSQL is not installed: see scripts/test");
            say_aloud("SKIPPED: PostgreSQL is not installed (./scripts/test installs it)");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        fs::create_dir(&data).expect("a folder in it");
        if is_root() {
            let done = Command::new("chown")
                .arg("-R")
                .arg("nobody")
                .arg(folder.path())
                .status();
            assert!(done.expect("chown runs").success());
        }
        let made = as_nobody(&programs.join("initdb"))
            .args([
                "--auth=trust",
                "--username=arbiter",
                "--encoding=UTF8",
                "--no-sync",
                "-D",
            ])
            .arg(&data)
            .stdout(Stdio::null())
            .status();
        assert!(made.expect("initdb runs").success());
        let server = as_nobody(&programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            .args(["-c", "listen_addresses=", "-c", "max_connections=200"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("postgres runs");
        let postgres = Self {
            folder,
            programs,
            server,
        };
        let deadline = Instant::now() + PATIENCE;
        while !postgres.run("pg_isready", &["-q"]) {
            assert!(Instant::now() < deadline, "the server does not start");
            std::thread::yield_now();
        }
        Some(postgres)
    }

    /// A new database.
    pub fn database(&self, name: &str) -> String {
        assert!(self.run("createdb", &["-U", "arbiter", name]));
        let socket = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://arbiter@{socket}/{name}")
    }

    fn run(&self, program: &str, args: &[&str]) -> bool {
        let mut command = Command::new(self.programs.join(program));
        command.arg("-h").arg(self.folder.path()).args(args);
        command.status().expect("it runs").success()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // SIGINT is a fast shutdown; setpriv became the server, so the process is the server's.
        let pid = self.server.id().to_string();
        let _it_may_be_gone = Command::new("kill").args(["-INT", &pid]).status();
        let _it_is_gone = self.server.wait();
    }
}

fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut folders: Vec<PathBuf> = versions
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|folder| folder.join("initdb").exists())
        .collect();
    folders.sort();
    folders.pop()
}

/// PostgreSQL refuses to run as root.
fn as_nobody(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command
        .args([
            "--reuid=nobody",
            "--regid=nogroup",
            "--clear-groups",
            "--pdeathsig=INT",
        ])
        .arg(program)
        .current_dir("/");
    command
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id runs");
    output.stdout == b"0\n"
}
