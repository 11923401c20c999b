//! See `fuzzing::epd`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::epd::body(bytes));
