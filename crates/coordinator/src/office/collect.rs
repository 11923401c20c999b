//! A worker says what it has: results, that it is alive, that it will play no more.

use std::sync::Arc;
use std::time::Duration;

use book::Book;
use fleet_api::{
    Code, Directive, Game, Heartbeat, HeartbeatAnswer, PairAnswer, PairReport, PairStatus, Problem,
    Report, ReportAnswer, Returned, Scope, State,
};
use fleet_core::evidence;
use fleet_core::standing::{Entry, Played};
use match_core::fixture::PairNumber;
use match_core::opening::Opening;
use match_core::spec::Spec;
use tokio::task::spawn_blocking;

use super::contest::Contest;
use super::count::count;
use super::lease_facts::LeaseFacts;
use super::lend::{end, lock};
use super::pace::Paced;
use super::{Office, User, problem, trouble};
use crate::store::leases::{self, LeaseState};
use crate::store::pairs::PairRow;
use crate::store::speeds;
use crate::store::unit::Foresight;

/// The most pairs of one report.
const PAIRS_MAX: usize = 4096;

/// More pairs than this are played again in a thread of their own.
const PAIRS_SHORT: usize = 4;

/// Clocks of worker and coordinator run at rates that differ a little, and leases are counted in
/// milliseconds.
const CLOCK_SLACK: Duration = Duration::from_secs(2);

/// The longest words about trouble that are kept, in bytes.
const TROUBLE_MAX: usize = 16 * 1024;

impl Office {
    /// Counts what can be true.
    pub(crate) async fn report(
        &self,
        user: &User,
        id: &str,
        report: Report,
    ) -> Result<ReportAnswer, Problem> {
        let lease = self.lease(user, id).await?;
        if report.pairs.len() > PAIRS_MAX {
            let text = format!("a report has at most {PAIRS_MAX} pairs");
            return Err(problem(Code::TooLarge, text));
        }
        let at = self.now();
        let contest = self.contest(&lease.test).await?;
        let book = self.book(&contest).await?;
        // Another clock began the lease: what it showed then says nothing.
        let passed = match lease.granted_by == self.0.life {
            true => (at - lease.granted) + CLOCK_SLACK,
            false => Duration::MAX,
        };
        let pace = self.pace(&contest, (id, &lease.worker), &report).await?;
        let (believed, said) = match pace {
            Ok(Paced { spec, said }) => {
                let believed = believe_all(&contest, book, &lease, report, spec, passed).await;
                (believed, said)
            }
            Err(why) => {
                tracing::warn!(worker = lease.worker, lease = id, why, "refused");
                let refused = report.pairs.iter().map(|pair| {
                    Err(PairAnswer {
                        pair: pair.pair,
                        status: PairStatus::Refused,
                        why: Some(why.clone()),
                    })
                });
                (refused.collect(), None)
            }
        };
        let (believed, worker) = (Arc::new(believed), lease.worker.clone());
        let (test, id) = (lease.test.clone(), id.to_owned());
        let needs = Foresight {
            test: Some(test.clone()),
            lease: Some(id.clone()),
            pairs: believed.iter().flatten().map(|pair| pair.pair).collect(),
        };
        let counted = self
            .store()
            .write_with(needs, move |tx| {
                let (test, id, believed) = (test.clone(), id.clone(), Arc::clone(&believed));
                let (worker, said) = (worker.clone(), said.clone());
                Box::pin(async move {
                    if let Some(said) = &said {
                        speeds::set(tx, at, (&test, &worker), said).await?;
                    }
                    count(tx, at, (&test, &id), &believed, passed).await
                })
            })
            .await?;
        let over = self.follow_to(&contest, counted.entries).await?;
        if counted.moves_clocks {
            self.note_on_board(&contest.id).await?;
        }
        self.tell(&contest.id);
        Ok(ReportAnswer {
            pairs: counted.answers,
            directive: directive(counted.is_held && !over),
        })
    }

    /// The worker is alive; its lease is extended if it gets on.
    pub(crate) async fn heartbeat(
        &self,
        user: &User,
        id: &str,
        heartbeat: Heartbeat,
    ) -> Result<HeartbeatAnswer, Problem> {
        let known = self.lease(user, id).await?;
        let at = self.now();
        let lease = id.to_owned();
        let needs = Foresight {
            lease: Some(lease.clone()),
            ..Foresight::default()
        };
        let is_held = self
            .store()
            .write_with(needs, move |tx| {
                let lease = lease.clone();
                Box::pin(async move {
                    let Some(mut lease) = leases::locked(tx, &lease).await? else {
                        return Ok(None);
                    };
                    // No lease of a test that is over is held.
                    let is_held = lease.state == LeaseState::Held;
                    if is_held {
                        lease.held.heard(at, heartbeat.plies);
                        leases::update(tx, lease);
                    }
                    Ok(Some(is_held))
                })
            })
            .await?;
        let is_held = is_held.ok_or_else(no_such_lease)?;
        // Most leases are held, and then nobody asks.
        let test_is_off = !is_held && !self.is_queued(&known.test).await?;
        if let Some(spool) = heartbeat.spool {
            self.note_spool(&known.worker, spool).await?;
        }
        Ok(HeartbeatAnswer {
            directive: directive(is_held),
            test_is_off,
        })
    }

    /// Whether workers get pairs of a test.
    async fn is_queued(&self, test: &str) -> Result<bool, Problem> {
        let row = self.store().test(test).await?;
        Ok(row.is_some_and(|row| row.state == State::Queued))
    }

    /// The worker will play no more of its lease.
    pub(crate) async fn take_back(
        &self,
        user: &User,
        id: &str,
        mut returned: Returned,
    ) -> Result<(), Problem> {
        let known = self.lease(user, id).await?;
        let at = self.now();
        if returned.trouble.len() > TROUBLE_MAX {
            let end = returned.trouble.floor_char_boundary(TROUBLE_MAX);
            returned.trouble.truncate(end);
        }
        if !returned.trouble.is_empty() {
            tracing::warn!(
                worker = known.worker,
                lease = id,
                trouble = returned.trouble,
                "a lease came back"
            );
        }
        let returned = self.sift(&known.test, returned).await?;
        let (id, test) = (id.to_owned(), known.test.clone());
        self.store()
            .write(move |tx| {
                let (id, test, returned) = (id.clone(), test.clone(), returned.clone());
                Box::pin(async move {
                    let Some((_, lease)) = lock(tx, &test, &id).await? else {
                        return Ok(());
                    };
                    // What went wrong is worth knowing also of a lease that has lapsed meanwhile.
                    trouble::hear(tx, at, &lease, &returned).await?;
                    end(tx, (&test, &id), LeaseState::Settled, &returned.trouble).await?;
                    Ok(())
                })
            })
            .await?;
        self.note_on_board(&known.test).await?;
        self.tell(&known.test);
        Ok(())
    }

    /// What never changes of a lease, which a worker of this user's must have.
    async fn lease(&self, user: &User, id: &str) -> Result<Arc<LeaseFacts>, Problem> {
        user.must(Scope::Worker)?;
        let facts = match self.0.leases.get(id) {
            Some(facts) => facts,
            None => self.read_lease(id).await?,
        };
        match facts.owner == user.name {
            true => Ok(facts),
            false => {
                let text = "the lease is that of another user's worker";
                Err(problem(Code::Forbidden, text))
            }
        }
    }

    async fn read_lease(&self, id: &str) -> Result<Arc<LeaseFacts>, Problem> {
        let row = self.store().lease(id).await?.ok_or_else(no_such_lease)?;
        let owner = self.store().worker_owner(&row.worker).await?;
        let facts = Arc::new(LeaseFacts::of(row, owner.unwrap_or_default()));
        self.0.leases.keep(id, &facts);
        Ok(facts)
    }
}

fn no_such_lease() -> Problem {
    problem(Code::NotFound, "there is no such lease")
}

/// What the holder of a lease is to do with the rest of it.
const fn directive(is_wanted: bool) -> Directive {
    match is_wanted {
        true => Directive::Continue,
        false => Directive::Stop,
    }
}

/// Plays all reported pairs again; many of them where they keep nobody waiting.
async fn believe_all(
    contest: &Arc<Contest>,
    book: Arc<Book>,
    lease: &Arc<LeaseFacts>,
    report: Report,
    spec: Option<Spec>,
    passed: Duration,
) -> Vec<Result<PairRow, PairAnswer>> {
    let (contest, lease) = (Arc::clone(contest), Arc::clone(lease));
    let is_short = report.pairs.len() <= PAIRS_SHORT;
    let all = move || -> Vec<Result<PairRow, PairAnswer>> {
        let pairs = report.pairs.iter();
        pairs
            .map(|pair| {
                let spec = spec.as_ref().unwrap_or(&contest.spec.spec);
                believe(&contest, &book, &lease, pair, spec, passed).inspect_err(|refused| {
                    let why = refused.why.as_deref().unwrap_or_default();
                    tracing::warn!(worker = lease.worker, pair = refused.pair, why, "refused");
                })
            })
            .collect()
    };
    match is_short {
        true => all(),
        false => spawn_blocking(all).await.expect("it does not panic"),
    }
}

/// Plays a reported pair again.
fn believe(
    contest: &Contest,
    book: &Book,
    lease: &LeaseFacts,
    report: &PairReport,
    spec: &Spec,
    passed: Duration,
) -> Result<PairRow, PairAnswer> {
    let refuse = |why: String| PairAnswer {
        pair: report.pair,
        status: PairStatus::Refused,
        why: Some(why),
    };
    if !lease.range.contains(report.pair) {
        return Err(refuse("the pair is not one of this lease".to_owned()));
    }
    let schedule = &contest.schedule;
    let [first, second] = PairNumber(report.pair).games();
    let opening = book
        .opening(schedule.fixture(first).opening)
        .map_err(|error| refuse(error.to_string()))?;
    let check = |number, game: &Game, opening: &Opening| {
        let fixture = schedule.fixture(number);
        evidence::check(spec, &fixture, opening, game, passed)
            .map_err(|why| refuse(format!("game {}: {why}", number.0 + 1)))
    };
    let games = [
        check(first, &report.games[0], &opening)?,
        check(second, &report.games[1], &opening)?,
    ];
    Ok(PairRow {
        pair: report.pair,
        games: serde_json::to_string(&report.games).map_err(|error| refuse(error.to_string()))?,
        took: games.iter().map(|game| game.took).sum(),
        entry: Entry::Pair(Played {
            pair: report.pair,
            seat: lease.seat,
            games: games.map(|game| (game.result, game.plies)),
        }),
    })
}
