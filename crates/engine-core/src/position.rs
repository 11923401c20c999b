//! A legal position and the questions one can ask it.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::{Bitboard, ByColor, Color, Piece, Role, Setup, Square};

mod board;
mod castling;
mod key;
mod legality;
mod play;
mod start;
mod validate;

pub(crate) use board::Board;
pub(crate) use castling::castling_ways;
pub use play::IllegalMove;
pub use start::StartNumberError;
pub use validate::PositionError;

/// A position that can be played on: one king a side, the side that has just moved not in check,
/// castling rights only with king and rook in place, the en passant square only when it can be
/// captured on.
///
/// Two positions are equal when the repetition rule calls them the same: equal pieces, side to
/// move, castling rights and legal en passant capture. The two counters do not take part; compare
/// [`halfmove_clock`](Self::halfmove_clock) and [`fullmove_number`](Self::fullmove_number) beside
/// it where they matter.
///
/// It is 48 bytes, `Copy` and has no history; repetition is for whoever keeps the game.
#[derive(Clone, Copy)]
pub struct Position {
    pub(crate) board: Board,
    /// The rooks that may still castle, of both sides.
    pub(crate) castling: Bitboard,
    pub(crate) fullmove_number: u32,
    pub(crate) halfmove_clock: u16,
    /// The number of the en passant square; 0 when there is none, for `a1` is never one.
    pub(crate) en_passant: u8,
    pub(crate) turn: Color,
}

impl Position {
    /// The start position of standard chess.
    pub fn startpos() -> Self {
        Self::chess960_start(start::STANDARD).expect("518 is below 960")
    }

    /// Checks a setup. What is refused: see [`PositionError`].
    ///
    /// An en passant square that fits the board but on which no capture is legal is dropped.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        validate::position(setup)
    }

    /// The position as plain data.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup {
            turn: self.turn,
            castling: ByColor::new_with(|color| self.castling_rights(color)),
            en_passant: self.ep_square(),
            halfmove_clock: self.halfmove_clock,
            ..Setup::EMPTY
        };
        if let Some(number) = std::num::NonZeroU32::new(self.fullmove_number) {
            setup.fullmove_number = number;
        }
        for square in self.occupied() {
            setup.board[square.index()] = self.piece_at(square);
        }
        setup
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// What stands on `square`.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.board.role_at(square)?;
        let color = if self.board.white.contains(square) {
            Color::White
        } else {
            Color::Black
        };
        Some(Piece { color, role })
    }

    /// The role of what stands on `square`.
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.board.role_at(square)
    }

    /// The squares that are not empty.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The squares of one side's pieces.
    #[inline(always)]
    pub fn colored(&self, color: Color) -> Bitboard {
        self.board.colored(color)
    }

    /// The squares of both sides' pieces of one role.
    #[inline(always)]
    pub fn roles(&self, role: Role) -> Bitboard {
        self.board.roles(role)
    }

    /// The squares of one side's pieces of one role.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.roles(role) & self.colored(color)
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// The pieces of `color` that attack `square`, were the board occupied as `occupied` says.
    ///
    /// Pinned pieces attack like any other. A pawn attacks diagonally, whatever stands there.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard, color: Color) -> Bitboard {
        self.board.attackers_to(square, occupied, color)
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.attackers_to(self.king(self.turn), self.occupied(), !self.turn)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// The square on which a pawn can legally be captured en passant.
    #[inline(always)]
    pub fn ep_square(&self) -> Option<Square> {
        match self.en_passant {
            0 => None,
            index => Some(Square::wrapping(u32::from(index))),
        }
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, from 1, counted up after Black's.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Whether the side to move is in check and has no legal move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_moves()
    }

    /// Whether the side to move is not in check and has no legal move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_moves()
    }

    /// Whether neither side can ever mate, by material alone: bare kings, one knight in all, or any
    /// number of bishops of either side that all stand on one colour of square.
    pub fn is_insufficient_material(&self) -> bool {
        let board = &self.board;
        let kings = board.roles(Role::King);
        let others = board.occupied() - kings;
        let bishops = board.roles(Role::Bishop);
        let only_bishops = others == bishops
            && ((bishops & Bitboard::DARK).is_empty() || (bishops & Bitboard::LIGHT).is_empty());
        let one_knight = others == board.roles(Role::Knight) && !others.several();
        only_bishops || one_knight
    }
}

impl TryFrom<&Setup> for Position {
    type Error = PositionError;

    fn try_from(setup: &Setup) -> Result<Self, PositionError> {
        Self::from_setup(setup)
    }
}

impl TryFrom<Setup> for Position {
    type Error = PositionError;

    fn try_from(setup: Setup) -> Result<Self, PositionError> {
        Self::from_setup(&setup)
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        position.to_setup()
    }
}

impl Default for Position {
    /// The start position of standard chess.
    fn default() -> Self {
        Self::startpos()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.castling == other.castling
            && self.en_passant == other.en_passant
            && self.turn == other.turn
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}
