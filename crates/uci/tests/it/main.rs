//! The protocol through its public doors.

#[test]
fn placeholder() {}
