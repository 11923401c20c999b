//! Pieces: a role and whose it is.

use std::fmt;

use crate::Color;

/// What a piece is, whoever owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Pawn. (The numbers begin at 1 so that `Option<Role>` can be all zero bits when it is `None`.)
    Pawn = 1,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

impl Role {
    /// All roles, pawn to king.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// What a pawn may become, the most wanted first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// 0 for a pawn to 5 for a king.
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The lower-case English letter: `p n b r q k`.
    pub const fn char(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The upper-case English letter, as SAN writes it.
    pub const fn upper_char(self) -> char {
        self.char().to_ascii_uppercase()
    }

    /// The role a letter of either case stands for.
    pub const fn from_char(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn char(self) -> char {
        match self.color {
            Color::White => self.role.upper_char(),
            Color::Black => self.role.char(),
        }
    }

    /// The piece a FEN letter stands for.
    pub const fn from_char(letter: char) -> Option<Self> {
        // A table, because the letters of a FEN follow no pattern that a processor could foresee.
        if letter.is_ascii() {
            FEN_LETTERS[letter as usize]
        } else {
            None
        }
    }
}

static FEN_LETTERS: [Option<Piece>; 128] = fen_letters();

const fn fen_letters() -> [Option<Piece>; 128] {
    let mut table = [None; 128];
    let mut index = 0;
    while index < 6 {
        let role = Role::ALL[index];
        table[role.upper_char() as usize] = Some(Piece {
            color: Color::White,
            role,
        });
        table[role.char() as usize] = Some(Piece {
            color: Color::Black,
            role,
        });
        index += 1;
    }
    table
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.char())
    }
}
