//! A test is given to the fleet.

use fleet_api::{Code, Problem, Scope, SubmitTest, Submitted};
use fleet_core::life;
use fleet_core::test_spec::{Source, TestSpec};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::contest::{self, Contest};
use super::{Office, User, act, library, names, problem, wishes};
use crate::store::tests::TestRow;

/// The longest description of a test, in bytes; the usual one has a thousand.
const SPEC_MAX: usize = 256 * 1024;

impl Office {
    /// Takes a test.
    pub(crate) async fn submit(&self, user: &User, test: SubmitTest) -> Result<Submitted, Problem> {
        user.must(Scope::Submit)?;
        if test.spec.len() > SPEC_MAX {
            let text = format!("a test has at most {SPEC_MAX} bytes");
            return Err(problem(Code::TooLarge, text));
        }
        if let Some(key) = &test.idempotency_key {
            names::check("idempotency_key", key)?;
        }
        let id = Uuid::now_v7().to_string();
        let spec = contest::read(&test.spec)?;
        self.may_trust(user, &spec).await?;
        let openings = self.open(&spec).await?.len();
        let contest = Contest::new(id.clone(), test.spec, spec, openings);
        for source in &contest.spec.programs {
            if let Source::Artifact(hash) = source
                && !self.artifacts().has(hash).await?
            {
                let text = format!("the program `{}` was not uploaded", hash.as_str());
                return Err(problem(Code::Refused, text));
            }
        }
        wishes::check_words(&contest.spec.tags, &contest.spec.note)?;
        wishes::check_priority(contest.spec.priority)?;
        let actor = user.actor();
        life::may_have_priority(contest.spec.priority, actor)
            .map_err(|refusal| act::refused(&refusal))?;
        let row = TestRow {
            id,
            name: contest.spec.name.clone(),
            owner: user.name.clone(),
            state: self.0.settings.approval.first_state(actor),
            reason: None,
            created: self.now(),
            ended: None,
            next_pair: 0,
            end_pair: contest.schedule.pairs(),
            entries: 0,
            late_pairs: 0,
            weight: contest.spec.weight,
            virtual_time: 0.0,
        };
        // A key is its user's own: that of another finds nothing.
        let key = test
            .idempotency_key
            .map(|key| format!("{}:{key}", user.name));
        let (id, state) = self
            .store()
            .add_test(row, contest.text.clone(), openings, key)
            .await?;
        self.note_on_board(&id).await?;
        tracing::info!(
            test = id,
            owner = user.name,
            state = state.name(),
            "a test was submitted"
        );
        self.tell(&id);
        Ok(Submitted { id, state })
    }
    /// Whether the book of a test of `user` may be opened on this machine.
    async fn may_trust(&self, user: &User, spec: &TestSpec) -> Result<(), Problem> {
        let Source::Trusted(path) = &spec.book else {
            return Ok(());
        };
        if user.must(Scope::Admin).is_ok() {
            return Ok(());
        }
        let (path, folders) = (path.clone(), self.0.settings.books.clone());
        let is_below = spawn_blocking(move || library::is_below(&path, &folders)).await;
        match is_below.expect("looking for a file does not panic") {
            true => Ok(()),
            false => {
                let text = "the coordinator opens a trusted book itself: it is in no folder of `arbiter serve \
                            --books`, and elsewhere only administrators may name one; without `trust` it is \
                            uploaded";
                Err(problem(Code::Forbidden, text))
            }
        }
    }
}
