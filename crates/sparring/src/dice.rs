//! A small seeded generator, so that no dependency's update can change what a seed plays.

/// `SplitMix64` (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// The sequence that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub const fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// A number from 0 up to, not including, `end`.
    ///
    /// The bias of the multiplication is below `end / 2^64`: nothing for the size of a move list.
    ///
    /// # Panics
    /// If `end` is 0.
    pub const fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is no number below 0");
        ((self.roll() as u128 * end as u128) >> 64) as usize
    }
}

/// Scatters the bits of `value`: the same value always gives the same result.
pub(crate) const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_a_seed_is_that_of_the_reference_implementation() {
        let mut dice = Dice::new(1_234_567);
        let rolls = [dice.roll(), dice.roll(), dice.roll()];
        assert_eq!(
            rolls,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn numbers_stay_below_their_end_and_all_of_them_come() {
        let mut dice = Dice::new(7);
        let mut seen = [0; 5];
        for _ in 0..1_000 {
            seen[dice.below(5)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 150), "{seen:?}");
    }
}
