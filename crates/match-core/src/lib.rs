//! A contest of engines as pure machines: clocks, limits, games, adjudication, schedule, ledger, events.

mod near;
mod splitmix;

pub mod adjudication;
pub mod fault;
pub mod fixture;
pub mod limits;
pub mod moment;
pub mod opening;
pub mod record;
pub mod spec;
pub mod verdict;
