//! `arbiter`: referees chess engines.

fn main() {}
