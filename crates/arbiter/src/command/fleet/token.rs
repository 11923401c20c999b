//! `arbiter token`: tokens of a coordinator.

use std::path::PathBuf;

use clap::Subcommand;
use fleet_api::{NewToken, Scope, TokenView};

use super::user::names;
use super::{Connection, picture, secret_file};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::table;

/// Make, list and revoke tokens of a coordinator
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum TokenCommand {
    /// Make a token and print it, this once
    Add {
        /// Whose it will be
        user: String,
        /// What it allows: read, worker, submit, approve or admin; once for each
        #[arg(long, value_name = "SCOPE", required = true, value_delimiter = ',')]
        scope: Vec<Scope>,
        /// After so many days it is worth nothing [default: never]
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires_in_days: Option<u32>,
        /// Write it to a new file, for you alone, and do not print it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        connection: Connection,
    },
    /// List your tokens, or with the scope `admin` everybody's; never the secrets
    List {
        /// Print them as a JSON array
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        connection: Connection,
    },
    /// Take a token's worth away
    Revoke {
        /// Which, as `add` and `list` print it; not the token itself
        id: String,
        #[command(flatten)]
        connection: Connection,
    },
}

const EXAMPLES: &str = "\
Examples:
  arbiter token add attic --scope worker --out token
  arbiter token add ci --scope submit --expires-in-days 90
  arbiter token list
  arbiter token revoke ID";

pub(crate) fn run(command: &TokenCommand, printer: &Printer) -> Result<Exit, Failure> {
    match command {
        TokenCommand::Add {
            user,
            scope,
            expires_in_days,
            out,
            connection,
        } => {
            let wanted = NewToken {
                user: user.clone(),
                scopes: scope.clone(),
                expires_in_days: *expires_in_days,
            };
            let made = connection.client()?.make_token(&wanted)?;
            match out {
                Some(path) => secret_file::keep(path, &format!("{}\n", &*made.token))?,
                None => printer.data(&*made.token),
            }
            printer.talk(format_args!("the token is called {}", made.id));
        }
        TokenCommand::List { json, connection } => {
            let tokens = connection.client()?.tokens()?;
            match json {
                true => printer.data(picture::json(&tokens)),
                false => list(&tokens, printer),
            }
        }
        TokenCommand::Revoke { id, connection } => {
            connection.client()?.revoke_token(id)?;
            printer.talk(format_args!("token {id} is revoked"));
        }
    }
    Ok(Exit::Done)
}

fn list(tokens: &[TokenView], printer: &Printer) {
    let head = ["id", "user", "scopes", "made", "ends"];
    let rows = tokens.iter().map(|token| {
        vec![
            token.id.clone(),
            token.user.clone(),
            names(&token.scopes),
            picture::instant(token.created_ms),
            token
                .expires_ms
                .map_or_else(|| "never".to_owned(), picture::instant),
        ]
    });
    let lines = table::headed(head, rows);
    lines.into_iter().for_each(|line| printer.data(line));
}
