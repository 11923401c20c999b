//! Tests are counted again from what is stored: when they end, now and then before, and when somebody
//! asks. If it ever differs from what is shown, everybody is to know.

use std::sync::Arc;
use std::time::{Duration, Instant};

use book::Book;
use fleet_api::{Code, Game, Problem, Recounted};
use fleet_core::evidence;
use fleet_core::life;
use fleet_core::recount::{Difference, Recount};
use match_core::fixture::PairNumber;
use match_core::ledger::GameResult;
use match_core::schedule::Schedule;
use tokio::task::spawn_blocking;

use super::contest::{Contest, no_such_test};
use super::setbacks::Setbacks;
use super::{Office, User, act, problem};

/// How often it is looked for something to be counted again.
const EVERY: Duration = Duration::from_secs(2);

/// Entries and pairs that are read at a time.
const ENTRIES: u32 = 4096;
const PAIRS: u32 = 64;

/// Pairs of a test that goes on whose games are played again at a time.
const WINDOW: u64 = 1024;

/// Who has time rests so many times as long as he worked: reports come first.
const REST: u32 = 4;

/// How much is counted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Everything, at once.
    Whole,
    /// Everything, with rests.
    Leisurely,
    /// All entries, and the games of some pairs that were not played again before.
    Window,
}

impl Office {
    /// Counts a test again because `user` wants it.
    pub(crate) async fn recount(&self, user: &User, id: &str) -> Result<Recounted, Problem> {
        let row = self.store().test(id).await?.ok_or_else(no_such_test)?;
        let actor = user.actor();
        life::may_change(&row.owner, actor).map_err(|refusal| act::refused(&refusal))?;
        self.count_again(id, Extent::Whole, Some(&user.name)).await
    }

    /// Counts tests again for ever.
    pub async fn recount_for_ever(self) {
        let mut ticks = tokio::time::interval(EVERY);
        let mut setbacks = Setbacks::default();
        loop {
            ticks.tick().await;
            if let Err(problem) = self.recount_next(&mut setbacks).await {
                tracing::error!(%problem, "a recount failed and is tried again");
            }
        }
    }

    async fn recount_next(&self, setbacks: &mut Setbacks) -> Result<(), Problem> {
        let at = self.now();
        let left_alone = setbacks.at(at);
        if let Some((id, is_over)) = self.store().to_recount(at, &left_alone).await? {
            let extent = match is_over {
                true => Extent::Leisurely,
                false => Extent::Window,
            };
            let counted = self.count_again(&id, extent, None).await;
            setbacks.note(at, "a recount", &id, counted);
        }
        Ok(())
    }

    async fn count_again(
        &self,
        id: &str,
        extent: Extent,
        who: Option<&str>,
    ) -> Result<Recounted, Problem> {
        let at = self.now();
        let contest = self.contest(id).await?;
        let book = self.book(&contest).await?;
        let before = self.store().recount(id).await?;
        let (from, end) = match (extent, before) {
            (Extent::Window, Some(before)) => (before.replayed, before.replayed + WINDOW),
            (Extent::Window, None) => (0, WINDOW),
            (Extent::Whole | Extent::Leisurely, _) => (0, u64::MAX),
        };
        let earlier = self.store().test(id).await?.ok_or_else(no_such_test)?;
        let shown = self.shown(&contest).await;
        let score = contest.score().await;
        self.keep_scores(vec![(id.to_owned(), score)]).await;
        let later = self.store().test(id).await?.ok_or_else(no_such_test)?;
        // The test may come to its end meanwhile: it was no further before the fold than the fold is,
        // and is as far afterwards.
        let state = match shown.outcome() {
            Some(_) => later.state,
            None => earlier.state,
        };
        let spec = &contest.spec.spec;
        let mut recount = Recount::new(spec, book.len(), from);
        let mut place = 0;
        while let Some(next) = self.fold(id, place, shown.entries(), &mut recount).await? {
            place = next;
        }
        let schedule = Arc::new(shown.schedule().clone());
        while recount.next() < end {
            let begun = Instant::now();
            let page = self
                .play_again(&contest, &book, &schedule, recount.next(), end)
                .await?;
            if page.is_empty() {
                break;
            }
            for (pair, said) in page {
                recount.games(pair, said);
            }
            if extent != Extent::Whole {
                tokio::time::sleep(REST * begun.elapsed()).await;
            }
        }
        let last = recount.next();
        recount.missing_below(end);
        self.hear_since(id, shown.entries(), &mut recount).await?;
        let counted = Recounted {
            at_ms: at.0,
            pairs: recount.standing().pairs(),
            replayed: last.min(end),
            differences: sentences(&recount.against(spec, &shown, state, earlier.entries)),
            equal: true,
        };
        let counted = Recounted {
            equal: counted.differences.is_empty(),
            ..counted
        };
        self.store()
            .set_recount(id, shown.entries(), &counted, who)
            .await?;
        self.0.recounts.counted(counted.equal);
        for difference in &counted.differences {
            tracing::error!(
                test = id,
                difference,
                "counted again, it is not what is shown"
            );
        }
        if counted.equal {
            tracing::debug!(test = id, pairs = counted.pairs, "counted again: equal");
        } else {
            self.tell(id);
        }
        Ok(counted)
    }

    /// Tells of what was stored since, which is about pairs of which nothing is known.
    async fn hear_since(
        &self,
        id: &str,
        mut place: u64,
        recount: &mut Recount,
    ) -> Result<(), Problem> {
        loop {
            let page = self.store().places(id, place, u64::MAX, ENTRIES).await?;
            let Some(&(last, _)) = page.last() else {
                return Ok(());
            };
            place = last + 1;
            for (place, entry) in page {
                recount.meanwhile(place, entry);
            }
        }
    }

    /// Folds a page of entries; the place to go on from, if there was any.
    async fn fold(
        &self,
        id: &str,
        from: u64,
        end: u64,
        recount: &mut Recount,
    ) -> Result<Option<u64>, Problem> {
        let page = self.store().places(id, from, end, ENTRIES).await?;
        let next = page.last().map(|(place, _)| place + 1);
        for (place, entry) in page {
            recount.entry(place, entry);
        }
        Ok(next)
    }

    /// What the stored games of a page of pairs say.
    async fn play_again(
        &self,
        contest: &Arc<Contest>,
        book: &Arc<Book>,
        schedule: &Arc<Schedule>,
        from: u64,
        end: u64,
    ) -> Result<Vec<(u64, Said)>, Problem> {
        let rows = self.pairs(&contest.id, from, PAIRS).await?;
        let (contest, book) = (Arc::clone(contest), Arc::clone(book));
        let schedule = Arc::clone(schedule);
        spawn_blocking(move || {
            rows.into_iter()
                .take_while(|(pair, _)| *pair < end)
                .map(|(pair, games)| (pair, said(&contest, &book, &schedule, pair, &games)))
                .collect()
        })
        .await
        .map_err(|error| problem(Code::Internal, error.to_string()))
    }
}

/// What the games of a pair say, or why they cannot be.
type Said = Result<[(GameResult, u64); 2], String>;

/// Plays the stored games of a pair again.
fn said(contest: &Contest, book: &Book, schedule: &Schedule, pair: u64, games: &str) -> Said {
    if pair >= schedule.pairs() {
        return Err(format!("the test has {} pairs", schedule.pairs()));
    }
    let games: [Game; 2] = serde_json::from_str(games).map_err(|error| error.to_string())?;
    let numbers = PairNumber(pair).games();
    let opening = schedule.fixture(numbers[0]).opening;
    let opening = book.opening(opening).map_err(|error| error.to_string())?;
    // By whose times it was played is not kept: it was checked when the pair came.
    let spec = contest.spec.paced(None);
    let check = |i: usize| {
        let fixture = schedule.fixture(numbers[i]);
        evidence::check(&spec, &fixture, &opening, &games[i], Duration::MAX)
            .map(|game| (game.result, game.plies))
            .map_err(|why| format!("game {}: {why}", numbers[i]))
    };
    Ok([check(0)?, check(1)?])
}

fn sentences(differences: &[Difference]) -> Vec<String> {
    let one_line = |text: String| text.replace(char::is_control, " ");
    differences
        .iter()
        .map(|it| one_line(it.to_string()))
        .collect()
}
