//! The behaviour of `stats` through its public doors.

mod elo;
mod pentanomial;
mod shared;
