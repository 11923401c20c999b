//! The built-in engine as a program of its own, for benches and for other runners.

use std::process::ExitCode;

fn main() -> ExitCode {
    sparring::main(std::env::args().skip(1))
}
