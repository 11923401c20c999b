//! `arbiter user`: who may do what at a coordinator.

use std::path::PathBuf;

use clap::Subcommand;
use fleet_api::{AuditEntry, ChangePassword, ChangeUser, NewUser, Scope, UserView};

use super::{Connection, password, picture};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::table;

/// Make, list and change the users of a coordinator
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum UserCommand {
    /// Make a user, who can log in with a password then
    Add {
        /// At most 64 letters, digits, `-`, `_` and `.`
        name: String,
        /// What it may: read, worker, submit, approve or admin; once for each
        #[arg(long, value_name = "SCOPE", required = true, value_delimiter = ',')]
        scope: Vec<Scope>,
        /// A file that holds the password; `-` is standard input [default: asked for]
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        connection: Connection,
    },
    /// List all users
    List {
        /// Print them as a JSON array
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        connection: Connection,
    },
    /// Set what a user may, tokens that it has included, or another password
    Set {
        /// Which user
        name: String,
        /// What it may from now on; once for each
        #[arg(long, value_name = "SCOPE", value_delimiter = ',')]
        scope: Vec<Scope>,
        /// Give it another password; it is asked for, and ends its logins
        #[arg(long)]
        password: bool,
        /// The same with a file that holds the password; `-` is standard input
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        connection: Connection,
    },
    /// Make a user and all its tokens worth nothing
    Disable(NameArgs),
    /// Let a disabled user in again
    Enable(NameArgs),
    /// Change your own password; your other logins end
    Password {
        /// A file that holds the old password in its first line and the new one in its second
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        connection: Connection,
    },
    /// Show who you are for the coordinator, and what your token allows
    Me {
        /// Print it as a JSON object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        connection: Connection,
    },
    /// Show what was done to users and tokens, by whom and when
    Audit {
        /// Print it as a JSON array
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        connection: Connection,
    },
}

/// Which user.
#[derive(Debug, clap::Args)]
pub(crate) struct NameArgs {
    /// Which user
    name: String,
    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter user add ada --scope submit,worker    asks for her password
  arbiter user list
  arbiter user set ada --scope submit,approve
  arbiter user disable ada
  arbiter user password                         your own";

pub(crate) fn run(command: &UserCommand, printer: &Printer) -> Result<Exit, Failure> {
    match command {
        UserCommand::Add {
            name,
            scope,
            password_file,
            connection,
        } => {
            let client = connection.client()?;
            let words = format!("password for {name}: ");
            let new = NewUser {
                name: name.clone(),
                password: password::read(password_file.as_deref(), &words, true)?,
                scopes: scope.clone(),
            };
            let user = client.add_user(&new)?;
            printer.talk(format_args!("user {} is made", user.name));
        }
        UserCommand::List { json, connection } => {
            let users = connection.client()?.users()?;
            match json {
                true => printer.data(picture::json(&users)),
                false => list(&users, printer),
            }
        }
        UserCommand::Set {
            name,
            scope,
            password,
            password_file,
            connection,
        } => {
            let client = connection.client()?;
            let words = format!("new password for {name}: ");
            let new = (*password || password_file.is_some())
                .then(|| password::read(password_file.as_deref(), &words, true))
                .transpose()?;
            let change = ChangeUser {
                scopes: (!scope.is_empty()).then(|| scope.clone()),
                disabled: None,
                password: new,
            };
            client.change_user(name, &change)?;
            printer.talk(format_args!("user {name} is changed"));
        }
        UserCommand::Disable(args) => switch(args, true, printer)?,
        UserCommand::Enable(args) => switch(args, false, printer)?,
        UserCommand::Password {
            password_file,
            connection,
        } => {
            let client = connection.client()?;
            let change = passwords(password_file.as_deref())?;
            client.change_password(&change)?;
            printer.talk("your password is changed");
        }
        UserCommand::Me { json, connection } => {
            let me = connection.client()?.whoami()?;
            match json {
                true => printer.data(picture::json(&me)),
                false => printer.data(format_args!("{} ({})", me.name, names(&me.scopes))),
            }
        }
        UserCommand::Audit { json, connection } => {
            let entries = connection.client()?.audit_of_users()?;
            match json {
                true => printer.data(picture::json(&entries)),
                false => entries.iter().for_each(|entry| printer.data(line(entry))),
            }
        }
    }
    Ok(Exit::Done)
}

fn switch(args: &NameArgs, disabled: bool, printer: &Printer) -> Result<(), Failure> {
    let change = ChangeUser {
        disabled: Some(disabled),
        ..ChangeUser::default()
    };
    args.connection.client()?.change_user(&args.name, &change)?;
    let now = if disabled { "disabled" } else { "enabled" };
    printer.talk(format_args!("user {} is {now}", args.name));
    Ok(())
}

fn passwords(file: Option<&std::path::Path>) -> Result<ChangePassword, Failure> {
    let Some(file) = file else {
        return Ok(ChangePassword {
            old: password::read(None, "password until now: ", false)?,
            new: password::read(None, "new password: ", true)?,
        });
    };
    let both = password::read(Some(file), "", false)?;
    let (old, new) = both.split_once('\n').unwrap_or((&both, ""));
    let secret = |text: &str| fleet_api::Secret(text.trim_end_matches('\r').to_owned());
    Ok(ChangePassword {
        old: secret(old),
        new: secret(new),
    })
}

fn list(users: &[UserView], printer: &Printer) {
    if users.is_empty() {
        printer.talk("no users; `arbiter user add NAME --scope SCOPE` makes one");
        return;
    }
    let head = ["name", "scopes", "state"];
    let rows = users.iter().map(|user| {
        let state = if user.disabled { "disabled" } else { "-" };
        vec![user.name.clone(), names(&user.scopes), state.to_owned()]
    });
    let lines = table::headed(head, rows);
    lines.into_iter().for_each(|line| printer.data(line));
}

/// Scopes in one word.
pub(super) fn names(scopes: &[Scope]) -> String {
    let names: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
    names.join(",")
}

/// A line of what was done.
pub(super) fn line(entry: &AuditEntry) -> String {
    let AuditEntry {
        at_ms,
        who,
        action,
        detail,
    } = entry;
    let at = picture::instant(*at_ms);
    let text = format!("{who}: {action} {detail}");
    format!("{at}  {}", picture::safe(text.trim_end()))
}
