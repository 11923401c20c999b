//! A position as somebody described it: it may be impossible.

use std::num::NonZeroU32;

use crate::{Bitboard, ByColor, Color, File, Piece, Square};

/// Everything a FEN says, believed without a check.
///
/// A `Setup` may have no kings, pawns on the last rank or castling rights without rooks. Only a
/// [`Position`](crate::Position), made from it by [`Position::from_setup`](crate::Position::from_setup),
/// is known to be legal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands on each square, by square number.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The castling rights of both sides.
    pub castling: ByColor<CastlingRights>,
    /// The square a pawn has just passed over with a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, counted up after Black's.
    pub fullmove_number: NonZeroU32,
}

impl Setup {
    /// An empty board, White to move, no rights.
    pub const EMPTY: Self = Self {
        board: [None; 64],
        turn: Color::White,
        castling: ByColor {
            white: CastlingRights::NONE,
            black: CastlingRights::NONE,
        },
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: NonZeroU32::MIN,
    };

    /// What stands on `square`.
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The squares on which exactly this piece stands.
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        Square::all()
            .filter(|&square| self.piece_at(square) == Some(piece))
            .collect()
    }
}

/// The rights of one side to castle, as the files of the rooks on its back rank.
///
/// The a-side is the side on which king and rook end on c and d, the h-side where they end on g
/// and f, wherever they stood before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    /// The rook for castling towards the a-file ("queenside", "long").
    pub a_side: Option<File>,
    /// The rook for castling towards the h-file ("kingside", "short").
    pub h_side: Option<File>,
}

impl CastlingRights {
    /// No right.
    pub const NONE: Self = Self {
        a_side: None,
        h_side: None,
    };

    /// The rook's file on one side.
    pub const fn get(self, side: CastlingSide) -> Option<File> {
        match side {
            CastlingSide::AFile => self.a_side,
            CastlingSide::HFile => self.h_side,
        }
    }

    /// The rook's file on one side, to be changed.
    pub const fn get_mut(&mut self, side: CastlingSide) -> &mut Option<File> {
        match side {
            CastlingSide::AFile => &mut self.a_side,
            CastlingSide::HFile => &mut self.h_side,
        }
    }

    /// Whether there is no right at all.
    pub const fn is_none(self) -> bool {
        self.a_side.is_none() && self.h_side.is_none()
    }
}

/// Towards which edge a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// Long castling: the king ends on the c-file, the rook on the d-file.
    AFile,
    /// Short castling: the king ends on the g-file, the rook on the f-file.
    HFile,
}

impl CastlingSide {
    /// Both sides, the a-side first.
    pub const ALL: [Self; 2] = [Self::AFile, Self::HFile];

    /// The file on which the king ends.
    pub const fn king_target(self) -> File {
        match self {
            Self::AFile => File::C,
            Self::HFile => File::G,
        }
    }

    /// The file on which the rook ends.
    pub const fn rook_target(self) -> File {
        match self {
            Self::AFile => File::D,
            Self::HFile => File::F,
        }
    }
}
