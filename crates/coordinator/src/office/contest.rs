//! A test that is in use: read, with its book open, and followed through what was counted of it.

use std::path::PathBuf;
use std::sync::Arc;

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
    pub(super) book: Arc<Book>,
    /// Which game has which number.
    pub(super) schedule: Schedule,
    pub(super) standing: Mutex<Standing>,
}

impl Office {
    /// The test called `id`.
    pub(super) async fn contest(&self, id: &str) -> Result<Arc<Contest>, Problem> {
        if let Some(contest) = self.0.contests.get(id) {
            return Ok(contest);
        }
        let text = self.store().test_text(id).await?;
        let text = text.ok_or_else(no_such_test)?;
        let contest = self.open(id.to_owned(), text).await?;
        Ok(self.0.contests.keep(contest))
    }

    /// Reads a test and opens its book.
    pub(super) async fn open(&self, id: String, text: String) -> Result<Contest, Problem> {
        let spec = TestSpec::parse(&text).map_err(|e| problem(Code::Refused, e.to_string()))?;
        let source = self.book(&spec).await?;
        let library = self.0.library.clone();
        spawn_blocking(move || {
            let book = library
                .open(&source, spec.spec.variant)
                .map_err(|error| problem(Code::Refused, error.to_string()))?;
            let standing = Standing::new(&spec.spec, book.len());
            Ok(Contest {
                id,
                text,
                spec,
                book,
                schedule: standing.schedule().clone(),
                standing: Mutex::new(standing),
            })
        })
        .await
        .expect("opening a test does not panic")
    }

    /// Where the book of a test is here.
    async fn book(&self, spec: &TestSpec) -> Result<BookSource, Problem> {
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
    /// CPUs that a game keeps busy.
    pub(super) fn cores(&self) -> u32 {
        self.spec.cores()
    }
}

pub(super) fn no_such_test() -> Problem {
    problem(Code::NotFound, "there is no such test")
}
