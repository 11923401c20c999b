//! One file a subcommand: what it is told, and what it does.

use std::process::ExitCode;

use fleet_api::Action;

use crate::cli::Command;
use crate::failure::Failure;
use crate::printer::Printer;

pub(crate) mod backstage;
pub(crate) mod check;
pub(crate) mod contest;
pub(crate) mod doctor;
pub(crate) mod fleet;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod plan;
pub(crate) mod rate;
pub(crate) mod serve;
pub(crate) mod stats;

/// Carries out what was recorded.
pub(crate) fn run(command: Command, printer: &Printer) -> Result<ExitCode, Failure> {
    let exit = match command {
        Command::Match(args) => contest::run(&args, printer),
        Command::Check(args) => check::run(&args, printer),
        Command::Doctor(args) => doctor::run(&args, printer),
        Command::Perft(args) => perft::run(&args, printer),
        Command::Pgn(command) => pgn::run(&command, printer),
        Command::Stats(args) => stats::run(&args, printer),
        Command::Plan(args) => plan::run(&args, printer),
        Command::Rate(args) => rate::run(&args, printer),
        Command::Serve(args) => serve::run(&args, printer),
        Command::Worker(args) => fleet::worker::run(&args, printer),
        Command::Submit(args) => fleet::submit::run(&args, printer),
        Command::Tests(args) => fleet::tests::run(&args, printer),
        Command::Show(args) => fleet::show::run(&args, printer),
        Command::Watch(args) => fleet::watch::run(&args, printer),
        Command::Games(args) => fleet::games::run(&args, printer),
        Command::Audit(args) => fleet::audit::run(&args, printer),
        Command::Workers(args) => fleet::workers::run(&args, printer),
        Command::Bar(args) => fleet::bar::bar(&args, printer),
        Command::Unbar(args) => fleet::bar::unbar(&args, printer),
        Command::Recount(args) => fleet::recount::run(&args, printer),
        Command::SetAside(args) => fleet::aside::set_aside(&args, printer),
        Command::BringBack(args) => fleet::aside::bring_back(&args, printer),
        Command::Set(args) => fleet::set::set(&args, printer),
        Command::SetOwner(args) => fleet::set::set_owner(&args, printer),
        Command::Stop(args) => fleet::act::run(Action::Stop, &args, printer),
        Command::Pause(args) => fleet::act::run(Action::Pause, &args, printer),
        Command::Resume(args) => fleet::act::run(Action::Resume, &args, printer),
        Command::Approve(args) => fleet::act::run(Action::Approve, &args, printer),
        Command::Login(args) => fleet::login::run(&args, printer),
        Command::Logout(args) => fleet::login::logout(&args, printer),
        Command::User(command) => fleet::user::run(&command, printer),
        Command::Token(command) => fleet::token::run(&command, printer),
        Command::Sparring { words } => return Ok(sparring::main(words)),
    }?;
    printer.close()?;
    Ok(exit.into())
}
