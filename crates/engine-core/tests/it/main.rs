//! Tests of `engine-core` through its public doors.

mod perft_known;
