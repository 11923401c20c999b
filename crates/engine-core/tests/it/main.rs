//! Tests of `engine-core` through its public doors.

mod fen;
mod game;
mod oracle;
mod perft_known;
mod perft_suites;
mod pgn_cases;
mod pgn_check;
mod pgn_limits;
mod pgn_properties;
mod pgn_reading;
mod pgn_writing;
mod position;
mod random_games;
mod rules_cases;
mod san;
mod shared;
mod uci_move;
