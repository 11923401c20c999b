//! Tokens: made of chance, kept as hashes.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// What every token begins with, so that one that got where it should not be is found.
const PREFIX: &str = "arb_";

/// A new token with 256 bits of chance.
pub(crate) fn token() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    format!("{PREFIX}{}", hex(&bytes))
}

/// What is kept of a token. It has too much chance in it to be guessed, so a slow hash would protect nothing.
pub(crate) fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// Bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}
