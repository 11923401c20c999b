//! The small generator that decides the order of openings.
//!
//! It is our own so that no update of a dependency can change which opening a game number has: a
//! contest that was started last year must be resumable today.

/// SplitMix64 (Steele, Lea, Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014),
/// with the constants of Vigna's `splitmix64.c`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    /// The stream of numbers that `seed` decides; all seeds are good.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, uniform over all 64-bit values.
    pub(crate) const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
}

/// SplitMix64's output function: a bijection of 64-bit values in which every input bit changes
/// about half of the output bits.
pub(crate) const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_published_reference() {
        // The first outputs of `splitmix64.c` with x = 1234567.
        let mut stream = SplitMix::new(1_234_567);
        let drawn: Vec<u64> = (0..5).map(|_| stream.draw()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }
}
