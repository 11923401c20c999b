//! Runs the real arbiter binary with real engines, as a user would.
//!
//! ```text
//! stage      a scratch folder and the mark by which everything started from it is known
//! program    the arbiter that is tested
//! run        one call of it: under way, then over
//! game       what its PGN says
//! install    what must be on the machine: engines, books
//! postgres   database servers in temporary folders
//! object_storage   a server that speaks S3, in a temporary folder
//! remains    processes that should be gone
//! ```

mod game;
mod install;
mod object_storage;
mod postgres;
mod program;
mod remains;
mod run;
mod stage;

pub use game::Game;
pub use install::{ETHEREAL, STOCKFISH, engine, repository, say_aloud, shared};
pub use object_storage::ObjectStorage;
pub use postgres::Postgres;
pub use program::path as program;
pub use run::{Run, Running};
pub use stage::Stage;

/// How long anything is waited for that should have happened long before.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);
