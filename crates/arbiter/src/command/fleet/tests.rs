//! `arbiter tests`: what the coordinator has.

use fleet_api::TestLine;

use super::Connection;
use super::picture;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::table;

/// List the tests of a coordinator
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestsArgs {
    /// Print them as a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter tests --server http://127.0.0.1:7164 --token-file token
  arbiter tests --json";

pub(crate) fn run(args: &TestsArgs, printer: &Printer) -> Result<Exit, Failure> {
    let tests = args.connection.client()?.tests()?;
    if args.json {
        printer.data(picture::json(&tests));
    } else if tests.is_empty() {
        printer.talk("no tests; `arbiter submit SPEC.toml` makes one");
    } else {
        let head = ["id", "state", "owner", "pairs", "llr", "name"].map(str::to_owned);
        let rows: Vec<Vec<String>> = std::iter::once(head.to_vec())
            .chain(tests.iter().map(row))
            .collect();
        table::aligned(&rows)
            .into_iter()
            .for_each(|line| printer.data(line));
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
