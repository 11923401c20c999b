//! What the dispatcher hears. These are no events: events are what it makes of them.

use std::sync::Arc;

use engine_core::Color;
use match_core::contest::Retry;
use match_core::fault::Fault;
use match_core::fixture::{EngineId, GameNumber};
use match_core::record::GameRecord;

/// From a slot, or from whoever interrupts.
#[derive(Debug)]
pub(crate) enum Message {
    /// The slot can take a game.
    Up { slot: usize },
    /// The slot's game is over; it can take another.
    GameOver {
        slot: usize,
        record: Arc<GameRecord>,
    },
    /// An engine did not start; its game was not played.
    StartFailed {
        slot: usize,
        engine: EngineId,
        text: String,
        retry: Retry,
    },
    /// A process was ended for a fault; the next game gets a fresh one.
    EngineRestarted {
        slot: usize,
        engine: EngineId,
        color: Color,
        fault: Option<Fault>,
    },
    /// Something odd.
    Warned {
        game: Option<GameNumber>,
        engine: Option<EngineId>,
        text: String,
    },
    /// The contest cannot go on, and no engine is to blame.
    Broken { text: String },
    /// Somebody wants us to stop.
    Interrupted,
    /// The slot's thread has ended.
    Down { slot: usize },
}
