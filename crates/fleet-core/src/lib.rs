//! The fleet as pure machines: what is lent to whom, what is believed, when a test is over.
//!
//! Nothing here waits, sends, stores or looks at a clock, so a fleet of any size runs in a test in no
//! time, with every loss, repetition and death that networks and machines can have.
//!
//! A [`test`](test_spec) is a contest whose pairs are [lent](allotment) in ranges under
//! [`lease`]s that the [`planner`] gives out. What workers say is [`evidence`]: it is played again
//! under the laws before it counts. A [`standing`] is the fold over what was counted, and says when
//! the question is answered; [`life`] says who may do what to a test in which state, and
//! a [`trial`] what follows when hosts cannot make it ready;
//! at which [`pace`] each of them plays follows from its speed.

pub mod agent;
pub mod allotment;
pub mod crew;
pub mod evidence;
pub mod lease;
pub mod life;
pub mod pace;
pub mod planner;
pub mod recount;
pub mod standing;
pub mod test_spec;
pub mod timestamp;
pub mod trial;
