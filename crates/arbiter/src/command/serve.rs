//! `arbiter serve`: a coordinator, on embedded defaults.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use clap::{Args, ValueEnum};
use coordinator::{ADMIN_TOKEN, ApprovalPolicy, Config, DoorSettings, Server, ServerError};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use thiserror::Error;
use tracing_subscriber::EnvFilter;

use crate::cli::{count, whole_number};
use crate::command::fleet::worker;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use companion::Companion;

mod companion;

/// The folder of a coordinator that nobody gave another one.
pub(crate) const DATA: &str = "arbiter-data";

/// The file in that folder that says where it listens, for commands in the same place.
pub(crate) const ADDRESS: &str = "address";

/// Where such a coordinator listens.
const LISTEN: &str = "127.0.0.1:7164";

/// Run a coordinator, which distributes tests to workers
///
/// Without anything else it makes the folder `arbiter-data`, listens on this machine only, and
/// prints, once, the token that may do everything.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arbiter serve --with-worker                   a fleet of one, from nothing
  arbiter serve --listen 0.0.0.0:7164 --data /srv/arbiter
  arbiter serve --database postgres://arbiter@db/arbiter
  arbiter serve --artifacts s3://arbiter/fleet  with AWS_ACCESS_KEY_ID and so on in the environment
  arbiter serve --books /srv/books              tests may trust books that are there
  arbiter serve --new-admin-token               the token that may do everything was lost
  arbiter serve --openapi > arbiter.json        what can be asked, for programs

  arbiter submit configs/fleet-sprt.toml        in another shell, in the same folder
  arbiter watch")]
pub(crate) struct ServeArgs {
    /// Where the database, files and tokens are kept; made if it is not there
    #[arg(long, value_name = "DIR", default_value = DATA)]
    data: PathBuf,
    /// Where to listen; port 0 takes any that is free
    #[arg(long, value_name = "ADDR:PORT", default_value = LISTEN)]
    listen: SocketAddr,
    /// Keep the state in PostgreSQL, which several coordinators may share
    #[arg(
        long,
        value_name = "URL",
        env = "ARBITER_DATABASE",
        hide_env_values = true
    )]
    database: Option<String>,
    /// Keep engines, networks, books and the games of finished tests in a folder, or in object storage
    /// at `s3://bucket/prefix`; the variables AWS_* say who we are and, for stores other than AWS's, where
    /// [default: a folder in DIR]
    #[arg(long, value_name = "PLACE", env = "ARBITER_ARTIFACTS")]
    artifacts: Option<String>,
    /// A folder of this machine whose books the tests of everybody may `trust`; may be given several times.
    /// Books elsewhere only administrators may name: this machine opens them. What `submit` uploads needs
    /// none of this
    #[arg(long, value_name = "DIR")]
    books: Vec<PathBuf>,
    /// Whose tests wait until somebody else approves them
    #[arg(long, value_enum, default_value = "others")]
    approval: Approval,
    /// Play here too: start a worker beside the coordinator
    #[arg(long)]
    with_worker: bool,
    /// With `--with-worker`: games at a time; without it as many as there are cores
    #[arg(long, value_name = "N", requires = "with_worker", value_parser = count::<NonZeroUsize>)]
    slots: Option<NonZeroUsize>,
    /// With `--with-worker`: play and build in a sandbox, as `arbiter worker --sandbox` says
    #[arg(
        long,
        value_name = "WORDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "on",
        requires = "with_worker"
    )]
    sandbox: Option<String>,
    /// Make another token that may do everything, and print it: for who has lost his
    ///
    /// It replaces the one in the file `admin-token`; others are worth what they were. Without this flag
    /// one is made when nobody is there who may do everything.
    #[arg(long)]
    new_admin_token: bool,
    /// Requests a second by one token, for what people ask for; 0 is any number
    #[arg(long, value_name = "N", default_value = "200", value_parser = whole_number::<u32>)]
    rate: u32,
    /// Claims, heartbeats and reports a second by one token, which a whole fleet may share; 0 is any
    /// number
    #[arg(long, value_name = "N", default_value = "20000", value_parser = whole_number::<u32>)]
    worker_rate: u32,
    /// Connections at a time; others wait
    #[arg(long, value_name = "N", default_value = "16384", value_parser = count::<NonZeroUsize>)]
    connections: NonZeroUsize,
    /// How much of the disk uploads leave free, in MiB; submissions leave half of it, claims a quarter,
    /// and results are taken to the last
    #[arg(long, value_name = "MIB", default_value = "1024", value_parser = whole_number::<u32>)]
    reserve_mib: u32,
    /// Let everybody read `/metrics`; else a token is needed, as for everything
    #[arg(long)]
    metrics_open: bool,
    /// Print the description of everything that can be asked over HTTP, in OpenAPI, and start nothing
    #[arg(long)]
    openapi: bool,
    /// Log as JSON, a line each
    #[arg(long)]
    log_json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Approval {
    /// Those of people who may not administrate
    Others,
    /// Everybody's
    Everybody,
    /// Nobody's
    Nobody,
}

#[derive(Debug, Error)]
enum ServeError {
    #[error("failed to write `{}`", path.display())]
    Address { path: PathBuf, source: io::Error },
    #[error("failed to listen for signals")]
    Signals(#[source] io::Error),
    #[error("failed to start the worker")]
    Worker(#[source] io::Error),
}

pub(crate) fn run(args: &ServeArgs, printer: &Printer) -> Result<Exit, Failure> {
    if args.openapi {
        printer.data(coordinator::document());
        return Ok(Exit::Done);
    }
    // What is wrong with its words is told before anything is started.
    worker::sandbox(args.sandbox.as_deref())?;
    log(args.log_json);
    let config = Config {
        data: args.data.clone(),
        listen: args.listen,
        database: args.database.clone(),
        artifacts: args.artifacts.clone(),
        aws: std::env::vars()
            .filter(|(name, _)| name.starts_with("AWS_"))
            .collect(),
        approval: match args.approval {
            Approval::Others => ApprovalPolicy::Others,
            Approval::Everybody => ApprovalPolicy::Everybody,
            Approval::Nobody => ApprovalPolicy::Nobody,
        },
        new_admin_token: args.new_admin_token,
        doors: DoorSettings {
            rate: args.rate,
            worker_rate: args.worker_rate,
            connections: args.connections.get(),
            metrics_open: args.metrics_open,
        },
        reserve: u64::from(args.reserve_mib) << 20,
        books: args.books.clone(),
    };
    let server = Server::start(&config)?;
    let url = format!("http://{}", server.address());
    let local = format!("http://{}", reachable(server.address()));
    let file = args.data.join(ADDRESS);
    fs::write(&file, &local)
        .map_err(|source| Failure::usage(ServeError::Address { path: file, source }))?;
    printer.data(format_args!("listening on {url}"));
    if let Some(token) = server.first_token() {
        let file = args.data.join(ADMIN_TOKEN);
        printer.data(format_args!("admin token: {token}"));
        printer.data(format_args!(
            "it is said this once; `{}` has it too, for you alone",
            file.display()
        ));
    }
    let worker = match args.with_worker {
        true => {
            let token = server.worker_token()?;
            let started = Companion::start(command(args, &local, &token));
            Some(started.map_err(|e| Failure::new(Exit::Stopped, ServeError::Worker(e)))?)
        }
        false => None,
    };
    let stopper = server.stopper();
    let signals = Signals::new([SIGINT, SIGTERM]);
    let mut signals = signals.map_err(|e| Failure::new(Exit::Stopped, ServeError::Signals(e)))?;
    thread::spawn(move || {
        if signals.forever().next().is_some() {
            if let Some(worker) = worker {
                // It hands back what it has, for which it needs us.
                worker.end();
            }
            stopper.stop();
        }
    });
    server.run()?;
    Ok(Exit::Done)
}

/// The command of a worker that plays here.
fn command(args: &ServeArgs, server: &str, token: &Path) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command
        .args(["worker", "--server", server, "--token-file"])
        .arg(token)
        .arg("--data")
        .arg(args.data.join("worker"))
        .arg(format!("--parent={}", std::process::id()));
    if let Some(slots) = args.slots {
        command.args(["--slots", &slots.to_string()]);
    }
    if let Some(words) = &args.sandbox {
        command.arg(format!("--sandbox={words}"));
    }
    command.stdin(Stdio::null());
    command
}

/// Where it is found from this machine.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

/// Logs go to stderr; `RUST_LOG` says which.
fn log(json: bool) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    match json {
        true => lines.json().init(),
        false => lines.compact().init(),
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        match &error {
            ServerError::Artifacts(_) => {
                let hint = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY say who we are, AWS_REGION or \
                            AWS_ENDPOINT_URL where (with AWS_ALLOW_HTTP=true if that is http)";
                Self::usage(error).with_hint(Some(hint.to_owned()))
            }
            ServerError::Folder { .. }
            | ServerError::Busy { .. }
            | ServerError::Secret { .. }
            | ServerError::Listen { .. }
            | ServerError::Store(_) => Self::usage(error),
            ServerError::Threads(_) | ServerError::Serve(_) => Self::new(Exit::Stopped, error),
        }
    }
}
