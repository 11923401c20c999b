//! The laws of chess: board, legal moves, FEN, SAN, PGN, repetition, outcomes, perft.

mod color;
mod outcome;

pub use color::{ByColor, Color};
pub use outcome::{Ending, FlagPolicy, FlagPolicyError, Outcome};
