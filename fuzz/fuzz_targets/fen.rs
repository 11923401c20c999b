//! See `fuzzing::fen`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::fen::body(bytes));
