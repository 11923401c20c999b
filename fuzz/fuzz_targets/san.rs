//! See `fuzzing::san`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::san::body(bytes));
