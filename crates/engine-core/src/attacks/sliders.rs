//! Attacks of bishops and rooks.

use crate::{Bitboard, Square};

use super::{Table, ray};

static FILES: Table = crossing(0, 1);
static RANKS: Table = crossing(1, 0);
static RISING: Table = crossing(1, 1);
static FALLING: Table = crossing(1, -1);

/// What a bishop on `square` attacks when `occupied` squares stop it.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    along(&RISING, square, occupied) | along(&FALLING, square, occupied)
}

/// What a rook on `square` attacks when `occupied` squares stop it.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    along(&FILES, square, occupied) | along(&RANKS, square, occupied)
}

/// The difference trick: subtracting the slider from the blockers flips the bits up to the first
/// blocker; the other direction is the same on the mirrored board.
#[inline(always)]
fn along(lines: &Table, square: Square, occupied: Bitboard) -> Bitboard {
    let line = lines[square.index()].0;
    let slider = 1u64 << square.index();
    let blockers = occupied.0 & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers
        .reverse_bits()
        .wrapping_sub(slider.reverse_bits() << 1)
        .reverse_bits();
    Bitboard((up ^ down) & line)
}

/// For each square the line through it in one direction and its opposite, without the square.
const fn crossing(files: i8, ranks: i8) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let square = Square::wrapping(from);
        table[from as usize] =
            Bitboard(ray(square, files, ranks).0 | ray(square, -files, -ranks).0);
        from += 1;
    }
    table
}

/// The file through a square, without it.
#[inline(always)]
pub(crate) fn file_line(square: Square) -> Bitboard {
    FILES[square.index()]
}

/// The diagonal through a square that rises towards h8, without the square.
#[inline(always)]
pub(crate) fn rising_line(square: Square) -> Bitboard {
    RISING[square.index()]
}

/// The diagonal through a square that falls towards h1, without the square.
#[inline(always)]
pub(crate) fn falling_line(square: Square) -> Bitboard {
    FALLING[square.index()]
}
