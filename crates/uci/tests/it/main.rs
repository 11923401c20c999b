//! The protocol through its public doors.

mod allocation;
mod cases;
mod command;
mod info;
mod option;
mod order;
mod session;
mod setting;
