//! Whole commands of the real binary: what a person types, sees and gets back.

#![expect(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "these are tests: what is wrong shall be loud"
)]

mod bench;
mod by_opening;
mod configs;
mod contest;
mod errors;
mod exit_codes;
mod fleet;
mod help;
mod perft;
mod pgn_check;
mod plan;
mod rate;
mod readme;
mod stats;
mod terminal;
