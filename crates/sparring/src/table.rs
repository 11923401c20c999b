//! The transposition table: what is known of positions that were searched before.

use engine_core::{Move, Role, Square};

/// A table of a fixed number of entries, indexed by the low bits of a position's key.
///
/// Entries are two plain words, so that a fresh table is zeroed memory that the system hands out
/// only when it is touched: starting an engine with a big table costs nothing.
#[derive(Clone, Debug)]
pub struct Table {
    slots: Vec<[u64; 2]>,
}

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Lower,
    Upper,
    Exact,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) best: Option<Move>,
    /// Mates count from this position, not from the root.
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl Table {
    /// A table of about `megabytes` (2^20 bytes), rounded down to a power of two of entries.
    pub fn new(megabytes: usize) -> Self {
        let entries = (megabytes.max(1) << 20) / size_of::<[u64; 2]>();
        let entries = 1 << entries.ilog2();
        Self {
            slots: vec![[0; 2]; entries],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots = vec![[0; 2]; self.slots.len()];
    }

    /// How full it is, per mille, judged by its first thousand entries.
    pub fn per_mille(&self) -> u32 {
        self.slots
            .iter()
            .take(1_000)
            .filter(|slot| slot[1] != 0)
            .count() as u32
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let [found, word] = self.slots[self.index(key)];
        if found == key {
            Entry::unpack(word)
        } else {
            None
        }
    }

    /// Replaces what is in the slot, unless that is of the same position and deeper.
    pub(crate) fn put(&mut self, key: u64, mut entry: Entry) {
        let index = self.index(key);
        let [found, word] = self.slots[index];
        if found == key
            && let Some(old) = Entry::unpack(word)
        {
            if entry.bound != Bound::Exact && old.depth > entry.depth + 2 {
                return;
            }
            entry.best = entry.best.or(old.best);
        }
        self.slots[index] = [key, entry.pack()];
    }

    const fn index(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}

/// From low to high: 16 bits of score, 8 of depth, 2 of bound (0 is an empty slot), 16 of move.
impl Entry {
    fn pack(self) -> u64 {
        let bound = match self.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        u64::from(self.score as i16 as u16)
            | u64::from(self.depth.clamp(0, 255) as u8) << 16
            | bound << 24
            | self.best.map_or(0, pack_move) << 26
    }

    fn unpack(word: u64) -> Option<Self> {
        Some(Self {
            bound: match word >> 24 & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                3 => Bound::Exact,
                _ => return None,
            },
            score: i32::from(word as u16 as i16),
            depth: i32::from((word >> 16) as u8),
            best: unpack_move(word >> 26),
        })
    }
}

/// Never 0, because no move stays where it is.
fn pack_move(mv: Move) -> u64 {
    let promotion = mv.promotion.map_or(0, |role| role.index() + 1);
    (mv.from.index() | mv.to.index() << 6 | promotion << 12) as u64
}

fn unpack_move(word: u64) -> Option<Move> {
    let field = |shift: u32, mask: u64| (word >> shift & mask) as usize;
    if word == 0 {
        return None;
    }
    Some(Move {
        from: Square::from_index(field(0, 63))?,
        to: Square::from_index(field(6, 63))?,
        promotion: field(12, 7).checked_sub(1).map(|index| Role::ALL[index]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_round_trip(entry: Entry) {
        let mut table = Table::new(1);
        table.put(12_345, entry);
        assert_eq!(table.get(12_345), Some(entry));
        assert_eq!(table.get(54_321), None);
    }

    #[test]
    fn an_entry_comes_back_as_it_went_in() {
        let quiet = Move::new(Square::A1, Square::B1);
        check_round_trip(Entry {
            best: Some(quiet),
            score: -29_990,
            depth: 0,
            bound: Bound::Upper,
        });
        let promotion = Move::promoting(Square::H7, Square::G8, Role::Knight);
        check_round_trip(Entry {
            best: Some(promotion),
            score: 29_990,
            depth: 99,
            bound: Bound::Exact,
        });
        check_round_trip(Entry {
            best: None,
            score: 0,
            depth: 255,
            bound: Bound::Lower,
        });
    }

    #[test]
    fn a_result_without_a_move_keeps_the_move_that_was_known() {
        let mut table = Table::new(1);
        let best = Some(Move::new(Square::E2, Square::E4));
        table.put(
            1,
            Entry {
                best,
                score: 5,
                depth: 3,
                bound: Bound::Exact,
            },
        );
        table.put(
            1,
            Entry {
                best: None,
                score: 9,
                depth: 4,
                bound: Bound::Upper,
            },
        );
        assert_eq!(
            table.get(1),
            Some(Entry {
                best,
                score: 9,
                depth: 4,
                bound: Bound::Upper
            })
        );
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = Table::new(1);
        table.put(
            1,
            Entry {
                best: None,
                score: 5,
                depth: 3,
                bound: Bound::Exact,
            },
        );
        assert_eq!(table.per_mille(), 1);
        table.clear();
        assert_eq!((table.get(1), table.per_mille()), (None, 0));
    }
}
