//! The protocol through its public doors.

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

mod allocation;
mod cases;
mod command;
mod info;
mod option;
mod order;
mod session;
mod setting;
