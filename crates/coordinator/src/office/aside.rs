//! A person sets the results of a worker aside, or brings them back.
//!
//! Never silently, and while a test runs never for the worker's mean alone: its results can be set
//! aside only if it stood out otherwise at one of the looks. Then others play its pairs again. When a
//! test is over, its decision stays, and setting aside changes what is shown.

use fleet_api::{Aside, AsideWorker, BringBack, Code, Moved, Problem, SetAside, WithAside};
use fleet_core::allotment::{self, PairRange};
use fleet_core::life;
use fleet_core::standing::{Entry, Played, Standing};
use fleet_core::timestamp::Timestamp;
use stats::Results;

use super::contest::{Contest, no_such_test};
use super::lend::end;
use super::{Office, User, act, names, problem};
use crate::StoreError;
use crate::store::crew::{self, Bar, SeatRow};
use crate::store::leases::{self, LeaseState};
use crate::store::tests::{self, TestRow};
use crate::store::{Tx, aside, audit, pairs};

impl Office {
    /// Sets the results of a worker aside.
    pub(crate) async fn set_aside(
        &self,
        user: &User,
        id: &str,
        request: SetAside,
    ) -> Result<Moved, Problem> {
        let reason = request.reason.trim().to_owned();
        names::check_reason(&reason)?;
        if reason.is_empty() {
            return Err(problem(Code::Refused, "a reason is needed"));
        }
        let worker = self.member(id, &request.worker).await?;
        let (at, user, test) = (self.now(), user.clone(), id.to_owned());
        let moved = self
            .store()
            .write(move |tx| {
                let (user, test) = (user.clone(), test.clone());
                let (worker, reason) = (worker.clone(), reason.clone());
                Box::pin(async move {
                    let row = match allowed(tx, &user, &test).await? {
                        Ok(row) => row,
                        Err(refusal) => return Ok(Err(refusal)),
                    };
                    let stands_out = crew::bar(tx, &test, &worker).await?.is_some();
                    if !row.state.is_final() && !stands_out {
                        let text = "while a test runs, results are set aside only of a worker that stood \
                                    out by decisiveness, time losses or crashes when it was looked at; a \
                                    mean alone is what the test is about. Pause or stop the test, or wait";
                        return Ok(Err(problem(Code::Conflict, text)));
                    }
                    let moved = take_out(tx, at, &row, &worker, &user.name, &reason).await?;
                    Ok(Ok(moved))
                })
            })
            .await?;
        self.follow_moved(id, moved).await
    }

    /// Brings the results of a worker back, and lends it pairs of the test again.
    pub(crate) async fn bring_back(
        &self,
        user: &User,
        id: &str,
        request: BringBack,
    ) -> Result<Moved, Problem> {
        let worker = self.member(id, &request.worker).await?;
        let (at, user, test) = (self.now(), user.clone(), id.to_owned());
        let moved = self
            .store()
            .write(move |tx| {
                let (user, test, worker) = (user.clone(), test.clone(), worker.clone());
                Box::pin(async move {
                    let row = match allowed(tx, &user, &test).await? {
                        Ok(row) => row,
                        Err(refusal) => return Ok(Err(refusal)),
                    };
                    let bar = crew::bar(tx, &test, &worker).await?;
                    // What stayed aside before may come back once its replay is set aside too.
                    let is_barred = bar.is_some_and(|kind| kind != Bar::LIFTED);
                    if !is_barred && aside::left(tx, &test, &worker).await? == 0 {
                        let text = "nothing of this worker is set aside, and it is not barred";
                        return Ok(Err(problem(Code::Conflict, text)));
                    }
                    Ok(Ok(put_back(tx, at, &row, &worker, &user.name).await?))
                })
            })
            .await?;
        self.follow_moved(id, moved).await
    }

    async fn follow_moved(
        &self,
        id: &str,
        moved: Result<Moved, Problem>,
    ) -> Result<Moved, Problem> {
        let moved = moved?;
        let contest = self.contest(id).await?;
        self.follow(&contest).await?;
        self.note_on_board(id).await?;
        self.tell(id);
        Ok(moved)
    }

    /// The worker of a test that is called so, or has this name alone.
    async fn member(&self, id: &str, called: &str) -> Result<String, Problem> {
        if self.store().test(id).await?.is_none() {
            return Err(no_such_test());
        }
        let seats = self.store().crew(id).await?;
        if let Some(seat) = seats.iter().find(|seat| seat.worker == called) {
            return Ok(seat.worker.clone());
        }
        let mut named: Vec<&str> = seats
            .iter()
            .filter(|seat| seat.name == called)
            .map(|seat| seat.worker.as_str())
            .collect();
        named.sort_unstable();
        named.dedup();
        match named[..] {
            [worker] => Ok(worker.to_owned()),
            [] => Err(problem(
                Code::NotFound,
                format!("no worker of this test is called `{}`", shortened(called)),
            )),
            _ => Err(problem(
                Code::Conflict,
                format!(
                    "{} workers of this test have the name `{}`: which one, of {}?",
                    named.len(),
                    shortened(called),
                    named.join(", ")
                ),
            )),
        }
    }

    /// What of a test is aside; nothing if nothing is.
    pub(super) async fn aside(
        &self,
        contest: &Contest,
        standing: &Standing,
    ) -> Result<Option<Aside>, Problem> {
        let aside = |account: &fleet_core::standing::Account| account.aside.pairs.pairs();
        let pairs: u64 = standing.crew().values().map(aside).sum();
        if pairs == 0 {
            return Ok(None);
        }
        let seats = self.store().crew(&contest.id).await?;
        let mut workers: Vec<AsideWorker> = Vec::new();
        for seat in seats {
            let pairs = standing.crew().get(&seat.seat).map_or(0, aside);
            match workers.iter_mut().find(|known| known.worker == seat.worker) {
                Some(known) => known.pairs += pairs,
                None if pairs > 0 => workers.push(whose(seat, pairs)),
                None => {}
            }
        }
        let is_of_two = contest.spec.spec.engines.len() == 2;
        Ok(Some(Aside {
            pairs,
            workers,
            with: is_of_two.then(|| with(standing)),
        }))
    }
}

/// The test, if the user may change it.
async fn allowed(
    tx: &mut Tx<'_>,
    user: &User,
    test: &str,
) -> Result<Result<TestRow, Problem>, StoreError> {
    let Some(row) = tests::locked(tx, test).await? else {
        return Ok(Err(no_such_test()));
    };
    let actor = user.actor();
    Ok(life::may_change(&row.owner, actor)
        .map(|()| row)
        .map_err(|refusal| act::refused(&refusal)))
}

async fn take_out(
    tx: &mut Tx<'_>,
    at: Timestamp,
    row: &TestRow,
    worker: &str,
    who: &str,
    why: &str,
) -> Result<Moved, StoreError> {
    for lease in leases::held_by(tx, worker).await? {
        if lease.test == row.id {
            end(tx, (&row.id, &lease.id), LeaseState::Barred, "").await?;
        }
    }
    let taken = aside::take_out(tx, &row.id, worker).await?;
    let over = row.state.is_final();
    let entries = taken.iter().map(|&played| Entry::SetAside { played, over });
    count(tx, row, entries);
    if !over {
        for range in ranges(&taken) {
            tests::give_back(tx, &row.id, range).await?;
        }
    }
    crew::set_bar(tx, at, (&row.id, worker), Bar::ASIDE, who, why).await?;
    let pairs = taken.len() as u64;
    let detail = format!("{pairs} pairs of {worker}: {why}");
    audit::note(tx, at, &row.id, who, "set aside", &detail).await?;
    Ok(Moved {
        worker: worker.to_owned(),
        pairs,
        left: 0,
    })
}

async fn put_back(
    tx: &mut Tx<'_>,
    at: Timestamp,
    row: &TestRow,
    worker: &str,
    who: &str,
) -> Result<Moved, StoreError> {
    let (back, left) = aside::put_back(tx, &row.id, worker).await?;
    count(tx, row, back.iter().copied().map(Entry::BroughtBack));
    let numbers: Vec<u64> = back.iter().map(|played| played.pair).collect();
    tests::forget(tx, row, &numbers).await?;
    crew::set_bar(tx, at, (&row.id, worker), Bar::LIFTED, who, "").await?;
    let pairs = back.len() as u64;
    let detail = match left {
        0 => format!("{pairs} pairs of {worker}"),
        left => format!("{pairs} pairs of {worker}; {left} were played again by others"),
    };
    audit::note(tx, at, &row.id, who, "bring back", &detail).await?;
    Ok(Moved {
        worker: worker.to_owned(),
        pairs,
        left,
    })
}

/// Gives these entries their places.
fn count(tx: &mut Tx<'_>, row: &TestRow, entries: impl Iterator<Item = Entry>) {
    let mut place = row.entries;
    for entry in entries {
        pairs::count(tx, &row.id, place, &entry);
        place += 1;
    }
    tests::set_counts(tx, &row.id, place, row.late_pairs);
}

/// Consecutive pairs together.
fn ranges(played: &[Played]) -> Vec<PairRange> {
    let pairs: std::collections::BTreeSet<u64> = played.iter().map(|it| it.pair).collect();
    match (pairs.first(), pairs.last()) {
        (Some(&first), Some(&last)) => {
            let all = PairRange {
                first,
                count: last - first + 1,
            };
            allotment::unreported(all, |pair| !pairs.contains(&pair))
        }
        _ => Vec::new(),
    }
}

fn whose(seat: SeatRow, pairs: u64) -> AsideWorker {
    let by = seat.barred.filter(|barred| barred.kind == Bar::ASIDE);
    AsideWorker {
        worker: seat.worker,
        name: seat.name,
        pairs,
        who: by.as_ref().map(|by| by.who.clone()),
        at_ms: by.as_ref().map(|by| by.at_ms),
        why: by.map(|by| by.why),
    }
}

fn with(standing: &Standing) -> WithAside {
    let pairs = standing.with_aside();
    let results = Results::Pairs(pairs);
    let (elo, nelo) = (results.elo().ok(), results.nelo().ok());
    let ci95 = |estimate: Option<stats::Estimate>| {
        estimate.and_then(|it| it.ci95.ok().map(|ci| [ci.low, ci.high]))
    };
    WithAside {
        pentanomial: pairs.0,
        elo: elo.map(|it| it.value),
        elo_ci95: ci95(elo),
        nelo: nelo.map(|it| it.value),
        nelo_ci95: ci95(nelo),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
