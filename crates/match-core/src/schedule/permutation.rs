//! A shuffled book without the memory that shuffling takes.

use std::num::NonZeroU64;

use crate::splitmix::{SplitMix, mix};

/// A permutation of `0..len` that a seed decides and that is computed place by place: the
/// swap-or-not shuffle (Hoang, Morris, Rogaway, *An Enciphering Scheme Based on a Card Shuffle*,
/// CRYPTO 2012).
///
/// In each round all values are paired off by a random reflection, `value <-> pivot - value`, and a
/// coin for each two of them says whether they change places. Unlike a Feistel network it is a
/// bijection of exactly `0..len`, and tiny books are shuffled as well as large ones: twelve rounds
/// of Feistel with cycle walking clearly preferred some orders of five openings.
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    len: NonZeroU64,
    rounds: [Round; ROUNDS],
}

#[derive(Clone, Copy, Debug)]
struct Round {
    pivot: u64,
    coins: u64,
}

/// A value meets its place in every round with a fresh coin: after 64 of them the chance that the
/// coins never moved it is 2^-64. All of it takes a fifth of a microsecond.
const ROUNDS: usize = 64;

impl Permutation {
    pub(super) fn new(seed: u64, len: NonZeroU64) -> Self {
        let mut stream = SplitMix::new(seed);
        let rounds = [(); ROUNDS].map(|()| Round {
            pivot: stream.draw() % len,
            coins: stream.draw(),
        });
        Self { len, rounds }
    }

    /// What stands at `place`.
    pub(super) fn at(&self, place: u64) -> u64 {
        let len = self.len.get();
        debug_assert!(place < len);
        self.rounds.iter().fold(place, |value, round| {
            let partner = match round.pivot.checked_sub(value) {
                Some(partner) => partner,
                None => len - (value - round.pivot),
            };
            let coin = mix(value.max(partner) ^ round.coins) & 1;
            if coin == 1 { partner } else { value }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn permutation(seed: u64, len: u64) -> Permutation {
        Permutation::new(seed, NonZeroU64::new(len).expect("not 0"))
    }

    fn all(seed: u64, len: u64) -> Vec<u64> {
        let permutation = permutation(seed, len);
        (0..len).map(|place| permutation.at(place)).collect()
    }

    proptest! {
        #[test]
        fn every_opening_has_one_place(seed: u64, len in 1_u64..3000) {
            let mut values = all(seed, len);
            values.sort_unstable();
            prop_assert_eq!(values, (0..len).collect::<Vec<_>>());
        }

        #[test]
        fn a_huge_book_is_permuted_too(seed: u64, len in 1_u64.., place: u64) {
            prop_assert!(permutation(seed, len).at(place % len) < len);
        }
    }

    #[test]
    fn the_order_never_changes_from_one_version_to_the_next() {
        assert_eq!(all(1, 10), [9, 0, 7, 4, 5, 8, 6, 1, 3, 2]);
        assert_eq!(all(2, 10), [2, 0, 3, 5, 4, 9, 7, 8, 6, 1]);
        assert_eq!(all(1, 1), [0]);
    }

    /// The 120 orders of five openings over 24,000 seeds, and the fewer orders of fewer: chi-square
    /// below its 99.9 % quantile.
    #[test]
    fn all_orders_of_a_tiny_book_are_equally_frequent() {
        for (len, orders, quantile) in [(2, 2, 10.8), (3, 6, 20.5), (4, 24, 49.7), (5, 120, 172.0)]
        {
            let mut counts = BTreeMap::new();
            for seed in 0..24_000 {
                *counts.entry(all(seed, len)).or_insert(0.0) += 1.0;
            }
            let expected = 24_000.0 / f64::from(orders);
            let chi_square: f64 = counts
                .values()
                .map(|count: &f64| (count - expected).powi(2) / expected)
                .sum();
            assert_eq!(counts.len(), orders as usize);
            assert!(chi_square < quantile, "{len} openings: {chi_square}");
        }
    }

    /// Neighbours in the book are no neighbours in play, and early openings do not come early.
    #[test]
    fn a_shuffled_book_has_no_trace_of_its_order() {
        let values = all(1, 10_000);
        let kept = values.windows(2).filter(|w| w[1] == w[0] + 1).count();
        assert!(kept <= 5, "{kept} neighbours, expected is 1");
        let first_half = values[..5000].iter().filter(|&&value| value < 5000).count();
        // The standard deviation of this hypergeometric count is 25.
        assert!(first_half.abs_diff(2500) < 100, "{first_half}");
    }
}
