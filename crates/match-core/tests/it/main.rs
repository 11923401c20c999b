//! Behaviour of match-core through its public doors.

mod adjudication;
mod blame;
mod cases;
mod clock;
mod contest;
mod cpu_list;
mod events;
mod evidence;
mod examination;
mod game;
mod game_clocks;
mod game_faults;
mod game_start;
mod greeting;
mod journal;
mod ledger;
mod limits;
mod pair_finder;
mod sample;
mod schedule;
mod simulation;
mod spec;
mod summary;
mod table;
mod words;
mod world;
