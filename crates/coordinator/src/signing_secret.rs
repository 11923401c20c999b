//! What a coordinator knows and its database does not: passwords are hashed with it, so that whoever has
//! got hold of the database alone cannot even try to guess one.
//!
//! Coordinators that share a database need the same one; the database has its fingerprint.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::secret::hex;

/// Its file in the coordinator's folder.
pub(crate) const FILE: &str = "signing-secret";

/// 256 bits of chance, as hexadecimal digits.
const DIGITS: usize = 64;

/// The secret.
#[derive(Clone)]
pub(crate) struct SigningSecret(Arc<str>);

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret")
    }
}

impl SigningSecret {
    /// A new one.
    pub(crate) fn new() -> Self {
        let mut bytes = [0; DIGITS / 2];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        Self(hex(&bytes).into())
    }

    /// The one in `folder`, which is made if there is none.
    ///
    /// # Errors
    /// When it can neither be read nor made, or is none.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        let path = folder.join(FILE);
        if !path.exists() {
            make(&path)?;
        }
        let text = fs::read_to_string(&path)?;
        Self::read(text.trim()).ok_or_else(|| {
            let text = format!("`{FILE}` has not {DIGITS} hexadecimal digits");
            io::Error::new(io::ErrorKind::InvalidData, text)
        })
    }

    fn read(text: &str) -> Option<Self> {
        let is_one = text.len() == DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit());
        is_one.then(|| Self(text.into()))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// By which it is known without being told.
    pub(crate) fn fingerprint(&self) -> String {
        hex(&Sha256::digest(format!("fingerprint {}", self.0)))
    }
}

/// Makes the file, whole or not at all; that of somebody who was faster stays.
fn make(path: &Path) -> io::Result<()> {
    let temporary = path.with_extension(Uuid::new_v4().to_string());
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&temporary)?;
    writeln!(file, "{}", SigningSecret::new().0)?;
    file.sync_all()?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
