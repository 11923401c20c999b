//! Files by their content.

use std::fmt::Write;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Large enough that reading costs nothing beside hashing.
const BUFFER_BYTES: usize = 64 * 1024;

/// SHA-256 of all that `reader` has, in hexadecimal digits.
///
/// # Errors
/// When it cannot be read.
pub fn sha256(mut reader: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => hasher.update(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mut text = String::with_capacity(64);
    for byte in hasher.finalize() {
        write!(text, "{byte:02x}").expect("a string takes all");
    }
    Ok(text)
}
