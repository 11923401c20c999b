//! The real arbiter with real engines.

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

mod cases;
mod check;
mod companion;
mod deadlines;
mod doors;
mod faults;
mod fleet;
mod growth;
mod host;
mod input;
mod interrupts;
mod matches;
mod paths;
mod placement;
mod resume;
mod resume_files;
mod resume_refused;
mod sandbox;
mod siege;
mod sudden_death;
mod vices;
mod wire;
mod worker;
mod workshop;
