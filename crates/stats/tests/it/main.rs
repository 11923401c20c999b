//! The behaviour of `stats` through its public doors.
#![expect(
    clippy::unwrap_used,
    reason = "a test's helper may panic, as the test itself may"
)]

mod brownian;
mod curved;
mod elo;
mod estimate;
mod llr;
mod pentanomial;
mod shared;
mod sprt;
