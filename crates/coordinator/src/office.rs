//! What can be asked of a coordinator, whoever asks and by whatever door.
//!
//! ```text
//! people       submit, act, wishes, aside, bar; users, guesses, own_tokens
//! workers      lend, collect, count, pace, trouble, workers
//! what is so   show, list, obstacle, crew, games, health
//! by itself    tend, recount, archive, setbacks
//! in memory    board, contest, contests, library, lease_facts, visitors
//! ```

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fleet_api::{Code, Problem, Scope};
use fleet_core::life::{Actor, ApprovalPolicy};
use fleet_core::timestamp::Timestamp;
use tokio::sync::broadcast;
use uuid::Uuid;

use crate::artifacts::ArtifactError;
use crate::signing_secret::SigningSecret;
use crate::{Artifacts, Clock, Disk, Store, StoreError};

mod act;
mod archive;
mod aside;
mod bar;
mod board;
mod collect;
mod contest;
mod contests;
mod count;
mod crew;
mod games;
mod guesses;
mod health;
mod lease_facts;
mod lend;
mod library;
mod list;
mod names;
mod obstacle;
mod own_tokens;
mod pace;
mod recount;
mod setbacks;
mod show;
#[cfg(test)]
pub(crate) mod simulation;
mod submit;
mod tend;
mod trouble;
pub(crate) mod users;
mod visitors;
mod wishes;
mod workers;

use board::Board;
use contests::Contests;
pub(crate) use games::Games;
use guesses::Guesses;
use health::{Pulse, Spools};
use lease_facts::KnownLeases;
use library::Library;
use visitors::Visitors;

/// Those who wait for a change of a test and were too slow for so many hear of the newest only.
const CHANGES: usize = 256;

/// How a coordinator is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whose tests wait for somebody's approval.
    pub approval: ApprovalPolicy,
    /// Where it has its time from.
    pub clock: Clock,
    /// What its database does not know.
    pub(crate) secret: SigningSecret,
    /// Where it keeps things, and how full that may be.
    pub disk: Disk,
    /// Folders of this machine, canonical, whose books the tests of everybody may name.
    pub books: Vec<PathBuf>,
}

impl Settings {
    /// With a signing secret that nobody else has: for coordinators without users.
    pub fn new(approval: ApprovalPolicy, clock: Clock, disk: Disk) -> Self {
        Self {
            approval,
            clock,
            secret: SigningSecret::new(),
            disk,
            books: Vec::new(),
        }
    }
}

/// A coordinator.
#[derive(Clone, Debug)]
pub struct Office(Arc<Rooms>);

#[derive(Debug)]
struct Rooms {
    store: Store,
    artifacts: Artifacts,
    settings: Settings,
    /// This life of this coordinator, and when it began.
    life: String,
    begun: Timestamp,
    /// Tests that were needed, read and with their books open.
    contests: Contests,
    library: Library,
    leases: KnownLeases,
    board: Board,
    visitors: Visitors,
    guesses: Guesses,
    spools: Spools,
    pulse: Pulse,
    /// Leases that this coordinator ended because nobody got on with them.
    lapsed: AtomicU64,
    /// Names of tests that have changed.
    changes: broadcast::Sender<String>,
    recounts: Recounts,
}

/// How often tests were counted again in this life, and how often that differed from what is shown.
#[derive(Debug, Default)]
pub(crate) struct Recounts {
    pub(crate) equal: AtomicU64,
    pub(crate) differing: AtomicU64,
}

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) scopes: Vec<Scope>,
    /// What the token is called by which it is known.
    pub(crate) token: String,
    /// When that ends.
    pub(crate) expires: Option<Timestamp>,
}

impl Office {
    /// A coordinator with what was stored before.
    pub fn new(store: Store, artifacts: Artifacts, settings: Settings) -> Self {
        Self(Arc::new(Rooms {
            store,
            artifacts,
            begun: settings.clock.now(),
            settings,
            life: Uuid::new_v4().to_string(),
            contests: Contests::default(),
            library: Library::default(),
            leases: KnownLeases::default(),
            board: Board::default(),
            visitors: Visitors::default(),
            guesses: Guesses::default(),
            spools: Spools::default(),
            pulse: Pulse::default(),
            lapsed: AtomicU64::new(0),
            changes: broadcast::channel(CHANGES).0,
            recounts: Recounts::default(),
        }))
    }

    pub(crate) fn artifacts(&self) -> &Artifacts {
        &self.0.artifacts
    }

    /// Hears the names of tests that change.
    pub(crate) fn changes(&self) -> broadcast::Receiver<String> {
        self.0.changes.subscribe()
    }

    fn tell(&self, test: &str) {
        let _nobody_listens = self.0.changes.send(test.to_owned());
    }

    /// What this life of this coordinator is called, in short.
    pub(crate) fn life(&self) -> &str {
        self.0.life.get(..8).unwrap_or_default()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    fn secret(&self) -> SigningSecret {
        self.0.settings.secret.clone()
    }

    fn now(&self) -> Timestamp {
        self.0.settings.clock.now()
    }
}

impl Recounts {
    fn counted(&self, equal: bool) {
        let which = if equal { &self.equal } else { &self.differing };
        which.fetch_add(1, Ordering::Relaxed);
    }
}

impl User {
    /// In the words of the rules of a test's life.
    fn actor(&self) -> Actor<'_> {
        Actor {
            user: &self.name,
            scopes: &self.scopes,
        }
    }

    /// Only if the token allows what asks for `scope`.
    pub(crate) fn must(&self, scope: Scope) -> Result<(), Problem> {
        self.must_have_one_of(&[scope])
    }

    /// Only if the token allows what asks for one of `scopes`.
    pub(crate) fn must_have_one_of(&self, scopes: &[Scope]) -> Result<(), Problem> {
        let allows = |wanted: &Scope| self.scopes.iter().any(|held| held.allows(*wanted));
        if scopes.iter().any(allows) {
            return Ok(());
        }
        let names: Vec<_> = scopes.iter().map(|scope| format!("`{scope}`")).collect();
        let text = format!("this token has not the scope {}", names.join(" or "));
        Err(problem(Code::Forbidden, text))
    }
}

/// A refusal.
pub(crate) fn problem(code: Code, message: impl Into<String>) -> Problem {
    Problem {
        code,
        message: message.into(),
    }
}

impl From<ArtifactError> for Problem {
    /// The particulars of what is ours to mend are for the log.
    fn from(error: ArtifactError) -> Self {
        match error {
            ArtifactError::Hash { .. } => problem(Code::Refused, error.to_string()),
            ArtifactError::TooLong(_) => problem(Code::TooLarge, error.to_string()),
            ArtifactError::Io(_) | ArtifactError::Bucket(_) => {
                tracing::error!(%error, "an artifact was not kept or not found");
                let text = "files cannot be kept or read at present";
                problem(Code::Unavailable, text)
            }
        }
    }
}

impl From<StoreError> for Problem {
    /// The particulars are for the log: they may tell where the database is.
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        problem(
            Code::Unavailable,
            "the store cannot be used at present; nothing was changed",
        )
    }
}
