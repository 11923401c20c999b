//! A test that is in use: read, followed through what was counted of it, and with its book open where it
//! is played.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use book::Book;
use fleet_api::{Code, Problem, State};
use fleet_core::standing::Standing;
use fleet_core::test_spec::{Source, TestSpec};
use match_core::schedule::Schedule;
use match_core::spec::BookSource;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use super::{Office, problem};
use crate::store::{audit, leases, tests};

/// A test in use.
#[derive(Debug)]
pub(super) struct Contest {
    pub(super) id: String,
    /// As it was submitted.
    pub(super) text: String,
    pub(super) spec: TestSpec,
    /// How many its book has.
    pub(super) openings: NonZeroU64,
    /// As soon as somebody has needed it.
    book: OnceLock<Arc<Book>>,
    /// Which game has which number.
    pub(super) schedule: Schedule,
    pub(super) standing: Mutex<Standing>,
}

impl Office {
    /// The test called `id`. Its book may be gone.
    pub(super) async fn contest(&self, id: &str) -> Result<Arc<Contest>, Problem> {
        if let Some(contest) = self.0.contests.get(id) {
            return Ok(contest);
        }
        let text = self.store().test_text(id).await?;
        let text = text.ok_or_else(no_such_test)?;
        let spec = read(&text).map_err(at_present)?;
        let openings = match self.store().openings(id).await? {
            Some(openings) => openings,
            None => {
                let openings = self.open(&spec).await.map_err(at_present)?.len();
                self.store().set_openings(id, openings).await?;
                openings
            }
        };
        let contest = Contest::new(id.to_owned(), text, spec, openings);
        Ok(self.0.contests.keep(contest))
    }

    /// The test called `id`, with its book open.
    pub(super) async fn playable(&self, id: &str) -> Result<Arc<Contest>, Problem> {
        let contest = self.contest(id).await?;
        self.book(&contest).await?;
        Ok(contest)
    }

    /// The book of `contest`.
    pub(super) async fn book(&self, contest: &Contest) -> Result<Arc<Book>, Problem> {
        if let Some(book) = contest.book.get() {
            return Ok(Arc::clone(book));
        }
        let book = self.open(&contest.spec).await.map_err(at_present)?;
        let (found, openings) = (book.len(), contest.openings);
        if found != openings {
            let text = format!(
                "the book has {found} openings, and had {openings} when the test was submitted"
            );
            return Err(at_present(problem(Code::Refused, text)));
        }
        Ok(Arc::clone(contest.book.get_or_init(|| book)))
    }

    /// Opens the book of a test. What is in a file of this machine is for its log alone.
    pub(super) async fn open(&self, spec: &TestSpec) -> Result<Arc<Book>, Problem> {
        let source = self.source(spec).await?;
        let (library, variant) = (self.0.library.clone(), spec.spec.variant);
        let opened = spawn_blocking(move || library.open(&source, variant)).await;
        let opened = opened.expect("opening a book does not panic");
        opened.map_err(|error| match &spec.book {
            Source::Trusted(path) => {
                tracing::warn!(?error, "a trusted book cannot be used");
                let path = path.display();
                let text =
                    format!("the book `{path}` cannot be used; the coordinator's log says why");
                problem(Code::Refused, text)
            }
            Source::BuiltIn | Source::Artifact(_) | Source::Built(_) => {
                problem(Code::Refused, error.to_string())
            }
        })
    }

    /// Where the book of a test is here.
    async fn source(&self, spec: &TestSpec) -> Result<BookSource, Problem> {
        let mut source = spec.spec.openings.source.clone();
        if let (BookSource::File { path, .. }, Source::Artifact(hash)) = (&mut source, &spec.book) {
            let found: PathBuf = self.artifacts().local(hash).await?.ok_or_else(|| {
                let text = format!("the book `{}` was not uploaded", path.display());
                problem(Code::Refused, text)
            })?;
            *path = found;
        }
        Ok(source)
    }

    /// Follows what was counted of `contest`, and ends it when the question is answered. Whether it is.
    pub(super) async fn follow(&self, contest: &Contest) -> Result<bool, Problem> {
        self.follow_to(contest, u64::MAX).await
    }

    /// As [`Self::follow`], but only if fewer than `entries` entries were followed yet: of many who
    /// come at the same time the first does it for all.
    pub(super) async fn follow_to(&self, contest: &Contest, entries: u64) -> Result<bool, Problem> {
        let mut standing = contest.standing.lock().await;
        if standing.entries() < entries {
            let from = standing.entries();
            for entry in self.store().entries(&contest.id, from).await? {
                if let Err(conflict) = standing.take(entry) {
                    tracing::error!(test = contest.id, %conflict, "the ledger contradicts itself");
                    return Err(problem(Code::Internal, conflict.to_string()));
                }
            }
        }
        let Some(state) = standing.outcome() else {
            return Ok(false);
        };
        drop(standing);
        self.end(&contest.id, state).await?;
        Ok(true)
    }

    /// What was counted of `contest` so far.
    pub(super) async fn standing(&self, contest: &Contest) -> Result<Standing, Problem> {
        self.follow(contest).await?;
        Ok(contest.standing.lock().await.clone())
    }

    /// What is shown of `contest`, be it right or wrong.
    pub(super) async fn shown(&self, contest: &Contest) -> Standing {
        if let Err(problem) = self.follow(contest).await {
            tracing::error!(test = contest.id, %problem, "a test cannot be followed");
        }
        contest.standing.lock().await.clone()
    }

    /// Ends a test, once.
    async fn end(&self, id: &str, state: State) -> Result<(), Problem> {
        let at = self.now();
        let test = id.to_owned();
        let ended = self
            .store()
            .write(move |tx| {
                let test = test.clone();
                Box::pin(async move {
                    let Some(row) = tests::locked(tx, &test).await? else {
                        return Ok(false);
                    };
                    if row.state.is_final() {
                        return Ok(false);
                    }
                    tests::set_state(tx, at, &test, state, None).await?;
                    leases::end_all(tx, &test).await?;
                    audit::note(tx, at, &test, "arbiter", state.name(), "").await?;
                    Ok(true)
                })
            })
            .await?;
        if ended {
            self.note_on_board(id).await?;
            tracing::info!(test = id, state = state.name(), "a test came to its end");
            self.tell(id);
        }
        Ok(())
    }
}

impl Contest {
    pub(super) fn new(id: String, text: String, spec: TestSpec, openings: NonZeroU64) -> Self {
        let standing = Standing::new(&spec.spec, openings);
        Self {
            id,
            text,
            spec,
            openings,
            book: OnceLock::new(),
            schedule: standing.schedule().clone(),
            standing: Mutex::new(standing),
        }
    }

    /// CPUs that a game keeps busy.
    pub(super) fn cores(&self) -> u32 {
        self.spec.cores()
    }
}

/// A test from its text.
pub(super) fn read(text: &str) -> Result<TestSpec, Problem> {
    TestSpec::parse(text).map_err(|error| problem(Code::Refused, error.to_string()))
}

/// What is wrong with a test that was taken once is ours to mend: whoever asks may come again.
fn at_present(refusal: Problem) -> Problem {
    match refusal.code {
        Code::Refused => {
            let text = format!("the test cannot be played at present: {}", refusal.message);
            problem(Code::Unavailable, text)
        }
        _ => refusal,
    }
}

pub(super) fn no_such_test() -> Problem {
    problem(Code::NotFound, "there is no such test")
}
