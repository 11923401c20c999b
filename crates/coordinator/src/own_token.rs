//! Tokens that a coordinator makes by itself, each in a file that only its owner can read.
//!
//! The file comes first. Who is killed before the token is worth anything has a file that is worth
//! nothing, and makes another one at the next start; the other way round nobody would ever know it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use fleet_api::{Scope, Secret};
use uuid::Uuid;

use crate::StoreError;
use crate::office::Office;

/// The token of who made the coordinator, in its folder; only its owner can read it.
pub const ADMIN_TOKEN: &str = "admin-token";

/// The token of the worker that runs beside it.
pub(crate) const WORKER_TOKEN: &str = "worker-token";

/// Why there is no token.
#[derive(Debug)]
pub(crate) enum OwnTokenError {
    File(io::Error),
    Store(StoreError),
}

/// Makes a token with `scope` for `owner` and keeps it in `path`.
pub(crate) async fn make(
    office: &Office,
    owner: &str,
    scope: Scope,
    path: &Path,
) -> Result<Secret, OwnTokenError> {
    let made = office.new_own_token(owner, scope).await;
    let (token, row) = made.map_err(OwnTokenError::Store)?;
    keep(path, &token).map_err(OwnTokenError::File)?;
    let kept = office.keep_own_token(row).await;
    kept.map_err(OwnTokenError::Store)?;
    Ok(token)
}

/// Writes a file that only its owner can read, whole or not at all.
fn keep(path: &Path, token: &str) -> io::Result<()> {
    let temporary = path.with_extension(Uuid::new_v4().to_string());
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&temporary)?;
    writeln!(file, "{token}")?;
    file.sync_all()?;
    fs::rename(&temporary, path)
}
