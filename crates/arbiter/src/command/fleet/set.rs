//! `arbiter set` and `arbiter set-owner`: what tests and owners are to have.

use fleet_api::{ChangeTest, OwnerShare};

use super::Connection;
use super::picture::safe;
use crate::cli::finite;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Change priority, weight, tags or note of a test that is not over
///
/// Tests of higher priority are served first; above 0 it is for administrators. Within a class owners
/// share the fleet by their weights, and the tests of an owner share his part by theirs. It is for the
/// test's owner and for administrators.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SetArgs {
    /// Which test, as `submit` and `tests` print it
    #[arg(value_name = "ID")]
    id: String,

    /// Its class: higher ones are served first, -1000 to 1000
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    priority: Option<i64>,

    /// Its share of its owner's share, above 0
    #[arg(long, value_name = "W", value_parser = finite)]
    weight: Option<f64>,

    /// Words to find it by, with `,` between them; they replace those that it has
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    tags: Option<Vec<String>>,

    /// Free text; it replaces what it has
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter set ID --weight 3
  arbiter set ID --priority -1 --note 'when nothing else is to be done'
  arbiter set-owner ada --weight 2";

/// Give an owner another share of the fleet
///
/// Owners with tests to play share it by their weights, which are 1 unless this says otherwise. It is
/// for administrators.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SetOwnerArgs {
    /// Whose, as `tests` names owners
    #[arg(value_name = "NAME")]
    owner: String,

    /// Its share, above 0
    #[arg(long, value_name = "W", value_parser = finite)]
    weight: f64,

    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn set(args: &SetArgs, printer: &Printer) -> Result<Exit, Failure> {
    let change = ChangeTest {
        priority: args.priority,
        weight: args.weight,
        tags: args.tags.clone(),
        note: args.note.clone(),
    };
    let test = args.connection.client()?.change(&args.id, &change)?;
    let (priority, weight) = (test.priority, test.weight);
    printer.talk(format_args!(
        "test {} has priority {priority} and weight {weight}",
        args.id
    ));
    Ok(Exit::Done)
}

pub(crate) fn set_owner(args: &SetOwnerArgs, printer: &Printer) -> Result<Exit, Failure> {
    let share = OwnerShare {
        owner: args.owner.clone(),
        weight: args.weight,
    };
    args.connection.client()?.set_owner(&share)?;
    let (owner, weight) = (safe(&args.owner), args.weight);
    printer.talk(format_args!("{owner} has weight {weight}"));
    Ok(Exit::Done)
}
