//! Distributes tests to workers and counts every pair exactly once.
//!
//! ```text
//! http        routes, tokens, bodies; no chess, no statistics, no SQL
//!    |
//! office      what can be asked for: submit, act, lend, collect, show, tend
//!    |   \
//! store   fleet-core      SQL lives only in the one, decisions only in the other
//! ```
//!
//! A coordinator never starts an engine. What it was told it has stored before it answers, so it may be
//! killed at any moment, and several may share one PostgreSQL.

mod artifacts;
mod clock;
mod disk;
mod http;
mod limits;
mod lock;
mod office;
mod own_token;
mod password;
mod results;
mod secret;
mod server;
mod signing_secret;
mod store;

pub use artifacts::{Artifacts, BucketError};
pub use clock::Clock;
pub use disk::Disk;
pub use fleet_core::life::ApprovalPolicy;
pub use http::{DoorSettings, document};
pub use office::{Office, Settings};
pub use own_token::ADMIN_TOKEN;
pub use server::{Config, Server, ServerError, Stopper};
pub use store::{Store, StoreError};
