//! Which game has which number: a pure function, so that there is no cursor to lose.
//!
//! Games come in pairs and pairs in rounds. In a round every pairing of the tournament plays one
//! pair, all from the same opening, so that no engine is luckier with its openings than another:
//!
//! ```text
//! game    0   1 | 2   3 | 4   5 | 6   7 | ...        game = 2 * pair + (0, or 1 with colours swapped)
//! pair      0   |   1   |   2   |   3   | ...        pair = round * pairings + pairing
//! round             0           |   1     ...        the opening is a function of the round
//! ```
//!
//! Resuming, repeating and distributing are then the same thing: play the numbers that are not in
//! the ledger. Two workers whose ranges of rounds are disjoint, or whose `start` differs by what
//! each of them plays, share no opening before the book is used up.

use std::num::NonZeroU64;
use std::ops::Range;

use engine_core::ByColor;

use crate::fixture::{EngineId, Fixture, GameNumber, OpeningIndex, PairNumber, Share};
use crate::schedule::permutation::Permutation;
use crate::spec::{BookOrder, Spec, Tournament};

mod permutation;

/// All fixtures of a contest, none of them stored.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<Pairing>,
    rounds: NonZeroU64,
    share: Option<Share>,
    book_len: NonZeroU64,
    start: u64,
    order: Order,
}

/// Two engines that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pairing {
    /// Has the white pieces in the first game of a pair; comes before the other in the spec.
    pub first: EngineId,
    /// Has them in the second.
    pub second: EngineId,
}

#[derive(Clone, Debug)]
enum Order {
    Sequential,
    Random(Box<Permutation>),
}

impl Schedule {
    /// The schedule of `spec` with a book of `book_len` openings.
    pub fn new(spec: &Spec, book_len: NonZeroU64) -> Self {
        Self {
            pairings: match spec.tournament {
                Tournament::RoundRobin => round_robin(spec.engines.len()),
                Tournament::Gauntlet => gauntlet(spec.engines.len()),
            },
            rounds: spec.pairs,
            share: spec.share,
            book_len,
            start: (spec.openings.start.get() - 1) % book_len,
            order: match spec.openings.order {
                BookOrder::Sequential => Order::Sequential,
                BookOrder::Random => Order::Random(Box::new(Permutation::new(spec.seed, book_len))),
            },
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// How many pairs of games there are.
    pub fn pairs(&self) -> u64 {
        self.rounds.get() * self.pairings.len() as u64
    }

    /// The games that are played here: all, or those of a share.
    pub fn share(&self) -> Range<GameNumber> {
        let all = self.pairs();
        let (first, end) = self.share.map_or((0, all), |Share { first, pairs }| {
            let end = first.0.saturating_add(pairs.get());
            (first.0.min(all), end.min(all))
        });
        let [start, _] = PairNumber(first).games();
        let [end, _] = PairNumber(end).games();
        start..end
    }

    /// Who meets whom, in the order of play within a round.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// What game `number` is.
    ///
    /// # Panics
    ///
    /// If there is no such game.
    pub fn fixture(&self, number: GameNumber) -> Fixture {
        assert!(
            number.0 < self.games(),
            "game {number} of {} games",
            self.games()
        );
        let pairings = self.pairings.len() as u64;
        let pair = number.pair().0;
        let round = pair / pairings;
        let Pairing { first, second } = self.pairings[(pair % pairings) as usize];
        let (white, black) = match number.is_first_of_pair() {
            true => (first, second),
            false => (second, first),
        };
        Fixture {
            number,
            round,
            players: ByColor { white, black },
            opening: self.opening(round),
        }
    }

    /// The first game whose opening was played before, if the book is too short for the contest.
    pub fn exhausted_at(&self) -> Option<GameNumber> {
        let repeated = self.book_len < self.rounds;
        repeated.then(|| GameNumber(2 * self.book_len.get() * self.pairings.len() as u64))
    }

    fn opening(&self, round: u64) -> OpeningIndex {
        // Both terms are below the length of the book, and no book has 2^63 openings.
        let place = (self.start + round % self.book_len) % self.book_len;
        OpeningIndex(match &self.order {
            Order::Sequential => place,
            Order::Random(permutation) => permutation.at(place),
        })
    }
}

/// Every two of `engines` once, by the circle method (Berger tables): one engine stays, the others
/// walk round, and in each of the walk's positions everybody has one partner. An engine then never
/// waits long for its next game nor plays all of its games at once.
fn round_robin(engines: usize) -> Vec<Pairing> {
    // An odd number is made even by a partner whom nobody meets.
    let seats = engines + engines % 2;
    let walkers = seats - 1;
    (0..walkers)
        .flat_map(|tour| {
            let opposite =
                (1..seats / 2).map(move |i| ((tour + i) % walkers, (tour + walkers - i) % walkers));
            std::iter::once((tour, walkers)).chain(opposite)
        })
        .filter(|&(a, b)| a < engines && b < engines)
        .map(|(a, b)| Pairing {
            first: EngineId(a.min(b)),
            second: EngineId(a.max(b)),
        })
        .collect()
}

/// The first of `engines` against each of the others.
fn gauntlet(engines: usize) -> Vec<Pairing> {
    (1..engines)
        .map(|other| Pairing {
            first: EngineId(0),
            second: EngineId(other),
        })
        .collect()
}
