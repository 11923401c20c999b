//! The behaviour of `stats` through its public doors.
#![expect(
    clippy::unwrap_used,
    reason = "a test's helper may panic, as the test itself may"
)]

mod brownian;
mod curved;
mod elo;
mod estimate;
mod heterogeneity;
mod llr;
mod openings;
mod overshoot;
mod pentanomial;
mod plan;
mod rating;
mod reference;
mod shared;
mod sprt;
