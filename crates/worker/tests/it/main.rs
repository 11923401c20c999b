//! A worker with real files, real programs and a small coordinator in the same process.

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

mod coordinator;
mod folder;
mod recipes;
mod work;
