//! Tests of `engine-core` through its public doors.

mod fen;
mod oracle;
mod perft_known;
mod perft_suites;
mod random_games;
mod rules_cases;
mod shared;
