//! See `fuzzing::spec`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::spec::body(bytes));
