//! The numbered start positions of Chess960.

use std::fmt;

use crate::{Bitboard, Color, File, Rank, Role, Square};

use super::{Board, Position};

/// The number of the standard start position.
pub(super) const STANDARD: u16 = 518;

/// How many start positions there are.
const COUNT: u16 = 960;

/// A number that no Chess960 start position has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartNumberError(pub u16);

impl fmt::Display for StartNumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Chess960 start position `{}` is not one of 0 to 959",
            self.0
        )
    }
}

impl std::error::Error for StartNumberError {}

impl Position {
    /// The Chess960 start position with this number, 0 to 959, in Reinhard Scharnagl's numbering
    /// (518 is standard chess).
    pub fn chess960_start(number: u16) -> Result<Self, StartNumberError> {
        Self::double_chess960_start(number, number)
    }

    /// The double Chess960 start position in which each side has a numbered back rank of its own.
    pub fn double_chess960_start(white: u16, black: u16) -> Result<Self, StartNumberError> {
        let mut position = Self {
            board: Board::EMPTY,
            castling: Bitboard::EMPTY,
            fullmove_number: 1,
            halfmove_clock: 0,
            en_passant: 0,
            turn: Color::White,
        };
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let rank = Rank::First.relative_to(color);
            for (file, role) in File::ALL.into_iter().zip(back_rank(number)?) {
                let square = Bitboard::from(Square::new(file, rank));
                position.board.put(color, role, square);
                position.castling |= square.only_if(role == Role::Rook);
            }
            let pawns = Bitboard::from_rank(Rank::Second.relative_to(color));
            position.board.put(color, Role::Pawn, pawns);
        }
        Ok(position)
    }
}

/// The roles on files a to h: the bishops by `n % 4` and `n / 4 % 4`, the queen by `n / 16 % 6`
/// among the free squares, the knights by `n / 96` among those, then rook, king, rook.
fn back_rank(number: u16) -> Result<[Role; 8], StartNumberError> {
    /// Which two of five free squares get the knights.
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    if number >= COUNT {
        return Err(StartNumberError(number));
    }
    let number = usize::from(number);
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(Role::Bishop);
    rank[number / 4 % 4 * 2] = Some(Role::Bishop);
    let free = |rank: &[Option<Role>; 8], nth: usize| {
        (0..8)
            .filter(|&file| rank[file].is_none())
            .nth(nth)
            .expect("that many squares are free")
    };
    rank[free(&rank, number / 16 % 6)] = Some(Role::Queen);
    let (first, second) = KNIGHTS[number / 96];
    // The later one first, so that it does not shift the count of the earlier.
    rank[free(&rank, second)] = Some(Role::Knight);
    rank[free(&rank, first)] = Some(Role::Knight);
    let mut left = [Role::Rook, Role::King, Role::Rook].into_iter();
    Ok(rank.map(|role| {
        role.or_else(|| left.next())
            .expect("three squares are left for three pieces")
    }))
}
