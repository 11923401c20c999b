//! A coordinator as one thing to start and to stop, for callers that know nothing of async.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fleet_api::{Scope, Secret};
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
use crate::office::users::{ADMIN, WORKER};
use crate::office::{Office, Settings};
use crate::own_token::{self, ADMIN_TOKEN, OwnTokenError, WORKER_TOKEN};
use crate::signing_secret::{FILE, SigningSecret};
use crate::store::{Store, StoreError};

/// The longest file that is taken, in bytes.
const ARTIFACT_MAX: u64 = 1 << 30;

/// What is still under way after everybody was answered, such as a file that is read, gets no more.
const SHUTDOWN: Duration = Duration::from_secs(1);

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
    /// Whether to make another token for who may do everything, though there is one.
    pub new_admin_token: bool,
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
    first_token: Option<Secret>,
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
        let data = &config.data;
        let folder = |source| ServerError::Folder {
            path: data.clone(),
            source,
        };
        make_folder(data).map_err(folder)?;
        let lock = match &config.database {
            Some(_) => None,
            None => {
                let taken = lock::take(data).map_err(folder)?;
                Some(taken.ok_or_else(|| ServerError::Busy { path: data.clone() })?)
            }
        };
        let secret = SigningSecret::open(data).map_err(folder)?;
        let runtime = Runtime::new().map_err(ServerError::Threads)?;
        // Before anything is made: a token of who cannot listen would never be told.
        let listener = runtime
            .block_on(TcpListener::bind(config.listen))
            .map_err(|source| ServerError::Listen {
                address: config.listen,
                source,
            })?;
        let address = listener.local_addr().map_err(ServerError::Serve)?;
        let office = runtime.block_on(open_office(config, secret))?;
        let first_token = runtime.block_on(first_token(config, &office))?;
        Ok(Self {
            runtime,
            office,
            doors: config.doors,
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

    /// The file with a token for the worker that runs beside it, which is made when there is none that is
    /// worth anything.
    ///
    /// # Errors
    ///
    /// When it cannot be stored.
    pub fn worker_token(&self) -> Result<PathBuf, ServerError> {
        let path = self.data.join(WORKER_TOKEN);
        self.runtime.block_on(async {
            let known = fs::read_to_string(&path).unwrap_or_default();
            if !self.office.is_worth(known.trim(), Scope::Worker).await? {
                let made = own_token::make(&self.office, WORKER, Scope::Worker, &path).await;
                made.map_err(|error| no_token(error, &path))?;
            }
            Ok::<_, ServerError>(())
        })?;
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

async fn open_office(config: &Config, secret: SigningSecret) -> Result<Office, ServerError> {
    let data = &config.data;
    let artifacts = open_artifacts(data, config.artifacts.as_deref(), &config.aws).await?;
    let store = match &config.database {
        Some(url) => Store::open_url(url).await?,
        None => Store::open_sqlite(data).await?,
    };
    if !store.has_secret(secret.fingerprint()).await? {
        return Err(ServerError::Secret { path: data.clone() });
    }
    let settings = Settings {
        approval: config.approval,
        clock: Clock::start(),
        secret,
        disk: Disk::new(data.clone(), config.reserve),
        books: canonical(&config.books)?,
    };
    Ok(Office::new(store, artifacts, settings))
}

/// A token for who may do everything, if there is nobody, or if it is asked for.
async fn first_token(config: &Config, office: &Office) -> Result<Option<Secret>, ServerError> {
    if !config.new_admin_token && office.has_admin().await? {
        return Ok(None);
    }
    let path = config.data.join(ADMIN_TOKEN);
    let made = own_token::make(office, ADMIN, Scope::Admin, &path).await;
    made.map(Some).map_err(|error| no_token(error, &path))
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

fn no_token(error: OwnTokenError, path: &Path) -> ServerError {
    match error {
        OwnTokenError::File(source) => ServerError::Folder {
            path: path.to_owned(),
            source,
        },
        OwnTokenError::Store(error) => error.into(),
    }
}

/// Makes the folder, for its owner alone; one that is there stays as it is.
fn make_folder(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if !path.is_dir() => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
