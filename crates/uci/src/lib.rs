//! The Universal Chess Interface: its words and the order in which they may come, both sides of it.
//!
//! Strings in, strings out: no IO, no time and no chess. A move is text here, and whether it is
//! legal is for others to say. A referee keeps one [`Session`] for each engine process, asks it for
//! the bytes of each [`Command`] and shows it every line that the engine prints. An engine reads
//! with [`Command::parse`] and answers with [`Reply`], [`Info`] and [`OptionDecl`].
//!
//! ```text
//! Fresh -uci-> Greeting -uciok-> Idle <-> Syncing (isready, readyok)
//!                                Idle -go-> Searching -bestmove-> Idle
//!                                           Searching -stop-> Stopping -bestmove-> Idle
//! any -quit-> Quit
//! ```
//!
//! To send a command out of that order is a bug of ours, a [`Misuse`]. To hear a reply out of that
//! order is a fact about the engine, a [`Surprise`]. Neither changes anything.

mod command;
mod info;
mod option;
mod options;
mod reply;
mod report;
mod session;
mod words;

pub use command::{Command, Go};
pub use info::{Bound, Info, Score};
pub use option::{OptionDecl, OptionError, OptionKind};
pub use options::{Options, Setting, SettingError};
pub use reply::Reply;
pub use report::SearchReport;
pub use session::{Heard, Misuse, Phase, Session, Surprise};
