//! From a setup to a position, or the reason why not.

use std::fmt;

use crate::movegen::{Black, Side, White};
use crate::{Bitboard, CastlingSide, Color, File, Piece, Rank, Role, Setup, Square};

use super::{Board, Position};

/// Why a setup is not a position one can play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// A side has no king, or more than one.
    Kings {
        /// Which side.
        color: Color,
        /// How many kings it has.
        found: u32,
    },
    /// A pawn stands on the first or eighth rank.
    Pawn(Square),
    /// The side that has just moved left its king attacked (or next to the other king).
    KingCapturable {
        /// The side that has just moved.
        color: Color,
        /// Its king.
        king: Square,
    },
    /// A castling right of a king that is not on its back rank.
    CastlingKing {
        /// The side that has the right.
        color: Color,
        /// Its king.
        king: Square,
    },
    /// A castling right without a rook of the side.
    CastlingRook {
        /// The side that has the right.
        color: Color,
        /// Where the rook should be.
        rook: Square,
    },
    /// A castling right with a rook that is on the other side of the king.
    CastlingSide {
        /// The side that has the right.
        color: Color,
        /// The rook.
        rook: Square,
    },
    /// An en passant square over which no pawn can have passed just now.
    EnPassant(Square),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings { color, found: 0 } => write!(f, "{color} has no king"),
            Self::Kings { color, found } => write!(f, "{color} has {found} kings, not one"),
            Self::Pawn(square) => write!(f, "a pawn stands on `{square}`, a last rank"),
            Self::KingCapturable { color, king } => write!(
                f,
                "the {color} king on `{king}` is attacked, and it is {}'s turn to move",
                !color
            ),
            Self::CastlingKing { color, king } => write!(
                f,
                "{color} may castle, but its king is on `{king}`, not on its back rank"
            ),
            Self::CastlingRook { color, rook } => {
                write!(
                    f,
                    "{color} may castle with a rook on `{rook}`, but has none there"
                )
            }
            Self::CastlingSide { color, rook } => write!(
                f,
                "{color} may castle with the rook on `{rook}`, but it is on the other side of the king"
            ),
            Self::EnPassant(square) => write!(
                f,
                "the en passant square is `{square}`, but no pawn can just have passed over it"
            ),
        }
    }
}

impl std::error::Error for PositionError {}

pub(super) fn position(setup: &Setup) -> Result<Position, PositionError> {
    let mut position = Position {
        board: board(setup)?,
        castling: Bitboard::EMPTY,
        fullmove_number: setup.fullmove_number.get(),
        halfmove_clock: setup.halfmove_clock,
        en_passant: 0,
        turn: setup.turn,
    };
    let waiting = !setup.turn;
    let king = position.king(waiting);
    if position
        .attackers_to(king, position.occupied(), setup.turn)
        .any()
    {
        return Err(PositionError::KingCapturable {
            color: waiting,
            king,
        });
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(file) = setup.castling[color].get(side) {
                position.castling |= castling_rook(&position, color, side, file)?.into();
            }
        }
    }
    if let Some(square) = setup.en_passant {
        position.en_passant = match setup.turn {
            Color::White => en_passant::<White>(&position, square)?,
            Color::Black => en_passant::<Black>(&position, square)?,
        };
    }
    Ok(position)
}

fn board(setup: &Setup) -> Result<Board, PositionError> {
    let mut board = Board::EMPTY;
    for (square, piece) in Square::all().zip(setup.board) {
        if let Some(Piece { color, role }) = piece {
            board.put(color, role, square.into());
        }
    }
    for color in Color::ALL {
        let found = (board.roles(Role::King) & board.colored(color)).count();
        if found != 1 {
            return Err(PositionError::Kings { color, found });
        }
    }
    let last_ranks = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
    match (board.roles(Role::Pawn) & last_ranks).first() {
        Some(square) => Err(PositionError::Pawn(square)),
        None => Ok(board),
    }
}

fn castling_rook(
    position: &Position,
    color: Color,
    side: CastlingSide,
    file: File,
) -> Result<Square, PositionError> {
    let rank = Rank::First.relative_to(color);
    let (king, rook) = (position.king(color), Square::new(file, rank));
    if king.rank() != rank {
        return Err(PositionError::CastlingKing { color, king });
    }
    if !position.pieces(color, Role::Rook).contains(rook) {
        return Err(PositionError::CastlingRook { color, rook });
    }
    if (rook < king) != (side == CastlingSide::AFile) {
        return Err(PositionError::CastlingSide { color, rook });
    }
    Ok(rook)
}

/// The number to keep for the en passant square of a position whose side to move is `S`.
fn en_passant<S: Side>(position: &Position, square: Square) -> Result<u8, PositionError> {
    let passed = Bitboard::from(square);
    let origin = S::forward(passed);
    let pawn = S::Opponent::forward(passed);
    let possible = square.rank() == Rank::Sixth.relative_to(S::COLOR)
        && ((passed | origin) & position.occupied()).is_empty()
        && (pawn & position.pieces(S::Opponent::COLOR, Role::Pawn)).any();
    if !possible {
        return Err(PositionError::EnPassant(square));
    }
    let capturable = position.en_passant_origins::<S>(square).any();
    Ok(if capturable { square.index() as u8 } else { 0 })
}
