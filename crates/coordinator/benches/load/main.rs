//! What a coordinator stands: simulated workers claim, heartbeat and report games under the laws, and
//! every answer is waited for and checked.
//!
//! ```text
//! cargo bench -p coordinator --bench load                    on SQLite
//! cargo bench -p coordinator --bench load -- --seconds 60 --rate 2000 --database postgres://...
//! ```
//!
//! The coordinator is a process of its own, with its store on the disk of the folder for temporary
//! files; the load comes from this process, over loopback, on the same machine. Requests are sent at
//! a fixed rate, and their latency is counted from when they were due, so that a server that stalls
//! cannot slow its own measurement down. At the end the ledger is asked whether every pair that was
//! acknowledged is there.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use coordinator::{ADMIN_TOKEN, ApprovalPolicy, Config, DoorSettings, Server};

mod figures;
mod fleet;
mod games;
mod stages;
mod wire;

use fleet::Fleet;

/// Set in the process that is the coordinator: its folder.
const SERVER: &str = "ARBITER_LOAD_SERVER";

/// Connections at a time.
const CONNECTIONS: usize = 256;

/// Tests that run at a time while claims are measured.
const TESTS: usize = 1000;

/// Workers that are known.
const WORKERS: usize = 20_000;

/// What the command line says.
#[derive(Debug)]
struct Wishes {
    seconds: u64,
    /// Reports a second.
    rate: u64,
    database: Option<String>,
}

fn main() {
    if let Ok(folder) = env::var(SERVER) {
        return serve(folder.into());
    }
    let wishes = Wishes::read();
    let folder = tempfile::tempdir().expect("a folder");
    let coordinator = Coordinator::start(folder.path(), wishes.database.as_deref());
    let token = std::fs::read_to_string(folder.path().join(ADMIN_TOKEN)).expect("a token");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let fleet = Fleet::new(coordinator.address.clone(), token.trim());
    runtime.block_on(async {
        let span = Duration::from_secs(wishes.seconds);
        let begin = coordinator.processor_time();
        let requests = stages::reports(&fleet, CONNECTIONS, wishes.rate, span).await;
        coordinator.print_processor_time(begin, requests);
        coordinator.print_memory("after the reports");
        let begin = coordinator.processor_time();
        let requests = stages::flood(&fleet, CONNECTIONS, span).await;
        coordinator.print_processor_time(begin, requests);
        stages::submit(&fleet, TESTS).await;
        let begin = coordinator.processor_time();
        let requests = stages::claims(&fleet, TESTS, span).await;
        coordinator.print_processor_time(begin, requests);
        stages::crowd(&fleet, WORKERS).await;
        coordinator.print_memory(&format!("with {WORKERS} workers and {TESTS} tests"));
    });
}

impl Wishes {
    fn read() -> Self {
        let mut wishes = Self {
            seconds: 20,
            rate: 2000,
            database: None,
        };
        let mut words = env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .unwrap_or_else(|| panic!("`{word}` needs a value"))
            };
            match word.as_str() {
                "--seconds" => wishes.seconds = value().parse().expect("a number of seconds"),
                "--rate" => wishes.rate = value().parse().expect("a number"),
                "--database" => wishes.database = Some(value()),
                // What cargo says to every bench.
                "--bench" => {}
                other => panic!("`{other}`: `--seconds`, `--rate` and `--database` are allowed"),
            }
        }
        wishes
    }
}

/// The coordinator's process.
struct Coordinator {
    child: Child,
    address: String,
}

impl Coordinator {
    fn start(folder: &std::path::Path, database: Option<&str>) -> Self {
        let mut command = Command::new(env::current_exe().expect("our own path"));
        command.env(SERVER, folder).stdout(Stdio::piped());
        if let Some(url) = database {
            command.env("ARBITER_LOAD_DATABASE", url);
        }
        let mut child = command.spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("its address");
        Self {
            child,
            address: line.trim().to_owned(),
        }
    }

    /// Processor time that it has used, by the kernel's account in hundredths of a second.
    fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.expect("it lives");
        let fields = stat.rsplit(')').next().expect("a name in brackets");
        let mut fields = fields.split_whitespace().skip(11);
        let mut ticks = || fields.next().and_then(|text| text.parse::<u64>().ok());
        let ticks = ticks().zip(ticks()).expect("two numbers");
        Duration::from_millis(10 * (ticks.0 + ticks.1))
    }

    fn print_processor_time(&self, begin: Duration, requests: u64) {
        let used = self.processor_time() - begin;
        println!(
            "  processor time of the coordinator: {:.0} us a request\n",
            used.as_secs_f64() * 1e6 / requests as f64
        );
    }

    /// Resident memory now and at most, by the kernel's account.
    fn print_memory(&self, when: &str) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it lives");
        let mib = |key: &str| -> u64 {
            let line = status.lines().find(|line| line.starts_with(key));
            let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
            kib.expect("a number") / 1024
        };
        println!(
            "memory {when}: {} MiB, at most {} MiB\n",
            mib("VmRSS"),
            mib("VmHWM")
        );
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let _it_may_be_gone = self.child.kill();
        let _it_is_gone = self.child.wait();
    }
}

fn serve(folder: std::path::PathBuf) {
    let server = Server::start(&Config {
        data: folder,
        listen: "127.0.0.1:0".parse().expect("an address"),
        database: env::var("ARBITER_LOAD_DATABASE").ok(),
        artifacts: None,
        aws: Vec::new(),
        approval: ApprovalPolicy::Others,
        new_admin_token: false,
        // A thousand tests are submitted by one person in a few seconds.
        doors: DoorSettings {
            rate: 0,
            ..DoorSettings::default()
        },
        reserve: 0,
        books: Vec::new(),
    })
    .expect("it starts");
    println!("{}", server.address());
    server.run().expect("it serves");
}
