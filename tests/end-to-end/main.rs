//! The real arbiter with real engines.

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

mod cases;
mod check;
mod deadlines;
mod faults;
mod host;
mod input;
mod interrupts;
mod matches;
mod paths;
mod placement;
mod sandbox;
mod vices;
mod wire;
mod workshop;
