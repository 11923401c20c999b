//! Contests with small scripted engines, and the parts of a contest by themselves.

mod contests;
mod cores;
mod doctor;
mod faults;
mod pgn;
mod programs;
mod quitting;
mod rig;
mod shared;
mod shares;
mod tablebases;
