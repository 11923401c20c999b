//! The workers of a test: compared when somebody asks, and looked at by rules.

use std::collections::BTreeMap;
use std::time::Duration;

use fleet_api::{CrewMember, CrewTests, Heterogeneity, Overdispersion, Problem};
use fleet_core::crew::{self, Crew, Member};

use super::Office;
use super::setbacks::Setbacks;
use crate::store::crew::{Bar, Look, SeatRow};
use crate::store::{audit, crew as seats, tests};

/// How often it is asked whether a look is due.
const EVERY: Duration = Duration::from_secs(1);

impl Office {
    /// The workers of the test called `id`, compared.
    pub(crate) async fn crew(&self, id: &str) -> Result<fleet_api::Crew, Problem> {
        let (crew, mut seats) = self.compare(id).await?;
        let is_alone = crew.members.len() < 2;
        let members = crew.members.iter().map(|member| {
            let seat = seats.remove(&member.seat);
            told(member, seat, is_alone)
        });
        Ok(fleet_api::Crew {
            workers: members.collect(),
            heterogeneity: heterogeneity(&crew.heterogeneity),
        })
    }

    /// Looks at the workers of tests for ever.
    pub async fn look_for_ever(self) {
        let mut ticks = tokio::time::interval(EVERY);
        let mut setbacks = Setbacks::default();
        loop {
            ticks.tick().await;
            if let Err(problem) = self.look_next(&mut setbacks).await {
                tracing::error!(%problem, "looking at workers failed and is tried again");
            }
        }
    }

    async fn look_next(&self, setbacks: &mut Setbacks) -> Result<(), Problem> {
        let at = self.now();
        let Some(look) = self.store().to_look_at(&setbacks.at(at)).await? else {
            return Ok(());
        };
        if look.is_last || crew::is_due(look.looked, look.entries) {
            let test = look.test.clone();
            setbacks.note(at, "looking at workers", &test, self.look(look).await);
        }
        Ok(())
    }

    /// Bars the workers that stand out.
    async fn look(&self, look: Look) -> Result<(), Problem> {
        let at = self.now();
        let (crew, seats) = self.compare(&look.test).await?;
        let mut flagged: BTreeMap<String, (String, String)> = BTreeMap::new();
        for member in &crew.members {
            if let (Some(why), Some(seat)) = (member.reason(), seats.get(&member.seat)) {
                flagged.insert(seat.worker.clone(), (seat.name.clone(), why));
            }
        }
        let id = look.test.clone();
        let barred = self
            .store()
            .write(move |tx| {
                let (look, flagged) = (look.clone(), flagged.clone());
                Box::pin(async move {
                    let mut barred = Vec::new();
                    let is_there = tests::locked(tx, &look.test).await?.is_some();
                    if !is_there || !seats::looked(tx, &look).await? {
                        return Ok(barred);
                    }
                    for (worker, (name, why)) in flagged {
                        if seats::bar(tx, &look.test, &worker).await?.is_some() {
                            continue;
                        }
                        let of = (look.test.as_str(), worker.as_str());
                        seats::set_bar(tx, at, of, Bar::FLAGGED, "arbiter", &why).await?;
                        let detail = format!("{name} ({worker}): {why}");
                        audit::note(tx, at, &look.test, "arbiter", "bar", &detail).await?;
                        barred.push(detail);
                    }
                    Ok(barred)
                })
            })
            .await?;
        for worker in &barred {
            tracing::warn!(
                test = id,
                worker,
                "a worker stands out and gets no more pairs"
            );
        }
        if !barred.is_empty() {
            self.tell(&id);
        }
        Ok(())
    }

    /// The seats of a test, compared, and who sits there.
    async fn compare(&self, id: &str) -> Result<(Crew, BTreeMap<u64, SeatRow>), Problem> {
        let contest = self.contest(id).await?;
        let standing = self.standing(&contest).await?;
        let rows = self.store().crew(id).await?;
        let seats: BTreeMap<u64, SeatRow> = rows.into_iter().map(|row| (row.seat, row)).collect();
        let platforms = seats
            .iter()
            .map(|(&seat, row)| (seat, row.platform.clone()))
            .collect();
        Ok((Crew::of(&contest.spec.spec, &standing, &platforms), seats))
    }
}

fn told(member: &Member, seat: Option<SeatRow>, is_alone: bool) -> CrewMember {
    let counted = member.account.counted;
    let [ll, ld, even, wd, ww] = counted.pairs.0;
    let pairs = counted.pairs.pairs();
    let half_points = ld + 2 * even + 3 * wd + 4 * ww;
    debug_assert!(ll <= pairs);
    let tests = member.finding.pairs;
    let flags = member.finding.flags;
    let flags = [
        (flags.pairs, "mean or decisiveness"),
        (flags.shape, "decisiveness"),
        (flags.time_losses, "time losses"),
        (flags.crashes, "crashes"),
    ];
    let (worker, name, platform, barred) = match seat {
        Some(seat) => (seat.worker, seat.name, seat.platform, seat.barred),
        None => Default::default(),
    };
    CrewMember {
        worker,
        name,
        platform,
        barred,
        pairs,
        pentanomial: counted.pairs.0,
        score: (pairs > 0).then(|| half_points as f64 / (4 * pairs) as f64),
        share: member.share,
        is_share_large: !is_alone && member.share > crew::SHARE_LARGE,
        time_losses: counted.time_losses,
        crashes: counted.crashes,
        p: CrewTests {
            mean: tests.map(|tests| tests.p_mean),
            decisiveness: tests.map(|tests| tests.p_shape),
            pairs: tests.map(|tests| tests.p),
            time_losses: member.finding.time_losses,
            crashes: member.finding.crashes,
        },
        flags: flags
            .into_iter()
            .filter(|(is_flagged, _)| *is_flagged)
            .map(|(_, name)| name.to_owned())
            .collect(),
        pairs_aside: member.account.aside.pairs.pairs(),
    }
}

fn heterogeneity(found: &stats::Heterogeneity) -> Heterogeneity {
    let told = |found: Option<stats::Overdispersion>| {
        found.map(|it| Overdispersion {
            q: it.q,
            dof: it.dof,
            p: it.p,
            phi: it.phi,
        })
    };
    Heterogeneity {
        overall: told(found.overall),
        within_platforms: told(found.within_platforms),
        between_platforms: told(found.between_platforms),
    }
}
