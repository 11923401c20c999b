//! Chance.

/// Each kind of harm comes to a message with this probability.
const HARM: f64 = 0.2;

/// Numbers from a seed: SplitMix64 (Steele, Lea and Flood 2014).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    /// Whether one kind of harm comes to a message.
    pub(super) fn harm(&mut self) -> bool {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64 <= HARM
    }
}
