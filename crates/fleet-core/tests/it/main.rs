//! The fleet's machines through their public doors.

mod agent;
mod allotment;
mod cases;
mod evidence;
mod lease;
mod life;
mod pace;
mod planner;
mod recount;
mod set_aside;
mod standing;
mod test_spec;
mod trial;
