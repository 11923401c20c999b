//! Changes to an input that a seed decides: the poor man's fuzzer.

use std::ops::Range;

/// Chance from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Chance(pub u64);

impl Chance {
    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    /// A part of something that is so long; short parts are more likely.
    fn part(&mut self, len: usize) -> Range<usize> {
        let start = self.below(len + 1);
        let most = 1 << self.below(7);
        start..(start + self.below(most + 1)).min(len)
    }

    /// `input` with a few changes; `others` are what parts are taken from.
    pub fn change(&mut self, input: &[u8], others: &[&[u8]]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..=self.below(4) {
            let part = self.part(bytes.len());
            match self.below(7) {
                0 => drop(bytes.drain(part)),
                1 => {
                    let copy = bytes[part].to_vec();
                    let place = self.below(bytes.len() + 1);
                    drop(bytes.splice(place..place, copy));
                }
                2 => {
                    let other = others[self.below(others.len())];
                    let theirs = self.part(other.len());
                    drop(bytes.splice(part, other[theirs].iter().copied()));
                }
                3 => bytes.insert(part.start, self.below(256) as u8),
                4 => {
                    const SIGNS: &[u8] = b" \t\r\n\0-+=/.,;:#\"'[]{}()<>\\%$*0123456789\xff\xc3";
                    let sign = SIGNS[self.below(SIGNS.len())];
                    drop(bytes.splice(part, [sign]));
                }
                5 => {
                    if let Some(byte) = bytes.get_mut(part.start) {
                        *byte ^= 1 << self.below(8);
                    }
                }
                _ => bytes.truncate(part.end.max(bytes.len() / 2)),
            }
        }
        bytes
    }
}
