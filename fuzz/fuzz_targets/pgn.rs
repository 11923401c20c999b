//! See `fuzzing::pgn`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::pgn::body(bytes));
