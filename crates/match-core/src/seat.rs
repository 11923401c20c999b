//! What an engine brings to a game.

use uci::Session;

use crate::limits::Limits;

/// An engine process that sits down to a game.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The conversation with it: a new one for a new process, or the one of its last game.
    pub session: Session,
    /// Bounds on its thinking.
    pub limits: Limits,
    /// UCI options to set in a process that is new, in this order but `Threads` first.
    pub options: Vec<(String, String)>,
}
