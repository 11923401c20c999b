//! The fleet's machines through their public doors.

mod agent;
mod allotment;
mod evidence;
mod lease;
mod life;
mod planner;
mod standing;
mod test_spec;
