//! FEN, read and written.
//!
//! Read are standard FEN, X-FEN and Shredder-FEN, in any mixture: a castling letter `K` or `Q` (`k`,
//! `q`) means the side's own outermost rook on that side of its king, a file letter the rook on
//! that file. Letters may come in any order, but one right may be given only once. Blanks around and between fields may be
//! of any number. The counters may be missing (`0 1` is meant); move number 0, written by some
//! programs, is read as 1. Nothing may follow the last field.
//!
//! Written is X-FEN ([`FenStyle::XFen`]; equal to standard FEN unless an inner rook has a right) or
//! Shredder-FEN, which names every rook by its file.

use std::fmt::{self, Write};
use std::num::NonZeroU32;

use crate::{CastlingSide, Color, File, Piece, Position, PositionError, Rank, Role, Setup, Square};

/// How castling rights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FenStyle {
    /// `KQkq`, and a file letter only for a rook that is not the outermost on its side.
    #[default]
    XFen,
    /// Always the rook's file: `HAha`.
    Shredder,
}

/// Why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenError {
    /// A field that must be there is missing.
    Missing {
        /// Which field.
        field: &'static str,
    },
    /// The piece field has not eight ranks.
    RankCount {
        /// How many it has.
        found: usize,
    },
    /// A rank of the piece field has not eight squares.
    RankLength {
        /// The rank.
        rank: Rank,
        /// What it says.
        found: String,
    },
    /// A character that is neither a piece nor a digit from 1 to 8, or a digit after a digit.
    Piece {
        /// The rank it was found in.
        rank: Rank,
        /// The character.
        found: char,
    },
    /// The side to move is neither `w` nor `b`.
    Turn(String),
    /// The castling field is not `-` or letters `KQkq`, `A-H`, `a-h`.
    Castling(String),
    /// The castling field gives one right twice.
    CastlingRepeated(String),
    /// The en passant field is neither `-` nor a square.
    EnPassant(String),
    /// The half-move clock is not a number from 0 to 65535.
    HalfmoveClock(String),
    /// The move number is not a number from 0 to 4294967295.
    FullmoveNumber(String),
    /// Something follows the last field.
    Trailing(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { field } => write!(f, "the FEN ends before the {field}"),
            Self::RankCount { found } => write!(f, "the piece field has {found} ranks, not 8"),
            Self::RankLength { rank, found } => {
                write!(
                    f,
                    "rank {rank} of the piece field, `{found}`, has not 8 squares"
                )
            }
            Self::Piece { rank, found } => write!(
                f,
                "`{}` in rank {rank} of the piece field is neither one of `pnbrqkPNBRQK` nor a single digit `1` to `8`",
                found.escape_debug()
            ),
            Self::Turn(found) => write!(f, "the side to move is `{found}`, not `w` or `b`"),
            Self::Castling(found) => write!(
                f,
                "the castling field is `{found}`, not `-` or letters of `KQkq`, `A`-`H`, `a`-`h`"
            ),
            Self::CastlingRepeated(found) => {
                write!(f, "the castling field `{found}` gives one right twice")
            }
            Self::EnPassant(found) => {
                write!(f, "the en passant field is `{found}`, not `-` or a square")
            }
            Self::HalfmoveClock(found) => {
                write!(
                    f,
                    "the half-move clock is `{found}`, not a number from 0 to 65535"
                )
            }
            Self::FullmoveNumber(found) => {
                write!(
                    f,
                    "the move number is `{found}`, not a number from 0 to 4294967295"
                )
            }
            Self::Trailing(found) => write!(f, "`{found}` follows the last field of the FEN"),
        }
    }
}

impl std::error::Error for FenError {}

/// Why a FEN gives no legal position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenPositionError {
    /// It cannot be read.
    Fen(FenError),
    /// It can, but the position is impossible.
    Position(PositionError),
}

impl fmt::Display for FenPositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => error.fmt(f),
            Self::Position(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FenPositionError {}

impl Position {
    /// The position a FEN describes. What is read: see the [module](crate::fen).
    pub fn from_fen(fen: &str) -> Result<Self, FenPositionError> {
        let setup = Setup::from_fen(fen).map_err(FenPositionError::Fen)?;
        Self::from_setup(&setup).map_err(FenPositionError::Position)
    }

    /// The position as X-FEN, which is standard FEN unless an inner rook may castle.
    pub fn fen(&self) -> String {
        self.to_setup().fen(FenStyle::XFen)
    }

    /// The position as Shredder-FEN.
    pub fn fen_shredder(&self) -> String {
        self.to_setup().fen(FenStyle::Shredder)
    }
}

impl std::str::FromStr for Position {
    type Err = FenPositionError;

    fn from_str(fen: &str) -> Result<Self, FenPositionError> {
        Self::from_fen(fen)
    }
}

impl std::str::FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

impl Setup {
    /// Reads a FEN. What is read: see the [module](crate::fen).
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let mut field = |field| fields.next().ok_or(FenError::Missing { field });

        let board = read_board(field("piece field")?)?;
        let turn = match field("side to move")? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Turn(other.to_owned())),
        };
        let mut setup = Self {
            board,
            turn,
            ..Self::EMPTY
        };
        setup.read_castling(field("castling field")?)?;
        setup.en_passant = match field("en passant field")? {
            "-" => None,
            square => match square.parse() {
                Ok(square) => Some(square),
                Err(_) => return Err(FenError::EnPassant(square.to_owned())),
            },
        };
        if let Some(clock) = fields.next() {
            setup.halfmove_clock =
                read_counter(clock).ok_or_else(|| FenError::HalfmoveClock(clock.to_owned()))?;
        }
        if let Some(number) = fields.next() {
            let number: u32 =
                read_counter(number).ok_or_else(|| FenError::FullmoveNumber(number.to_owned()))?;
            setup.fullmove_number = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        }
        match fields.next() {
            None => Ok(setup),
            Some(more) => Err(FenError::Trailing(more.to_owned())),
        }
    }

    /// The setup as FEN.
    ///
    /// The en passant square is written as it stands here; that of a `Position` is only there when
    /// the capture is legal.
    pub fn fen(&self, style: FenStyle) -> String {
        let mut fen = String::with_capacity(80);
        self.write_board(&mut fen);
        fen.push(' ');
        fen.push(self.turn.char());
        fen.push(' ');
        self.write_castling(style, &mut fen);
        fen.push(' ');
        match self.en_passant {
            Some(square) => fen.extend([square.file().char(), square.rank().char()]),
            None => fen.push('-'),
        }
        let counters = write!(fen, " {} {}", self.halfmove_clock, self.fullmove_number);
        counters.expect("a string takes whatever is written");
        fen
    }

    fn read_castling(&mut self, field: &str) -> Result<(), FenError> {
        if field == "-" {
            return Ok(());
        }
        for letter in field.chars() {
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let (side, file) = match letter.to_ascii_lowercase() {
                'q' => (
                    CastlingSide::AFile,
                    self.outermost_rook(color, CastlingSide::AFile),
                ),
                'k' => (
                    CastlingSide::HFile,
                    self.outermost_rook(color, CastlingSide::HFile),
                ),
                other => {
                    let file = File::from_char(other)
                        .ok_or_else(|| FenError::Castling(field.to_owned()))?;
                    (self.side_of(color, file), file)
                }
            };
            let right = self.castling[color].get_mut(side);
            if right.is_some() {
                return Err(FenError::CastlingRepeated(field.to_owned()));
            }
            *right = Some(file);
        }
        Ok(())
    }

    fn write_castling(&self, style: FenStyle, fen: &mut String) {
        let before = fen.len();
        for color in Color::ALL {
            for side in [CastlingSide::HFile, CastlingSide::AFile] {
                let Some(file) = self.castling[color].get(side) else {
                    continue;
                };
                let outermost = self.outermost_rook(color, side) == file;
                let letter = match (style, side) {
                    (FenStyle::XFen, CastlingSide::HFile) if outermost => 'k',
                    (FenStyle::XFen, CastlingSide::AFile) if outermost => 'q',
                    _ => file.char(),
                };
                fen.push(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                });
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
    }

    /// The file of `color`'s rook farthest from its king on one side of it, on the back rank.
    ///
    /// Where there is no such rook, or no king to be beside, it is the corner's file, so that
    /// writing is the inverse of reading and `Position` finds the right without a rook.
    fn outermost_rook(&self, color: Color, side: CastlingSide) -> File {
        let is_rook = |&file: &File| self.stands_on_back_rank(color, Role::Rook, file);
        let king = self.back_rank_king(color);
        match side {
            CastlingSide::AFile => File::ALL
                .into_iter()
                .find(is_rook)
                .filter(|&rook| king.is_some_and(|king| rook < king))
                .unwrap_or(File::A),
            CastlingSide::HFile => File::ALL
                .into_iter()
                .rfind(is_rook)
                .filter(|&rook| king.is_some_and(|king| rook > king))
                .unwrap_or(File::H),
        }
    }

    /// On which side of the king a file is; without a king on the back rank, of which half it is.
    fn side_of(&self, color: Color, file: File) -> CastlingSide {
        if file < self.back_rank_king(color).unwrap_or(File::E) {
            CastlingSide::AFile
        } else {
            CastlingSide::HFile
        }
    }

    fn back_rank_king(&self, color: Color) -> Option<File> {
        let is_king = |&file: &File| self.stands_on_back_rank(color, Role::King, file);
        File::ALL.into_iter().find(is_king)
    }

    fn stands_on_back_rank(&self, color: Color, role: Role, file: File) -> bool {
        let square = Square::new(file, Rank::First.relative_to(color));
        self.piece_at(square) == Some(Piece { color, role })
    }

    fn write_board(&self, fen: &mut String) {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_at(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(&mut empty, fen);
                        fen.push(piece.char());
                    }
                }
            }
            push_empty(&mut empty, fen);
            if rank != Rank::First {
                fen.push('/');
            }
        }
    }
}

fn push_empty(count: &mut u8, fen: &mut String) {
    if *count > 0 {
        fen.push((b'0' + *count) as char);
        *count = 0;
    }
}

fn read_board(field: &str) -> Result<[Option<Piece>; 64], FenError> {
    let slashes = field.bytes().filter(|&byte| byte == b'/').count();
    if slashes != 7 {
        return Err(FenError::RankCount { found: slashes + 1 });
    }
    let mut board = [None; 64];
    for (rank, text) in Rank::ALL.into_iter().rev().zip(field.split('/')) {
        let squares = board.as_chunks_mut::<8>().0.get_mut(rank.index());
        read_rank(
            rank,
            text,
            squares.expect("a board has eight ranks of eight squares"),
        )?;
    }
    Ok(board)
}

fn read_rank(rank: Rank, text: &str, squares: &mut [Option<Piece>; 8]) -> Result<(), FenError> {
    let wrong_length = || FenError::RankLength {
        rank,
        found: text.to_owned(),
    };
    let mut file = 0;
    let mut after_digit = false;
    for (at, byte) in text.bytes().enumerate() {
        if byte.is_ascii_digit() {
            if !(b'1'..=b'8').contains(&byte) || after_digit {
                return Err(FenError::Piece {
                    rank,
                    found: byte as char,
                });
            }
            file += usize::from(byte - b'0');
        } else {
            let Some(piece) = Piece::from_char(byte as char) else {
                let found = text[at..].chars().next().unwrap_or_default();
                return Err(FenError::Piece { rank, found });
            };
            *squares.get_mut(file).ok_or_else(wrong_length)? = Some(piece);
            file += 1;
        }
        after_digit = byte.is_ascii_digit();
    }
    if file == 8 {
        Ok(())
    } else {
        Err(wrong_length())
    }
}

/// Digits only: `u32::from_str` would let a plus sign through.
fn read_counter<T: std::str::FromStr>(text: &str) -> Option<T> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}
