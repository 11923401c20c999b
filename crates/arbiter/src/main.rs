//! `arbiter` referees chess engines: it plays them against each other under the laws of chess and
//! real clocks, and says which one is stronger.
//!
//! The binary decides little. It records what was typed ([`cli`]), hands it to the crate that does
//! the work ([`command`]), tells a person what happened ([`reporter`], [`printer`]) and ends with a
//! documented code ([`exit`]).

use std::process::ExitCode;

mod chart;
mod cli;
mod command;
mod exit;
mod failure;
mod games;
mod openings;
mod printer;
mod reporter;
mod strength;
mod table;

fn main() -> ExitCode {
    if let Some(exit) = command::backstage::play() {
        return exit;
    }
    let command = match cli::parse() {
        Ok(command) => command,
        Err(exit) => return exit.into(),
    };
    let printer = printer::Printer::new();
    command::run(command, &printer).unwrap_or_else(|failure| {
        printer.failure(&failure);
        failure.exit().into()
    })
}
