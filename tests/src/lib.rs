//! Runs the real arbiter binary with real engines, as a user would.
