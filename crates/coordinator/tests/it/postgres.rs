//! The same on a real PostgreSQL, and with two coordinators that share it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::house::{House, pairs};
use crate::work::SCENARIOS;

/// Nobody waits longer for a server to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of its own in a temporary folder, reached by its socket there.
struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    server: Child,
}

impl Postgres {
    /// Starts one; nothing where Debian's package `postgresql` is not installed, said aloud.
    #[expect(clippy::print_stderr, reason = "a test that tests nothing says so")]
    fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            let required = std::env::var("ARBITER_TEST_ENGINES").is_ok_and(|v| v == "required");
            assert!(!required, "PostgreSQL is not installed: see scripts/test");
            eprintln!("SKIPPED: PostgreSQL is not installed");
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
    fn database(&self, name: &str) -> String {
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

#[test]
fn everything_is_the_same_on_postgresql() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    for (i, (_name, scenario)) in SCENARIOS.iter().enumerate() {
        scenario(House::on(Some(postgres.database(&format!("scenario{i}")))));
    }
    two_coordinators_are_one(House::on(Some(postgres.database("two"))));
}

/// Four workers, each talking to one coordinator and then to the other.
fn two_coordinators_are_one(house: House) {
    const PAIRS: u64 = 60;
    let sibling = house.sibling();
    let test = house.admin().submit(&pairs(PAIRS));
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let doors = [house.admin(), sibling.admin()];
            scope.spawn(move || {
                for turn in 0usize.. {
                    let (here, there) = (&doors[turn % 2], &doors[(turn + 1) % 2]);
                    let claim = format!("{worker}-{turn}");
                    let Some(grant) = here.claim(&format!("w{worker}"), &claim) else {
                        break;
                    };
                    let range: Vec<u64> =
                        (grant.first_pair..grant.first_pair + grant.pairs).collect();
                    there.report(&grant.lease, &range);
                    here.report(&grant.lease, &range);
                }
            });
        }
    });
    for door in [house.admin(), sibling.admin()] {
        let shown = door.show(&test);
        assert_eq!(
            (&shown["pairs"], &shown["state"]),
            (&PAIRS.into(), &"finished".into())
        );
    }
}
