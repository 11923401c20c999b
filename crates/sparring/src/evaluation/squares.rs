//! The piece-square table: what each piece is worth on each square.
//!
//! Ours is made of few numbers instead of 768: a piece's value, plus what its rank is worth, plus
//! what its file is worth (files a to d; the others mirror them). Numbers are centipawns, chosen by
//! hand from what players know and settled by matches of the engine against itself.

use std::ops::{Add, Sub};

use engine_core::Role;

/// One number for the middlegame and one for the endgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tapered {
    pub(super) middle: i32,
    pub(super) end: i32,
}

pub(super) const fn tapered(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

impl Add for Tapered {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        tapered(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Tapered {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        tapered(self.middle - other.middle, self.end - other.end)
    }
}

/// By role, then by square as White sees the board.
pub(super) static WORTH: [[Tapered; 64]; 6] = {
    let mut worth = [[tapered(0, 0); 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            worth[role][square] = LINES[role].at(square);
            square += 1;
        }
        role += 1;
    }
    // What a sum of lines cannot say: centre pawns should be in the centre, not at home.
    let pawns = &mut worth[Role::Pawn.index()];
    let mut d_or_e = 3;
    while d_or_e <= 4 {
        pawns[8 + d_or_e].middle -= 14;
        pawns[24 + d_or_e].middle += 14;
        pawns[32 + d_or_e].middle += 8;
        d_or_e += 1;
    }
    worth
};

/// A role's value, and what its ranks (1 to 8) and files (a to d) add, middlegame then endgame.
struct Lines {
    value: Tapered,
    ranks: [[i32; 8]; 2],
    files: [[i32; 4]; 2],
}

impl Lines {
    const fn at(&self, square: usize) -> Tapered {
        let (rank, file) = (square / 8, square % 8);
        let file = if file < 4 { file } else { 7 - file };
        tapered(
            self.value.middle + self.ranks[0][rank] + self.files[0][file],
            self.value.end + self.ranks[1][rank] + self.files[1][file],
        )
    }
}

static LINES: [Lines; 6] = [
    // Pawn.
    Lines {
        value: tapered(85, 105),
        ranks: [[0, 0, -2, 4, 12, 30, 60, 0], [0, 0, 0, 6, 18, 40, 70, 0]],
        files: [[-10, 0, -2, 6], [4, 4, 0, -2]],
    },
    // Knight.
    Lines {
        value: tapered(330, 300),
        ranks: [
            [-28, -12, 4, 12, 20, 22, 0, -45],
            [-30, -14, 0, 10, 12, 4, -10, -30],
        ],
        files: [[-32, -8, 6, 12], [-26, -8, 4, 10]],
    },
    // Bishop.
    Lines {
        value: tapered(345, 310),
        ranks: [[-14, 4, 6, 8, 8, 8, -8, -18], [-10, -6, 0, 6, 6, 4, -2, -8]],
        files: [[-8, 4, 2, 4], [-8, -2, 2, 6]],
    },
    // Rook.
    Lines {
        value: tapered(470, 525),
        ranks: [
            [-2, -12, -12, -10, -2, 8, 24, 16],
            [-4, -4, -4, 2, 6, 8, 12, 10],
        ],
        files: [[-10, -6, 4, 10], [0, 2, 2, 0]],
    },
    // Queen.
    Lines {
        value: tapered(990, 950),
        ranks: [
            [-4, 2, 0, -4, -4, 2, -4, 4],
            [-28, -20, 0, 14, 20, 16, 14, 4],
        ],
        files: [[-4, 0, 0, 2], [-14, -4, 6, 12]],
    },
    // King.
    Lines {
        value: tapered(0, 0),
        ranks: [
            [16, 2, -24, -44, -52, -56, -60, -60],
            [-40, -14, 2, 14, 24, 24, 8, -24],
        ],
        files: [[12, 22, -6, -16], [-26, -6, 8, 14]],
    },
];
