//! A worker asks for work.

use std::sync::Arc;
use std::time::Duration;

use fleet_api::{Claim, Claimed, Grant, HostFacts, Problem, Scope};
use fleet_core::allotment::PairRange;
use fleet_core::lease::{self, Held};
use fleet_core::planner::{self, Candidate, Needs, Offer};
use fleet_core::timestamp::Timestamp;
use uuid::Uuid;

use super::contest::Contest;
use super::{Office, User};
use crate::StoreError;
use crate::store::Tx;
use crate::store::leases::{self, LeaseRow, LeaseState};
use crate::store::tests::{self, TestRow};
use crate::store::{crew, workers};

/// When a worker that got nothing is to ask again.
const RETRY_MS: u64 = 2_000;

/// How often a plan that came too late is made again.
const PLANS: usize = 3;

impl Office {
    /// Lends the worker some pairs of the test whose turn it is.
    pub(crate) async fn claim(&self, user: &User, claim: Claim) -> Result<Claimed, Problem> {
        user.must(Scope::Worker)?;
        let at = self.now();
        self.meet(user, &claim, at).await?;
        for _ in 0..PLANS {
            let Some(plan) = self.plan(&claim).await? else {
                break;
            };
            if let Some(lease) = self.grant(&claim, plan, at).await? {
                let contest = self.contest(&lease.test).await?;
                tracing::info!(
                    test = lease.test,
                    worker = claim.worker,
                    lease = lease.id,
                    first = lease.range.first,
                    pairs = lease.range.count,
                    "lent"
                );
                self.tell(&lease.test);
                return Ok(Claimed {
                    grant: Some(Grant {
                        spec: contest.text.clone(),
                        test: contest.id.clone(),
                        first_pair: lease.range.first,
                        pairs: lease.range.count,
                        term_ms: millis(lease.held.term.idle),
                        lease: lease.id,
                    }),
                    retry_after_ms: 0,
                });
            }
        }
        Ok(Claimed {
            grant: None,
            retry_after_ms: RETRY_MS,
        })
    }

    /// Takes note of the worker, and takes back what it held under another claim: it has forgotten it.
    async fn meet(&self, user: &User, claim: &Claim, at: Timestamp) -> Result<(), Problem> {
        let (owner, claim) = (user.name.clone(), claim.clone());
        let kept = self
            .store()
            .write(move |tx| {
                let (owner, claim) = (owner.clone(), claim.clone());
                Box::pin(async move {
                    let host = serde_json::to_string(&claim.host).unwrap_or_default();
                    if !workers::seen(tx, at, &claim.worker, &owner, &claim.host.name, &host)
                        .await?
                    {
                        return Ok(false);
                    }
                    for lease in leases::held_by(tx, &claim.worker).await? {
                        if lease.claim != claim.claim {
                            end(tx, lease, LeaseState::Settled, "").await?;
                        }
                    }
                    Ok(true)
                })
            })
            .await?;
        match kept {
            true => Ok(()),
            false => Err(super::problem(
                fleet_api::Code::Conflict,
                "a worker of this name belongs to another token's user",
            )),
        }
    }

    /// The test whose turn it is.
    async fn plan(&self, claim: &Claim) -> Result<Option<Arc<Contest>>, Problem> {
        let now = self.now();
        let snapshot = self.store().snapshot(&claim.worker, now).await?;
        let mut contests = Vec::with_capacity(snapshot.open.len());
        for row in &snapshot.open {
            // A test whose book is gone is nobody's turn; its owner sees why when he asks for it.
            if let Ok(contest) = self.contest(&row.id).await {
                contests.push((row, contest));
            }
        }
        let candidates: Vec<Candidate<'_>> = contests
            .iter()
            .filter(|(row, _)| !snapshot.troubled.contains(&row.id))
            .map(|(row, contest)| Candidate {
                test: &row.id,
                owner: &row.owner,
                priority: contest.spec.priority,
                virtual_time: row.virtual_time,
                needs: needs(contest),
            })
            .collect();
        let chosen = planner::choose(&candidates, &snapshot.owners, &offer(&claim.host));
        Ok(chosen.and_then(|id| {
            let found = contests.iter().find(|(row, _)| row.id == id);
            found.map(|(_, contest)| Arc::clone(contest))
        }))
    }

    /// Lends pairs of `contest`, if there still are any.
    async fn grant(
        &self,
        claim: &Claim,
        contest: Arc<Contest>,
        at: Timestamp,
    ) -> Result<Option<LeaseRow>, StoreError> {
        let (claim, life) = (claim.clone(), self.0.life.clone());
        self.store()
            .write(move |tx| {
                let (claim, contest, life) = (claim.clone(), Arc::clone(&contest), life.clone());
                Box::pin(async move { lend(tx, &claim, &contest, &life, at).await })
            })
            .await
    }
}

async fn lend(
    tx: &mut Tx<'_>,
    claim: &Claim,
    contest: &Contest,
    life: &str,
    at: Timestamp,
) -> Result<Option<LeaseRow>, StoreError> {
    // The claim came again: so does the answer.
    let held = leases::held_by(tx, &claim.worker).await?;
    if let Some(lease) = held.into_iter().find(|lease| lease.claim == claim.claim) {
        return Ok(Some(lease));
    }
    let Some(test) = tests::locked(tx, &contest.id).await? else {
        return Ok(None);
    };
    if test.state != fleet_api::State::Queued {
        return Ok(None);
    }
    let spec = &contest.spec.spec;
    let slots = offer(&claim.host).slots(&needs(contest));
    let pace = leases::pace(tx, &claim.worker, &contest.id).await?;
    let pair = pace.unwrap_or_else(|| lease::expected_pair(spec));
    let mut allotment = tests::allotment(tx, &test).await?;
    let others = leases::holders(tx, &contest.id).await?;
    let most = lease::size(pair, slots, allotment.open(), others + 1);
    let Some(range) = allotment.lend(most) else {
        return Ok(None);
    };
    tests::set_allotment(tx, &contest.id, &allotment).await?;
    let cores = slots * u64::from(contest.cores());
    let in_slots = range.count as f64 * pair.as_secs_f64();
    let seat = crew::seat(tx, &contest.id, &claim.worker, &claim.host).await?;
    let lease = LeaseRow {
        id: Uuid::new_v4().to_string(),
        test: contest.id.clone(),
        worker: claim.worker.clone(),
        seat,
        claim: claim.claim.clone(),
        range,
        state: LeaseState::Held,
        slots,
        cores,
        charged: in_slots * f64::from(contest.cores()),
        held: Held::new(at, lease::term(spec, pair, slots, range.count)),
        granted_by: life.to_owned(),
        reported: 0,
        played: Duration::ZERO,
    };
    leases::add(tx, &lease).await?;
    tests::charge(tx, &test, lease.charged).await?;
    Ok(Some(lease))
}

/// What a lease was charged for was a guess: once it is over, its test is charged for what was played.
pub(super) async fn settle(
    tx: &mut Tx<'_>,
    test: &TestRow,
    lease: &mut LeaseRow,
) -> Result<(), StoreError> {
    let used = lease.played.as_secs_f64() * lease.cores as f64 / lease.slots as f64;
    tests::charge(tx, test, used - lease.charged).await?;
    lease.charged = used;
    Ok(())
}

/// Ends a lease that is held; what is unreported of it can be lent again. These parts are given.
pub(super) async fn end(
    tx: &mut Tx<'_>,
    mut lease: LeaseRow,
    state: LeaseState,
    trouble: &str,
) -> Result<Vec<PairRange>, StoreError> {
    let reported = crate::store::pairs::reported(tx, &lease.test, lease.range).await?;
    let holes = fleet_core::allotment::unreported(lease.range, |pair| reported.contains(&pair));
    for &hole in &holes {
        tests::give_back(tx, &lease.test, hole).await?;
    }
    lease.state = state;
    if let Some(test) = tests::locked(tx, &lease.test).await? {
        settle(tx, &test, &mut lease).await?;
    }
    leases::update(tx, &lease, trouble).await?;
    Ok(holes)
}

fn needs(contest: &Contest) -> Needs<'_> {
    Needs {
        cores: contest.cores(),
        memory_mib: contest.spec.memory_mib(),
        platform: None,
        toolchain: contest.spec.toolchain(),
    }
}

fn offer(host: &HostFacts) -> Offer<'_> {
    Offer {
        cores: host.cores,
        memory_mib: host.memory_mib,
        platform: &host.platform,
        toolchains: host.toolchains.iter().map(String::as_str).collect(),
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
