//! Which pairs of a test can be lent: those never lent, and those that came back unplayed.
//!
//! ```text
//! 0 ............ next ............ end
//!   lent before,      never lent
//!   holes: returned
//! ```
//!
//! A pair's opening follows from its number, so lending no number twice at a time is lending no
//! opening twice, whatever workers do.

/// Consecutive pairs of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairRange {
    /// The first.
    pub first: u64,
    /// How many; not 0.
    pub count: u64,
}

impl PairRange {
    /// The number after the last.
    pub const fn end(self) -> u64 {
        self.first + self.count
    }

    /// Whether `pair` is one of them.
    pub const fn contains(self, pair: u64) -> bool {
        self.first <= pair && pair < self.end()
    }
}

/// The pairs of a test that nobody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allotment {
    next: u64,
    end: u64,
    returned: Vec<PairRange>,
}

impl Allotment {
    /// Of a test with pairs below `end`, of which those below `next` were lent before and `returned`
    /// came back; these do not overlap.
    pub fn new(next: u64, end: u64, mut returned: Vec<PairRange>) -> Self {
        returned.sort_unstable();
        Self {
            next,
            end,
            returned,
        }
    }

    /// The first pair that was never lent.
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// What came back and was not lent again, in order.
    pub fn returned(&self) -> &[PairRange] {
        &self.returned
    }

    /// Pairs that can be lent.
    pub fn open(&self) -> u64 {
        self.returned.iter().map(|range| range.count).sum::<u64>()
            + self.end.saturating_sub(self.next)
    }

    /// Lends at most `most` pairs: the lowest of those that came back, else new ones.
    pub fn lend(&mut self, most: u64) -> Option<PairRange> {
        if most == 0 {
            return None;
        }
        if let Some(range) = self.returned.first_mut() {
            let count = range.count.min(most);
            let lent = PairRange {
                first: range.first,
                count,
            };
            range.first += count;
            range.count -= count;
            if range.count == 0 {
                self.returned.remove(0);
            }
            return Some(lent);
        }
        let count = self.end.saturating_sub(self.next).min(most);
        let lent = PairRange {
            first: self.next,
            count,
        };
        self.next += count;
        (count > 0).then_some(lent)
    }

    /// Lends `pair` no more, for its result has come: it was reported by somebody who was thought lost.
    /// Whether it was here.
    pub fn forget(&mut self, pair: u64) -> bool {
        let Some(place) = self.returned.iter().position(|range| range.contains(pair)) else {
            return false;
        };
        let range = self.returned.remove(place);
        let halves = [
            PairRange {
                first: pair + 1,
                count: range.end() - pair - 1,
            },
            PairRange {
                first: range.first,
                count: pair - range.first,
            },
        ];
        for half in halves.into_iter().filter(|half| half.count > 0) {
            self.returned.insert(place, half);
        }
        true
    }
}

/// The parts of a lease for which there is no result: what goes back when it ends.
pub fn unreported(lease: PairRange, reported: impl Fn(u64) -> bool) -> Vec<PairRange> {
    let mut holes: Vec<PairRange> = Vec::new();
    for pair in (lease.first..lease.end()).filter(|&pair| !reported(pair)) {
        match holes.last_mut() {
            Some(hole) if hole.end() == pair => hole.count += 1,
            _ => holes.push(PairRange {
                first: pair,
                count: 1,
            }),
        }
    }
    holes
}
