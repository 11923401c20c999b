//! The command line. Parsing does nothing but record what was typed; what it means is decided
//! later and elsewhere.

use std::str::FromStr;

use clap::{Parser, Subcommand};

use crate::command::check::CheckArgs;
use crate::command::contest::MatchArgs;
use crate::command::doctor::DoctorArgs;
use crate::command::fleet::act::ActArgs;
use crate::command::fleet::aside::{BringBackArgs, SetAsideArgs};
use crate::command::fleet::audit::AuditArgs;
use crate::command::fleet::bar::{BarArgs, UnbarArgs};
use crate::command::fleet::games::GamesArgs;
use crate::command::fleet::login::{LoginArgs, LogoutArgs};
use crate::command::fleet::recount::RecountArgs;
use crate::command::fleet::set::{SetArgs, SetOwnerArgs};
use crate::command::fleet::show::ShowArgs;
use crate::command::fleet::submit::SubmitArgs;
use crate::command::fleet::tests::TestsArgs;
use crate::command::fleet::token::TokenCommand;
use crate::command::fleet::user::UserCommand;
use crate::command::fleet::watch::WatchArgs;
use crate::command::fleet::worker::WorkerArgs;
use crate::command::fleet::workers::WorkersArgs;
use crate::command::perft::PerftArgs;
use crate::command::pgn::PgnCommand;
use crate::command::plan::PlanArgs;
use crate::command::rate::RateArgs;
use crate::command::serve::ServeArgs;
use crate::command::stats::StatsArgs;
use crate::exit::{self, Exit};

/// Referees chess engines
///
/// arbiter plays UCI engines against each other under the laws of chess and real clocks, and says
/// with honest mathematics which one is stronger.
#[derive(Debug, Parser)]
#[command(version, after_help = tour(), max_term_width = 100, subcommand_required = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Match(Box<MatchArgs>),
    Stats(StatsArgs),
    Plan(PlanArgs),
    Rate(RateArgs),
    #[command(subcommand)]
    Pgn(PgnCommand),
    Perft(PerftArgs),
    Check(CheckArgs),
    Doctor(DoctorArgs),
    Serve(ServeArgs),
    Worker(WorkerArgs),
    Submit(SubmitArgs),
    Tests(TestsArgs),
    Show(ShowArgs),
    Watch(WatchArgs),
    Games(GamesArgs),
    Audit(AuditArgs),
    Workers(WorkersArgs),
    Bar(BarArgs),
    Unbar(UnbarArgs),
    Recount(RecountArgs),
    SetAside(SetAsideArgs),
    BringBack(BringBackArgs),
    Set(SetArgs),
    SetOwner(SetOwnerArgs),
    /// End a test; what was played stays
    Stop(ActArgs),
    /// Lend no more of a test for the time being
    Pause(ActArgs),
    /// Lend a paused test again
    Resume(ActArgs),
    /// Let somebody else's test run
    Approve(ActArgs),
    Login(LoginArgs),
    Logout(LogoutArgs),
    #[command(subcommand)]
    User(UserCommand),
    #[command(subcommand)]
    Token(TokenCommand),
    /// Be the built-in engine, which speaks UCI on standard input and output
    ///
    /// In a contest `sparring:5` is the built-in engine at level 5. `arbiter sparring --help` shows
    /// its options.
    #[command(disable_help_flag = true)]
    Sparring {
        /// What the engine makes of them is its own affair.
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "OPTIONS"
        )]
        words: Vec<String>,
    },
}

/// Records the command line of this process.
///
/// Help, the version and complaints are printed here; the `Err` is the code to end with.
pub(crate) fn parse() -> Result<Command, Exit> {
    Cli::try_parse().map(|cli| cli.command).map_err(|error| {
        let _nobody_to_tell = error.print();
        if error.use_stderr() {
            Exit::Usage
        } else {
            Exit::Done
        }
    })
}

fn tour() -> String {
    format!(
        "\
A tour:
  arbiter match configs/quickstart.toml            the built-in engine against itself
  arbiter match --engine ./new --engine ./old --each tc=8+0.08 --pairs 100 --pgn games.pgn
  arbiter match --engine ./new --engine ./old --each tc=8+0.08 --sprt 'elo0=0 elo1=2'
  arbiter stats --pentanomial 12,150,300,170,18    what do these results mean?
  arbiter plan --sprt 'elo0=0 elo1=2'              how long will such a test take?
  arbiter rate games.pgn                           how strong are the players of many games?
  arbiter pgn check games.pgn                      was every game played and scored by the laws?
  arbiter check ./new                              does an engine speak UCI as it should?
  arbiter doctor                                   is this machine fit to measure engines?
  arbiter worker --server http://HOST:PORT         play for a coordinator
  arbiter submit test.toml                         give a test to the fleet
  arbiter perft 6                                  is the move generator right, and how fast is it?

Exit codes:
{}",
        exit::TABLE
    )
}

/// Reads a number for clap; the standard library's words for a wrong one do not say what is allowed.
pub(crate) fn whole_number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse()
        .map_err(|_| "a whole number is allowed, not too large")
}

/// Reads what people are to call something by.
pub(crate) fn name(text: &str) -> Result<String, &'static str> {
    match (1..=128).contains(&text.len()) && !text.contains(char::is_control) {
        true => Ok(text.to_owned()),
        false => Err("a line of 1 to 128 bytes is allowed"),
    }
}

/// Reads a number for clap.
pub(crate) fn finite(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok();
    number
        .filter(|number: &f64| number.is_finite())
        .ok_or("a number is allowed")
}

/// Reads a number that is not 0 for clap.
pub(crate) fn count<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse()
        .map_err(|_| "a whole number from 1 is allowed, not too large")
}
