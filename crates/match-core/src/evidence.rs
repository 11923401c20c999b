//! What is left of a game that ended by a fault, for the person who is to mend the engine.

use std::sync::Arc;

use engine_core::ByColor;

use crate::moment::Moment;
use crate::record::GameRecord;

mod text;

/// A game that an engine has forfeited, and what both engines said last.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The game.
    pub record: Arc<GameRecord>,
    /// What is known of each engine.
    pub engines: ByColor<Testimony>,
}

/// What is known of an engine after the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Testimony {
    /// How its process ended; `None` if it runs.
    pub end: Option<String>,
    /// The end of what it wrote to stderr, as it wrote it.
    pub errors: Vec<u8>,
    /// The last lines that it said and was told, in their order.
    pub talk: Vec<Utterance>,
}

/// A line, or a piece of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// When it was read, or when it had left our hands.
    pub at: Moment,
    /// Who said it.
    pub by: Speaker,
    /// Its bytes without the line end; of a long line only the beginning and the end.
    pub head: Vec<u8>,
    /// The end of a long line.
    pub tail: Vec<u8>,
    /// How many bytes are missing between the two.
    pub left_out: usize,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The engine, to us.
    Engine,
    /// We, to the engine.
    Referee,
}
