//! A worker asks for work.

use std::sync::Arc;
use std::time::Duration;

use fleet_api::{Claim, Claimed, Code, Grant, Problem, Scope};
use fleet_core::allotment::PairRange;
use fleet_core::lease::{self, Held};
use fleet_core::planner::Needs;
use fleet_core::timestamp::Timestamp;
use uuid::Uuid;

use super::board::offer;
use super::contest::Contest;
use super::{Office, User, names, problem};
use crate::StoreError;
use crate::store::Tx;
use crate::store::crew;
use crate::store::leases::{self, LeaseRow, LeaseState};
use crate::store::speeds;
use crate::store::tests::{self, TestRow};
use crate::store::workers::{self, Seen};

/// When a worker that got nothing is to ask again.
const RETRY_MS: u64 = 2_000;

/// How many tests are tried for one claim: another coordinator may have been faster.
const PLANS: usize = 8;

/// What became of a plan.
enum Lent {
    /// These pairs are lent.
    Yes(Box<LeaseRow>),
    /// There are none any more.
    No,
    /// Another coordinator is at it.
    Busy,
    /// Nothing was to be had, but now there may be: pairs that the worker held came back.
    Released,
    /// Nothing was tried: the worker is another one.
    Refused(Seen),
}

impl Office {
    /// Lends the worker some pairs of the test whose turn it is.
    pub(crate) async fn claim(&self, user: &User, claim: Claim) -> Result<Claimed, Problem> {
        user.must(Scope::Worker)?;
        names::check_claim(&claim)?;
        let at = self.now();
        let mut without = self.store().troubled(&claim.worker, at).await?;
        let mut busy = None;
        for _ in 0..PLANS {
            let plan = match self.plan(&claim.host, &without).await? {
                Some(test) => match self.playable(&test).await {
                    Ok(contest) => Some(contest),
                    // Its book is gone, say: its owner sees why when he asks for it.
                    Err(problem) => {
                        tracing::warn!(test, %problem, "a test cannot be lent");
                        without.insert(test);
                        continue;
                    }
                },
                None => None,
            };
            // Where nothing else is to be had, what another coordinator is at is waited for.
            let (plan, waits) = match plan {
                Some(contest) => (Some(contest), false),
                None => (busy.take(), true),
            };
            match self.grant(user, &claim, plan.clone(), waits, at).await? {
                Lent::Yes(lease) => return self.granted(&claim, *lease).await,
                Lent::No => {
                    let Some(contest) = plan else { break };
                    self.note_on_board(&contest.id).await?;
                    without.insert(contest.id.clone());
                }
                Lent::Released => {}
                Lent::Busy => {
                    without.extend(plan.iter().map(|contest| contest.id.clone()));
                    busy = busy.or(plan);
                }
                Lent::Refused(Seen::Barred) => return Err(self.barred(&claim.worker).await?),
                Lent::Refused(seen) => {
                    let text = match seen {
                        Seen::Copied => {
                            "another machine plays with a copy of this worker's folder: each needs its own, \
                             and `id` is to be deleted in a copy"
                        }
                        Seen::Foreign | Seen::Barred | Seen::Yes => {
                            "a worker of this name belongs to another token's user"
                        }
                    };
                    tracing::warn!(
                        worker = claim.worker,
                        host = claim.host.name,
                        text,
                        "refused"
                    );
                    return Err(problem(Code::Conflict, text));
                }
            }
        }
        Ok(Claimed {
            grant: None,
            retry_after_ms: RETRY_MS,
        })
    }

    /// Takes note of the worker, takes back what it held under another claim, for it has forgotten
    /// it, and lends it pairs of `plan`.
    async fn grant(
        &self,
        user: &User,
        claim: &Claim,
        plan: Option<Arc<Contest>>,
        waits: bool,
        at: Timestamp,
    ) -> Result<Lent, Problem> {
        let (owner, claim, life) = (user.name.clone(), claim.clone(), self.0.life.clone());
        let (lent, released) = self
            .store()
            .write(move |tx| {
                let (owner, claim) = (owner.clone(), claim.clone());
                let (plan, life) = (plan.clone(), life.clone());
                Box::pin(async move {
                    let host = serde_json::to_string(&claim.host).unwrap_or_default();
                    let name = &claim.host.name;
                    let worker = (&*claim.worker, &*owner);
                    let its_life = claim.life.as_ref();
                    let seen = workers::seen(tx, at, worker, (name, &host), its_life).await?;
                    if seen != Seen::Yes {
                        return Ok((Lent::Refused(seen), Vec::new()));
                    }
                    let mut released = Vec::new();
                    for lease in leases::held_by(tx, &claim.worker).await? {
                        if lease.claim == claim.claim {
                            // The claim came again: so does the answer.
                            return Ok((Lent::Yes(Box::new(lease)), released));
                        }
                        let which = (lease.test.as_str(), lease.id.as_str());
                        if end(tx, which, LeaseState::Settled, "").await?.is_some() {
                            released.push(lease.test);
                        }
                    }
                    let lent = match plan {
                        Some(contest) if waits || tests::lock_if_free(tx, &contest.id).await? => {
                            lend(tx, &claim, &contest, &life, at).await?
                        }
                        Some(_) => Lent::Busy,
                        None => Lent::No,
                    };
                    Ok((lent, released))
                })
            })
            .await?;
        for test in &released {
            self.note_on_board(test).await?;
            self.tell(test);
        }
        match lent {
            Lent::No if !released.is_empty() => Ok(Lent::Released),
            lent => Ok(lent),
        }
    }

    async fn granted(&self, claim: &Claim, lease: LeaseRow) -> Result<Claimed, Problem> {
        let contest = self.contest(&lease.test).await?;
        self.note_on_board(&lease.test).await?;
        tracing::info!(
            test = lease.test,
            worker = claim.worker,
            lease = lease.id,
            first = lease.range.first,
            pairs = lease.range.count,
            "lent"
        );
        self.tell(&lease.test);
        Ok(Claimed {
            grant: Some(Grant {
                spec: contest.text.clone(),
                test: contest.id.clone(),
                first_pair: lease.range.first,
                pairs: lease.range.count,
                term_ms: millis(lease.held.term.idle),
                lease: lease.id,
            }),
            retry_after_ms: 0,
        })
    }
}

async fn lend(
    tx: &mut Tx<'_>,
    claim: &Claim,
    contest: &Contest,
    life: &str,
    at: Timestamp,
) -> Result<Lent, StoreError> {
    let Some(test) = tests::locked(tx, &contest.id).await? else {
        return Ok(Lent::No);
    };
    if test.state != fleet_api::State::Queued {
        return Ok(Lent::No);
    }
    let Some(seat) = crew::seat(tx, &contest.id, &claim.worker, &claim.host).await? else {
        return Ok(Lent::No);
    };
    let known = match contest.spec.reference {
        Some(_) => speeds::known(tx, &contest.id, &claim.worker).await?,
        None => None,
    };
    let spec = &*contest.spec.paced(known);
    let slots = offer(&claim.host).slots(&needs(contest));
    let pace = leases::pace(tx, &claim.worker, &contest.id).await?;
    let pair = pace.unwrap_or_else(|| lease::expected_pair(spec));
    let (before, open) = tests::allotment(tx, &test).await?;
    let others = leases::holders(tx, &contest.id).await?;
    let mut allotment = before.clone();
    let most = lease::size(pair, slots, open, others + 1);
    let Some(range) = allotment.lend(most) else {
        return Ok(Lent::No);
    };
    tests::set_allotment(tx, &contest.id, &before, &allotment).await?;
    let cores = slots * u64::from(contest.cores());
    let in_slots = range.count as f64 * pair.as_secs_f64();
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
    tests::charge(tx, &contest.id, lease.charged);
    Ok(Lent::Yes(Box::new(lease)))
}

/// What a lease was charged for was a guess: once it is over, its test, which is locked, is charged for
/// what was played.
pub(super) fn settle(tx: &mut Tx<'_>, lease: &mut LeaseRow) {
    let used = lease.played.as_secs_f64() * lease.cores as f64 / lease.slots as f64;
    tests::charge(tx, &lease.test, used - lease.charged);
    lease.charged = used;
}

/// A test and a lease of it, for this transaction alone.
pub(super) async fn lock(
    tx: &mut Tx<'_>,
    test: &str,
    lease: &str,
) -> Result<Option<(TestRow, LeaseRow)>, StoreError> {
    // In the order in which everybody locks them.
    let test = tests::locked(tx, test).await?;
    let lease = leases::locked(tx, lease).await?;
    Ok(test.zip(lease))
}

/// Ends a lease of a test, if it is held; what is unreported of it can be lent again. These parts are
/// given.
pub(super) async fn end(
    tx: &mut Tx<'_>,
    (test, lease): (&str, &str),
    state: LeaseState,
    trouble: &str,
) -> Result<Option<Vec<PairRange>>, StoreError> {
    let mut lease = match lock(tx, test, lease).await? {
        Some((_, lease)) if lease.state == LeaseState::Held => lease,
        _ => return Ok(None),
    };
    let reported = crate::store::pairs::reported(tx, &lease.test, lease.range).await?;
    let holes = fleet_core::allotment::unreported(lease.range, |pair| reported.contains(&pair));
    for &hole in &holes {
        tests::give_back(tx, &lease.test, hole).await?;
    }
    lease.state = state;
    settle(tx, &mut lease);
    let id = lease.id.clone();
    leases::update(tx, lease);
    if !trouble.is_empty() {
        leases::set_trouble(tx, &id, trouble).await?;
    }
    Ok(Some(holes))
}

/// What a game of a test needs.
pub(super) fn needs(contest: &Contest) -> Needs<'_> {
    Needs {
        cores: contest.cores(),
        memory_mib: contest.spec.memory_mib(),
        platform: contest.spec.platform.as_deref(),
        toolchain: contest.spec.toolchain(),
        tablebases: contest.spec.tablebases(),
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
