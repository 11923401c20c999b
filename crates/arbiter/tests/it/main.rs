//! Whole commands of the real binary: what a person types, sees and gets back.

mod bench;
mod configs;
mod contest;
mod errors;
mod exit_codes;
mod help;
mod perft;
mod pgn_check;
mod readme;
