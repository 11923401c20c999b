//! See `fuzzing::uci`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::uci::body(bytes));
