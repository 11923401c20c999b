//! A machine of the fleet: claims leases, prepares engines, plays, reports, survives a dead network.
//!
//! ```text
//! worker     one thread that tells the agent (`fleet_core::agent`) what happened and does what it asks
//!   |- calls      a thread each, with a bound on its time
//!   |- player     prepares and plays a lease: cache, recipes, benches, the runner of `arbiter match`
//!   |    `- keeper     brings finished pairs into the spool and the journal
//!   `- home       the folder: identity, spool, cache; everything that outlives the process
//! ```
//!
//! Decisions are the agent's. What is here waits, sends, stores and starts programs. No part of it is
//! ever on an engine's clock.

mod alias;
mod bench;
mod cache;
mod facts;
mod home;
mod job;
mod journal;
mod keeper;
mod player;
mod prepare;
mod recipe;
mod removal;
mod room;
mod rules;
mod speed;
mod spool;
mod talk;
mod worker;

pub use talk::{Level, Talk};
pub use worker::{Config, Handle, Worker, WorkerError};
