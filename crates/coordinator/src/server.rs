//! A coordinator as one thing to start and to stop, for callers that know nothing of async.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fleet_api::{NewToken, Scope};
use fleet_core::life::ApprovalPolicy;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::artifacts::{Artifacts, BucketError};
use crate::clock::Clock;
use crate::disk::Disk;
use crate::http::{self, DoorSettings};
use crate::lock;
use crate::office::{Office, Settings};
use crate::signing_secret::{FILE, SigningSecret};
use crate::store::{Store, StoreError};

/// The longest file that is taken, in bytes.
const ARTIFACT_MAX: u64 = 1 << 30;

/// What is still under way after everybody was answered, such as a file that is read, gets no more.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// The token of who made the coordinator, in its folder; only its owner can read it.
pub const ADMIN_TOKEN: &str = "admin-token";

/// The token of the worker that runs beside it.
const WORKER_TOKEN: &str = "worker-token";

/// Where a coordinator is and what it asks.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its folder, which is made: database, files, tokens.
    pub data: PathBuf,
    /// Where it listens; port 0 is any that is free.
    pub listen: SocketAddr,
    /// `postgres://...`; without it SQLite in the folder.
    pub database: Option<String>,
    /// Where files and the games of tests that are over are: `s3://bucket/prefix`, or a folder; without it
    /// a folder in the folder.
    pub artifacts: Option<String>,
    /// Variables of the environment that begin with `AWS_`: who we are for object storage.
    pub aws: Vec<(String, String)>,
    /// Whose tests wait for somebody's approval.
    pub approval: ApprovalPolicy,
    /// How much work the doors take.
    pub doors: DoorSettings,
    /// Bytes of the folder's disk that files leave free; tests leave half of it, and results none.
    pub reserve: u64,
    /// Folders of this machine whose books the tests of everybody may name.
    pub books: Vec<PathBuf>,
}

/// Why a coordinator does not start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// Its folder cannot be used.
    #[error("failed to use the folder `{}`", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its object storage cannot be used.
    #[error("failed to open the artifacts")]
    Artifacts(#[from] BucketError),
    /// There is another one.
    #[error(
        "a coordinator runs already in `{}`: each needs a folder of its own (`--data`), or a PostgreSQL that \
         several share (`--database`)",
        path.display()
    )]
    Busy {
        /// Where.
        path: PathBuf,
    },
    /// The database belongs to coordinators with another secret.
    #[error(
        "the database knows another signing secret than the one in `{}`: coordinators that share a \
         database need the same file `{FILE}`",
        path.display()
    )]
    Secret {
        /// The folder.
        path: PathBuf,
    },
    /// Its address cannot be used.
    #[error("failed to listen on {address}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// Its database cannot be used.
    #[error("failed to open the store")]
    Store(#[from] StoreError),
    /// The machine lets us down.
    #[error("failed to start threads")]
    Threads(#[source] io::Error),
    /// It served, and then it could not any more.
    #[error("failed to serve")]
    Serve(#[source] io::Error),
}

/// A coordinator that listens.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    office: Office,
    doors: DoorSettings,
    listener: TcpListener,
    address: SocketAddr,
    data: PathBuf,
    stop: watch::Sender<bool>,
    first_token: Option<String>,
    /// Of a folder that is this one's alone.
    _lock: Option<File>,
}

/// Ends a [`Server`] from another thread.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// No new requests; those under way are answered.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Opens or makes everything and begins to listen.
    ///
    /// # Errors
    ///
    /// [`ServerError`] for whatever cannot be opened.
    pub fn start(config: &Config) -> Result<Self, ServerError> {
        let Config {
            data,
            listen,
            database,
            artifacts,
            aws,
            approval,
            doors,
            reserve,
            books,
        } = config;
        let folder = |source| ServerError::Folder {
            path: data.clone(),
            source,
        };
        fs::create_dir_all(data).map_err(folder)?;
        let books = canonical(books)?;
        let lock = match database {
            Some(_) => None,
            None => {
                let taken = lock::take(data).map_err(folder)?;
                Some(taken.ok_or_else(|| ServerError::Busy { path: data.clone() })?)
            }
        };
        let secret = SigningSecret::open(data).map_err(folder)?;
        let runtime = Runtime::new().map_err(ServerError::Threads)?;
        let artifacts = runtime.block_on(open_artifacts(data, artifacts.as_deref(), aws))?;
        let (office, first_token) = runtime.block_on(async {
            let store = match database {
                Some(url) => Store::open_url(url).await?,
                None => Store::open_sqlite(data).await?,
            };
            if !store.has_secret(secret.fingerprint()).await? {
                return Err(ServerError::Secret { path: data.clone() });
            }
            let settings = Settings {
                approval: *approval,
                clock: Clock::start(),
                secret,
                disk: Disk::new(data.clone(), *reserve),
                books,
            };
            let office = Office::new(store, artifacts, settings);
            let first = match office.is_new().await? {
                true => Some(
                    office
                        .make_token(new_token("admin", Scope::Admin))
                        .await?
                        .token
                        .0,
                ),
                false => None,
            };
            Ok::<_, ServerError>((office, first))
        })?;
        if let Some(token) = &first_token {
            keep_secret(&data.join(ADMIN_TOKEN), token).map_err(folder)?;
        }
        let listener = runtime
            .block_on(TcpListener::bind(listen))
            .map_err(|source| ServerError::Listen {
                address: *listen,
                source,
            })?;
        let address = listener.local_addr().map_err(ServerError::Serve)?;
        Ok(Self {
            runtime,
            office,
            doors: *doors,
            listener,
            address,
            data: data.clone(),
            stop: watch::channel(false).0,
            first_token,
            _lock: lock,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The token of who may do everything, once: when it was made by this start.
    pub fn first_token(&self) -> Option<&str> {
        self.first_token.as_deref()
    }

    /// The file with a token for the worker that runs beside it, which is made when it is needed.
    ///
    /// # Errors
    ///
    /// When it cannot be stored.
    pub fn worker_token(&self) -> Result<PathBuf, ServerError> {
        let path = self.data.join(WORKER_TOKEN);
        if !path.exists() {
            let wanted = new_token("worker", Scope::Worker);
            let made = self.runtime.block_on(self.office.make_token(wanted))?;
            keep_secret(&path, &made.token).map_err(|source| ServerError::Folder {
                path: path.clone(),
                source,
            })?;
        }
        Ok(path)
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    ///
    /// None at present: what fails is tried again or told in the log.
    pub fn run(self) -> Result<(), ServerError> {
        let mut stopped = self.stop.subscribe();
        self.runtime.spawn(self.office.clone().tend());
        self.runtime.spawn(self.office.clone().hear());
        self.runtime.spawn(self.office.clone().recount_for_ever());
        self.runtime.spawn(self.office.clone().look_for_ever());
        let end = async move {
            let _stopped_or_gone = stopped.wait_for(|stop| *stop).await;
        };
        let served = http::serve(self.office, self.doors, self.listener, end);
        self.runtime.block_on(served);
        self.runtime.shutdown_timeout(SHUTDOWN);
        Ok(())
    }
}

/// These folders by the paths that no link leads to.
fn canonical(folders: &[PathBuf]) -> Result<Vec<PathBuf>, ServerError> {
    let canonical = |folder: &PathBuf| {
        folder
            .read_dir()
            .and_then(|_it_is_one| folder.canonicalize())
            .map_err(|source| ServerError::Folder {
                path: folder.clone(),
                source,
            })
    };
    folders.iter().map(canonical).collect()
}

/// Opens what is meant by `place`.
async fn open_artifacts(
    data: &Path,
    place: Option<&str>,
    aws: &[(String, String)],
) -> Result<Artifacts, ServerError> {
    let path = match place {
        Some(address) if address.contains("://") => {
            let cache = data.join("artifacts-cache");
            return Ok(Artifacts::open_bucket(address, aws, cache, ARTIFACT_MAX).await?);
        }
        Some(path) => PathBuf::from(path),
        None => data.join("artifacts"),
    };
    Artifacts::open(path.clone(), ARTIFACT_MAX)
        .map_err(|source| ServerError::Folder { path, source })
}

fn new_token(user: &str, scope: Scope) -> NewToken {
    NewToken {
        user: user.to_owned(),
        scopes: vec![scope],
        expires_in_days: None,
    }
}

/// Writes a file that only its owner can read.
fn keep_secret(path: &Path, secret: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    writeln!(file, "{secret}")
}
