//! Tests of `engine-core` through its public doors.

mod oracle;
mod perft_known;
mod perft_suites;
mod shared;
