//! `arbiter tests`: what the coordinator has.

use fleet_api::{State, TestLine, WhichTests};

use super::Connection;
use super::picture;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::table;

/// List the tests of a coordinator, newest first
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestsArgs {
    /// Those in this state: submitted, queued, paused, accepted, rejected, finished or stopped
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Option<State>,

    /// Those of this owner
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,

    /// So many at most, 1 to 1000 [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: Option<u32>,

    /// Those that follow this one in the list: the next page
    #[arg(long, value_name = "ID")]
    after: Option<String>,

    /// Print them as a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter tests --server http://127.0.0.1:7164 --token-file token
  arbiter tests --state queued --owner ada
  arbiter tests --limit 20 --json";

fn state(name: &str) -> Result<State, String> {
    State::named(name).ok_or_else(|| {
        let names = State::ALL.map(State::name).join("`, `");
        format!("`{name}` is not a state: one of `{names}`")
    })
}

pub(crate) fn run(args: &TestsArgs, printer: &Printer) -> Result<Exit, Failure> {
    let which = WhichTests {
        state: args.state,
        owner: args.owner.clone(),
        limit: args.limit,
        after: args.after.clone(),
    };
    let tests = args.connection.client()?.tests(&which)?;
    if args.json {
        printer.data(picture::json(&tests));
    } else if tests.is_empty() && which != WhichTests::default() {
        printer.talk("no such tests");
    } else if tests.is_empty() {
        printer.talk("no tests; `arbiter submit SPEC.toml` makes one");
    } else {
        let head = ["id", "state", "owner", "pairs", "llr", "name"];
        let lines = table::headed(head, tests.iter().map(row));
        lines.into_iter().for_each(|line| printer.data(line));
    }
    Ok(Exit::Done)
}

fn row(test: &TestLine) -> Vec<String> {
    vec![
        test.id.clone(),
        test.state.name().to_owned(),
        picture::safe(&test.owner),
        picture::of_all(test.pairs, test.pairs_wanted),
        test.llr
            .map_or_else(|| "-".to_owned(), |llr| format!("{llr:.2}")),
        picture::safe(&test.name),
    ]
}
