//! Where a test stands: a fold over what was counted, in the order in which it was.
//!
//! Every counted pair and every lapsed lease of a test has a place in one gapless sequence, given to
//! it when it was stored. Whoever folds the same entries comes to the same totals and the same
//! decision, be it this coordinator, another one, or a recount.

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::time::Duration;

use fleet_api::State;
use match_core::contest::Sequential;
use match_core::fixture::PairNumber;
use match_core::ledger::{Conflict, GameResult, Ledger};
use match_core::schedule::Schedule;
use match_core::spec::Spec;
use match_core::summary::Summary;

use crate::allotment::PairRange;

/// Something that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A pair with its two results, that of the game with the first engine as White first, and the
    /// plies of each.
    Pair {
        /// Which.
        pair: u64,
        /// Its results.
        games: [(GameResult, u64); 2],
    },
    /// A lease lapsed: these pairs are not waited for any more. Their results count for the estimate,
    /// and not for the decision, which takes pairs in the order of their numbers.
    Lapsed(PairRange),
}

/// The totals of a test and its decision.
#[derive(Clone, Debug)]
pub struct Standing {
    schedule: Schedule,
    ledger: Ledger,
    sequential: Option<Sequential>,
    left_out: BTreeSet<PairNumber>,
    entries: u64,
}

impl Standing {
    /// Before the first entry of a test of `spec` with a book of `book_len` openings.
    pub fn new(spec: &Spec, book_len: NonZeroU64) -> Self {
        Self {
            schedule: Schedule::new(spec, book_len),
            ledger: Ledger::new(),
            sequential: spec.sprt.map(Sequential::new),
            left_out: BTreeSet::new(),
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

    /// The sequential test, if there is one.
    pub fn sequential(&self) -> Option<&Sequential> {
        self.sequential.as_ref()
    }

    /// Takes the next entry.
    ///
    /// # Errors
    ///
    /// [`Conflict`] when a pair is known with other results: two truths are stored.
    pub fn take(&mut self, entry: Entry) -> Result<(), Conflict> {
        self.entries += 1;
        match entry {
            Entry::Pair { pair, games } => {
                for (number, (result, plies)) in PairNumber(pair).games().into_iter().zip(games) {
                    let fixture = self.schedule.fixture(number);
                    self.ledger.record_result(&fixture, result, plies)?;
                }
            }
            Entry::Lapsed(range) => {
                let next = self.sequential.as_ref().map(|test| test.next().0);
                let missing = (range.first..range.end())
                    .filter(|&pair| next.is_none_or(|next| pair >= next) && !self.contains(pair))
                    .map(PairNumber)
                    .collect::<Vec<_>>();
                self.left_out.extend(missing);
            }
        }
        if let Some(sequential) = &mut self.sequential {
            sequential.follow_without(&self.ledger, &self.left_out);
            let next = sequential.next();
            self.left_out = self.left_out.split_off(&next);
        }
        Ok(())
    }

    /// The final state that the entries lead to, if they do.
    pub fn outcome(&self) -> Option<State> {
        if let Some(sequential) = &self.sequential {
            match sequential.progress().state {
                stats::State::AcceptH1 => return Some(State::Accepted),
                stats::State::AcceptH0 => return Some(State::Rejected),
                stats::State::Running => {}
            }
        }
        (self.ledger.pairs() == self.schedule.pairs()).then_some(State::Finished)
    }

    /// What it comes to, after `wall`.
    pub fn summary(&self, spec: &Spec, wall: Duration) -> Summary {
        Summary::new(spec, &self.ledger, self.sequential.as_ref(), wall)
    }
}
