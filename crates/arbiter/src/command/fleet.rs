//! The commands that talk to a coordinator, and how they find it.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use coordinator::ADMIN_TOKEN;
use fleet_client::{CallError, Client, Trouble};
use serde::Deserialize;
use thiserror::Error;

use crate::command::serve::{ADDRESS, DATA};
use crate::exit::Exit;
use crate::failure::Failure;

pub(crate) mod act;
pub(crate) mod aside;
pub(crate) mod audit;
pub(crate) mod bar;
mod crew;
pub(crate) mod games;
pub(crate) mod login;
mod password;
mod picture;
pub(crate) mod recount;
mod secret_file;
pub(crate) mod set;
pub(crate) mod show;
pub(crate) mod submit;
pub(crate) mod tests;
pub(crate) mod token;
pub(crate) mod user;
pub(crate) mod watch;
pub(crate) mod worker;
pub(crate) mod workers;

/// Where the coordinator is, and by which token it knows us.
///
/// Flags win over the environment, which wins over the login file `~/.config/arbiter/login.toml` with
/// its lines `server = "..."` and `token_file = "..."`. If nothing says where it is, it is the one that
/// `arbiter serve` has started in this folder.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Coordinator")]
pub(crate) struct Connection {
    /// The coordinator's address, as `http://HOST:PORT` [env: ARBITER_SERVER]
    ///
    /// Without it the login file `~/.config/arbiter/login.toml` says so (`server = "http://..."` and
    /// `token_file = "..."`), or else it is the one that was started in this folder.
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    /// A file that holds the token [env: ARBITER_TOKEN_FILE]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// Why nobody is called.
#[derive(Debug, Error)]
enum ConnectionError {
    #[error("which coordinator? `--server` is missing")]
    NoServer,
    #[error("failed to read the token file `{}`", path.display())]
    TokenFile { path: PathBuf, source: io::Error },
    #[error("failed to read the login file `{}`", path.display())]
    LoginFile { path: PathBuf, source: io::Error },
    #[error("the login file `{}`: {message}", path.display())]
    Login { path: PathBuf, message: String },
}

/// What a login file says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Login {
    server: Option<String>,
    /// Relative to the file's own folder.
    token_file: Option<PathBuf>,
}

impl Connection {
    /// The coordinator at `server`.
    fn of(server: String, token_file: PathBuf) -> Self {
        Self {
            server: Some(server),
            token_file: Some(token_file),
        }
    }

    /// The coordinator that flags, environment or login file name.
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        let login = Login::find()?;
        let named = self.server.clone().or_else(|| variable("ARBITER_SERVER"));
        let token_file = self
            .token_file
            .clone()
            .or_else(|| variable("ARBITER_TOKEN_FILE").map(PathBuf::from));
        // A coordinator is shown no token but its own.
        let (server, its_token_file) = match (named, login.server) {
            (Some(named), known)
                if known.as_deref().is_none_or(|known| !is_same(known, &named)) =>
            {
                (Some(named), None)
            }
            (Some(server), _) | (None, Some(server)) => (Some(server), login.token_file),
            (None, None) => here(),
        };
        let token_file = token_file.or(its_token_file);
        let Some(server) = server else {
            let hint =
                "give `--server http://HOST:PORT`, set ARBITER_SERVER, or run `arbiter login`";
            return Err(Failure::usage(ConnectionError::NoServer).with_hint(Some(hint.into())));
        };
        let token = token_file.map(|path| {
            fs::read_to_string(&path)
                .map_err(|source| Failure::usage(ConnectionError::TokenFile { path, source }))
        });
        let token = token.transpose()?;
        Ok(Client::new(&server, token.as_deref())?)
    }
}

/// Where the login file is.
fn folder() -> Option<PathBuf> {
    variable("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| Path::new(&home).join(".config")))
        .map(|folder| folder.join("arbiter"))
}

impl Login {
    /// The login file's, if there is one.
    fn find() -> Result<Self, Failure> {
        let Some(path) = folder().map(|folder| folder.join("login.toml")) else {
            return Ok(Self::default());
        };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => {
                return Err(Failure::usage(ConnectionError::LoginFile { path, source }));
            }
        };
        let mut login: Self = toml::from_str(&text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            Failure::usage(ConnectionError::Login {
                path: path.clone(),
                message,
            })
        })?;
        if let (Some(token_file), Some(folder)) = (&mut login.token_file, path.parent()) {
            *token_file = folder.join(&token_file);
        }
        Ok(login)
    }
}

/// The coordinator that was started in this folder without `--data`, if one was, and its token.
fn here() -> (Option<String>, Option<PathBuf>) {
    let data = Path::new(DATA);
    let admin = data.join(ADMIN_TOKEN);
    match fs::read_to_string(data.join(ADDRESS)) {
        Ok(address) if admin.exists() => (Some(address), Some(admin)),
        _ => (None, None),
    }
}

/// Whether two addresses are the same but for what does not matter.
fn is_same(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|address| address.trim().trim_end_matches('/'));
    one.eq_ignore_ascii_case(other)
}

/// A variable of the environment that says something.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let exit = match error.trouble() {
            Trouble::Away => Exit::Unreachable,
            Trouble::Forbidden | Trouble::Gone | Trouble::Refused => Exit::Usage,
        };
        let hint = error.hint();
        Self::new(exit, error).with_hint(hint)
    }
}
