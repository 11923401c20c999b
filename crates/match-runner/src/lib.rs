//! Plays contests here and now: engine processes, slots, the real clock, tablebases, reporters.
//!
//! ```text
//! prepare    programs, book, tablebases, every engine greeted once
//!    |
//! run        the thread of the reporters                            <- interrupts
//!    |                   ^  events
//! dispatch   the contest machine behind a lock
//!    |  orders           ^  news
//! slots      a thread each: two engines, one wait, the game machine
//!    |
//! processes  `arbiter __launch` and then the engine, in a group of its own
//! ```
//!
//! Decisions are made in `match-core`; what is here carries them out. Nothing that a reporter, the disk
//! or another slot does is ever on an engine's clock.

pub mod cores;
pub mod doctor;
pub mod guard;
pub mod journal;
pub mod launch;
pub mod reporter;
pub mod sandbox;

mod arena;
mod backlog;
mod census;
mod chain;
mod descriptors;
mod dispatch;
mod errand;
mod examine;
mod host;
mod interrupt;
mod leash;
mod orders;
mod orphans;
mod prepare;
mod process;
mod program;
mod pulse;
mod run;
mod schedstat;
mod slot;
mod tablebase;
mod wall;

pub use book::{Book, BookError};
pub use errand::{Errand, Watch};
pub use examine::{Examined, examine};
pub use host::{Host, Program};
pub use interrupt::Interrupts;
pub use leash::Leash;
pub use prepare::{ErrorKind, PrepareError, Prepared, Warning, prepare, prepare_after};
pub use program::{Lookup, ProgramError};
pub use reporter::{ReportError, Reporter};
pub use run::Finished;
pub use tablebase::{SyzygyTables, TablebaseError};
