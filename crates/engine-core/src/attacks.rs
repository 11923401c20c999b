//! Which squares a piece attacks from a square: tables for the steppers, arithmetic for the sliders.

use crate::{Bitboard, Color, Role, Square};

mod sliders;

pub use sliders::{bishop, rook};
pub(crate) use sliders::{bishop_rays, falling_line, file_line, rising_line, rook_rays};

type Table = [Bitboard; 64];

/// Files to the right and ranks up.
type Step = (i8, i8);

/// The ways of a queen, and the steps of a king.
const DIRECTIONS: [Step; 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

const JUMPS: [Step; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

static KNIGHT: Table = steps(&JUMPS);
static KING: Table = steps(&DIRECTIONS);
static PAWN: [Table; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];
static RAYS: [Table; 6] = rays_by_role();
static BETWEEN: [Table; 64] = lines(Reach::Between);
static LINE: [Table; 64] = lines(Reach::Whole);

/// What a knight on `square` attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// What a king on `square` attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// What a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// What a queen on `square` attacks when `occupied` squares stop her.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// What a piece of this role and colour on `square` attacks.
#[inline]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// What a piece of this role, but for a pawn, attacks from `square` on an empty board.
#[inline(always)]
pub(crate) fn rays(role: Role, square: Square) -> Bitboard {
    RAYS[role.index()][square.index()]
}

/// The squares strictly between two squares of one rank, file or diagonal; otherwise none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// All squares of the rank, file or diagonal that two different squares share; otherwise none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

const fn steps(steps: &[Step]) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            if let Some(to) = Square::wrapping(from).offset(files, ranks) {
                table[from as usize] = table[from as usize].with(to);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

const fn rays_by_role() -> [Table; 6] {
    let mut table = [[Bitboard::EMPTY; 64]; 6];
    let mut index = 0;
    while index < 64 {
        let square = Square::wrapping(index as u32);
        let (bishop, rook) = (bishop_rays(square), rook_rays(square));
        table[Role::Knight.index()][index] = KNIGHT[index];
        table[Role::Bishop.index()][index] = bishop;
        table[Role::Rook.index()][index] = rook;
        table[Role::Queen.index()][index] = Bitboard(bishop.0 | rook.0);
        table[Role::King.index()][index] = KING[index];
        index += 1;
    }
    table
}

#[derive(Clone, Copy)]
enum Reach {
    Between,
    Whole,
}

const fn lines(reach: Reach) -> [Table; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = DIRECTIONS[direction];
            let start = Square::wrapping(from);
            let whole =
                Bitboard(ray(start, files, ranks).0 | ray(start, -files, -ranks).0 | 1 << from);
            let mut passed = Bitboard::EMPTY;
            let mut at = start.offset(files, ranks);
            while let Some(to) = at {
                table[from as usize][to.index()] = match reach {
                    Reach::Between => passed,
                    Reach::Whole => whole,
                };
                passed = passed.with(to);
                at = to.offset(files, ranks);
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

/// The squares from `start`, not counting it, to the edge of the board.
const fn ray(start: Square, files: i8, ranks: i8) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let mut at = start.offset(files, ranks);
    while let Some(square) = at {
        squares = squares.with(square);
        at = square.offset(files, ranks);
    }
    squares
}
