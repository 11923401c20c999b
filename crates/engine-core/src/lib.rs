//! The laws of chess: board, legal moves, FEN, SAN, PGN, repetition, outcomes, perft.
//!
//! A [`Setup`] is a position as somebody described it and may be impossible; a [`Position`] can be
//! played on, always. Chess960 is the general case throughout: castling rights are rooks, and
//! castling is "king takes own rook". Nothing here reads a clock, a file or a random number, and the
//! crate depends on no other.
//!
//! ```
//! use engine_core::{Move, Position, Square};
//!
//! let mut position = Position::startpos();
//! position.play(Move::new(Square::E2, Square::E4))?;
//! assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert_eq!(position.legal_moves().len(), 20);
//! # Ok::<(), engine_core::IllegalMove>(())
//! ```

mod bitboard;
mod color;
mod moves;
mod piece;
mod square;

pub mod attacks;
pub mod fen;
mod movegen;
mod position;
mod setup;

pub mod game;
mod outcome;
pub mod pgn;
pub mod san;
mod short_text;
pub mod uci_move;

pub mod perft;

pub use bitboard::{Bitboard, Squares};
pub use color::{ByColor, Color};
pub use fen::{FenError, FenPositionError, FenStyle};
pub use game::Game;
pub use moves::{Move, MoveList};
pub use outcome::{Ending, FlagPolicy, FlagPolicyError, Outcome, cannot_mate, flag_fall};
pub use perft::{perft, perft_divide};
pub use piece::{Piece, Role};
pub use position::{IllegalMove, Position, PositionError, StartNumberError};
pub use san::{PieceMove, San, SanError};
pub use setup::{CastlingRights, CastlingSide, Setup};
pub use short_text::ShortText;
pub use square::{File, Rank, Square, SquareError};
pub use uci_move::{CastlingStyle, UciMoveError};
