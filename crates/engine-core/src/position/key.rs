//! The repetition key.

use super::Position;

/// Odd digits of pi in hexadecimal, 64 bits at a time: numbers with nothing up their sleeve.
const SALT: [u64; 7] = [
    0x243F_6A88_85A3_08D3,
    0x1319_8A2E_0370_7344,
    0xA409_3822_299F_31D0,
    0x082E_FA98_EC4E_6C89,
    0x4528_21E6_38D0_1377,
    0xBE54_66CF_34E9_0C6C,
    0xC0AC_29B7_C97C_50DD,
];

impl Position {
    /// A number that is the same for positions the repetition rule calls the same, and almost surely
    /// different for others. It never changes between runs, machines or builds.
    ///
    /// It is computed from the bit planes by four wide multiplications when asked for. The customary
    /// table of random numbers kept up to date with every move was not taken: it would cost perft
    /// and every other caller that never asks, and it is not faster for those who do.
    #[inline]
    pub fn key(&self) -> u64 {
        let board = &self.board;
        let state = u64::from(self.en_passant) << 1 | self.turn as u64;
        let roles = fold(board.diagonal.0 ^ SALT[0], board.straight.0 ^ SALT[1]);
        let colors = fold(board.step.0 ^ SALT[2], board.white.0 ^ SALT[3]);
        let rest = fold(self.castling.0 ^ SALT[4], state ^ SALT[5]);
        fold(roles ^ rest, colors ^ SALT[6])
    }
}

/// Both halves of the 128-bit product, folded together, as in wyhash's `mum`.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
