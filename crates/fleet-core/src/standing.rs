//! Where a test stands: a fold over what was counted, in the order in which it was.
//!
//! Every counted pair and every lapsed lease of a test has a place in one gapless sequence, given to
//! it when it was stored. Whoever folds the same entries comes to the same totals and the same
//! decision, be it this coordinator, another one, or a recount.
//!
//! Results that a person sets aside are not taken out of the sequence: that they were is an entry of
//! its own, and so is that they were brought back.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::time::Duration;

use fleet_api::State;
use match_core::contest::Sequential;
use match_core::fixture::{EngineId, PairNumber};
use match_core::ledger::{Conflict, Ledger, Novelty};
use match_core::schedule::Schedule;
use match_core::spec::Spec;
use match_core::summary::Summary;
use stats::Pentanomial;
use thiserror::Error;

use crate::allotment::PairRange;

mod tally;

pub use tally::{Account, Played, Tally};

/// Something that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A pair was reported.
    Pair(Played),
    /// A lease lapsed: these pairs are not waited for any more. Their results count for the estimate,
    /// and not for the decision, which takes pairs in the order of their numbers.
    Lapsed(PairRange),
    /// A pair that counted does not any more: a person set its worker's results aside.
    SetAside {
        /// The pair as it was counted.
        played: Played,
        /// Whether the test was over. Then no decision changes; before, the pair is played again and
        /// the sequential test waits for it.
        over: bool,
    },
    /// A pair came from a worker whose results are set aside. It does not count.
    CameAside(Played),
    /// A pair that was set aside, or came aside, counts again.
    BroughtBack(Played),
}

/// What is stored cannot all be true.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// Two truths about one game.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// It is not there to be taken out.
    #[error("pair {} is set aside and was not counted so", .0 + 1)]
    NotCounted(u64),
    /// The test is not that long.
    #[error("pair {} is counted, and the test has {wanted}", .pair + 1)]
    Beyond {
        /// Which.
        pair: u64,
        /// How many there are.
        wanted: u64,
    },
}

/// The totals of a test and its decision.
#[derive(Clone, Debug)]
pub struct Standing {
    schedule: Schedule,
    ledger: Ledger,
    sequential: Option<Sequential>,
    /// The sequential test before the first pair: from here it goes again when a pair that it has
    /// looked at is set aside.
    start: Option<Sequential>,
    left_out: BTreeSet<PairNumber>,
    crew: BTreeMap<u64, Account>,
    outcome: Option<State>,
    entries: u64,
}

impl Standing {
    /// Before the first entry of a test of `spec` with a book of `book_len` openings.
    pub fn new(spec: &Spec, book_len: NonZeroU64) -> Self {
        let start = spec.sprt.map(Sequential::new);
        Self {
            schedule: Schedule::new(spec, book_len),
            ledger: Ledger::new(),
            sequential: start.clone(),
            start,
            left_out: BTreeSet::new(),
            crew: BTreeMap::new(),
            outcome: None,
            entries: 0,
        }
    }

    /// What game of a test has which number.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How many entries it has been told: the next one's place in the sequence.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.ledger.pairs()
    }

    /// Whether `pair` is counted.
    pub fn contains(&self, pair: u64) -> bool {
        self.ledger.half_points(PairNumber(pair)).is_some()
    }

    /// The games that count.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The sequential test, if there is one.
    pub fn sequential(&self) -> Option<&Sequential> {
        self.sequential.as_ref()
    }

    /// What came from each seat: from one worker on one platform.
    pub fn crew(&self) -> &BTreeMap<u64, Account> {
        &self.crew
    }

    /// Takes the next entry.
    ///
    /// # Errors
    ///
    /// [`Contradiction`] when a pair is known with other results, or is set aside and not known.
    pub fn take(&mut self, entry: Entry) -> Result<(), Contradiction> {
        self.entries += 1;
        match entry {
            Entry::Pair(played) => {
                self.count(&played)?;
            }
            Entry::BroughtBack(played) => {
                if self.count(&played)? == Novelty::New {
                    self.account(&played).aside.remove(&played);
                }
            }
            Entry::CameAside(played) => self.account(&played).aside.add(&played),
            Entry::SetAside { played, over } => {
                self.take_out(&played)?;
                let pair = PairNumber(played.pair);
                let is_looked_at = self.sequential.as_ref().is_some_and(|t| pair < t.next());
                if !over && self.outcome.is_none() && is_looked_at {
                    self.sequential.clone_from(&self.start);
                }
            }
            Entry::Lapsed(range) => self.leave_out(range),
        }
        self.decide();
        Ok(())
    }

    fn count(&mut self, played: &Played) -> Result<Novelty, Contradiction> {
        let wanted = self.schedule.pairs();
        if played.pair >= wanted {
            let pair = played.pair;
            return Err(Contradiction::Beyond { pair, wanted });
        }
        let mut novelty = Novelty::Known;
        for (number, (result, plies)) in PairNumber(played.pair)
            .games()
            .into_iter()
            .zip(played.games)
        {
            let fixture = self.schedule.fixture(number);
            novelty = self.ledger.record_result(&fixture, result, plies)?;
        }
        if novelty == Novelty::New {
            self.account(played).counted.add(played);
        }
        Ok(novelty)
    }

    fn take_out(&mut self, played: &Played) -> Result<(), Contradiction> {
        let games = PairNumber(played.pair).games();
        let known = games.map(|game| self.ledger.result(game));
        if known != played.games.map(|(result, _)| Some(result)) {
            return Err(Contradiction::NotCounted(played.pair));
        }
        for (number, (_, plies)) in games.into_iter().zip(played.games) {
            let fixture = self.schedule.fixture(number);
            self.ledger.forget(&fixture, plies);
        }
        let account = self.account(played);
        account.counted.remove(played);
        account.aside.add(played);
        Ok(())
    }

    /// Waits no more for what is missing of `range`.
    fn leave_out(&mut self, range: PairRange) {
        // Nothing else goes by the order of pairs.
        let Some(sequential) = &self.sequential else {
            return;
        };
        let next = sequential.next().0;
        let missing = (range.first.max(next)..range.end())
            .filter(|&pair| !self.contains(pair))
            .map(PairNumber)
            .collect::<Vec<_>>();
        self.left_out.extend(missing);
    }

    fn account(&mut self, played: &Played) -> &mut Account {
        self.crew.entry(played.seat).or_default()
    }

    /// Lets the sequential test look at what it can look at, and decides, once.
    fn decide(&mut self) {
        if let Some(sequential) = &mut self.sequential {
            sequential.follow_without(&self.ledger, &self.left_out);
        }
        if self.outcome.is_none() {
            let is_full = self.ledger.pairs() == self.schedule.pairs();
            let decided = self.sequential.as_ref().map(|test| test.progress().state);
            self.outcome = match decided {
                Some(stats::State::AcceptH1) => Some(State::Accepted),
                Some(stats::State::AcceptH0) => Some(State::Rejected),
                Some(stats::State::Running) | None => is_full.then_some(State::Finished),
            };
        }
    }

    /// The final state that the entries lead to, if they do. It is final: what is set aside
    /// afterwards changes the totals alone.
    pub fn outcome(&self) -> Option<State> {
        self.outcome
    }

    /// What it comes to, after `wall`.
    pub fn summary(&self, spec: &Spec, wall: Duration) -> Summary {
        Summary::new(spec, &self.ledger, self.sequential.as_ref(), wall)
    }

    /// Everything that was played, counted or not, from the first engine's side: only for two engines.
    pub fn with_aside(&self) -> Pentanomial {
        let counted = self.ledger.all_pairs_of(EngineId(0));
        let aside = self.crew.values().map(|account| account.aside.pairs);
        aside.fold(counted, |sum, pairs| sum + pairs)
    }
}
