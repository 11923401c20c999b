//! A contest of engines as pure machines: clocks, limits, games, adjudication, schedule, ledger, events.

mod near;
mod splitmix;
mod talk;

pub mod adjudication;
pub mod clock;
pub mod contest;
pub mod event;
pub mod fault;
pub mod fixture;
pub mod game;
pub mod greeting;
pub mod ledger;
pub mod limits;
pub mod moment;
pub mod opening;
pub mod record;
pub mod rules;
pub mod schedule;
pub mod seat;
pub mod spec;
pub mod summary;
pub mod verdict;
