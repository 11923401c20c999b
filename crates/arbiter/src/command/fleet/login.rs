//! `arbiter login` and `logout`: a token for a password, where all commands find it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fleet_api::Login as Ask;
use fleet_client::Client;
use thiserror::Error;

use super::secret_file::{Unkept, keep};
use super::{Connection, ConnectionError, Login, folder, password, variable};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// The token's file, beside the login file.
const TOKEN: &str = "token";

/// Log in to a coordinator: get a token for a password
///
/// The token and the coordinator's address are kept in `~/.config/arbiter`, for you alone, where all other
/// commands find them. The password is asked for, and not shown; without a terminal it is read from
/// standard input.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LoginArgs {
    /// The coordinator's address, as `http://HOST:PORT` [env: ARBITER_SERVER]
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    /// Who you are there [default: your name on this machine]
    #[arg(long, value_name = "NAME")]
    user: Option<String>,

    /// A file that holds the password; `-` is standard input
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  arbiter login --server https://fleet.example.org --user ada
  pass show fleet | arbiter login --server http://192.168.1.5:7164
  arbiter logout";

/// Log out: end the token and forget it
#[derive(Debug, clap::Args)]
pub(crate) struct LogoutArgs {}

#[derive(Debug, Error)]
enum LoginError {
    #[error("who are you? `--user` is missing")]
    NoUser,
    #[error("there is no home folder to keep the token in")]
    NoHome,
}

pub(crate) fn run(args: &LoginArgs, printer: &Printer) -> Result<Exit, Failure> {
    let server = args
        .server
        .clone()
        .or_else(|| variable("ARBITER_SERVER"))
        .or(Login::find()?.server)
        .ok_or_else(|| Failure::usage(ConnectionError::NoServer))?;
    let name = args
        .user
        .clone()
        .or_else(|| variable("USER"))
        .ok_or_else(|| Failure::usage(LoginError::NoUser))?;
    let folder = folder().ok_or_else(|| Failure::usage(LoginError::NoHome))?;
    let client = Client::new(&server, None)?;
    let words = format!("password of {name} at {}: ", client.server());
    let password = password::read(args.password_file.as_deref(), &words, false)?;
    let login = client.log_in(&Ask { name, password })?;
    let token_file = folder.join(TOKEN);
    fs::create_dir_all(&folder).map_err(|e| unkept(&folder, e))?;
    keep(&token_file, &format!("{}\n", &*login.token))?;
    let server = toml_edit::Value::from(client.server());
    let text = format!("server = {server}\ntoken_file = \"{TOKEN}\"\n");
    keep(&folder.join("login.toml"), &text)?;
    let scopes: Vec<_> = login.scopes.iter().map(|scope| scope.name()).collect();
    printer.talk(format_args!(
        "logged in to {} with the scopes {}",
        client.server(),
        scopes.join(", ")
    ));
    Ok(Exit::Done)
}

pub(crate) fn logout(_: &LogoutArgs, printer: &Printer) -> Result<Exit, Failure> {
    let login = Login::find()?;
    let (Some(server), Some(token_file)) = (login.server, login.token_file) else {
        printer.talk("nobody is logged in");
        return Ok(Exit::Done);
    };
    let connection = Connection::of(server, token_file.clone());
    let client = connection.client()?;
    let ended = client
        .whoami()
        .and_then(|me| client.revoke_token(&me.token));
    let folder = folder().ok_or_else(|| Failure::usage(LoginError::NoHome))?;
    // A token of one's own, from elsewhere, stays where it is.
    let ours = folder.join(TOKEN);
    let files = [folder.join("login.toml"), ours.clone()];
    for path in files
        .iter()
        .filter(|path| **path != ours || token_file == ours)
    {
        fs::remove_file(path).map_err(|e| unkept(path, e))?;
    }
    match ended {
        Ok(()) => printer.talk(format_args!("logged out of {}", client.server())),
        Err(error) => printer.warning(format_args!(
            "the token is forgotten here, and may be worth something yet: {}",
            error.chain()
        )),
    }
    Ok(Exit::Done)
}

fn unkept(path: &Path, source: io::Error) -> Failure {
    let path = path.to_owned();
    Failure::usage(Unkept { path, source })
}
