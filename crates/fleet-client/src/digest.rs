//! What a file is called by its content.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// The SHA-256 of what is written to it.
#[derive(Clone, Debug, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// The hash, in lower-case hexadecimal.
    pub fn finish(self) -> String {
        let bytes = self.0.finalize();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The hash of a file.
///
/// # Errors
/// When it cannot be read.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    let mut digest = Digest::default();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(digest.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_fips_180() {
        let mut digest = Digest::default();
        digest.write_all(b"abc").expect("memory takes all");
        assert_eq!(
            digest.finish(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
