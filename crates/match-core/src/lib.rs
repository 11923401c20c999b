//! A contest of engines as pure machines: clocks, limits, games, adjudication, schedule, ledger, events.
//!
//! Nothing here waits, writes or looks at a clock. Each machine is told what happened and when, and
//! asks for what is to be done, so that whole games and contests run in a test in no time, with every
//! fault that engines and hosts can have.
//!
//! ```text
//! machine.handle(at, input);                        // told
//! while let Some(output) = machine.poll() { .. }    // asks, until it is content
//! machine.wake_at();                                // when to come back if nothing happens
//! ```
//!
//! A [`contest`] gives out the [`fixture`]s of its [`schedule`]; a [`game`] plays one between two
//! [`seat`]s under [`rules`] and ends in a [`record`] with a [`verdict`]; the [`ledger`] is the set of
//! these, and every total in a [`summary`] is a fold over it. Who wants to know listens to [`event`]s;
//! kept in a [`journal`], they are all that is needed to go on after an interruption.

mod near;
mod splitmix;
mod talk;

pub mod adjudication;
pub mod blame;
pub mod clock;
pub mod contest;
pub mod cpu_list;
pub mod event;
pub mod evidence;
pub mod examination;
pub mod fault;
pub mod fixture;
pub mod game;
pub mod greeting;
pub mod journal;
pub mod ledger;
pub mod limits;
pub mod moment;
pub mod opening;
pub mod pair_finder;
pub mod record;
pub mod rules;
pub mod schedule;
pub mod seat;
pub mod spec;
pub mod summary;
pub mod verdict;
