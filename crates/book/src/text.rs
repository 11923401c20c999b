//! The bytes of a book, read from any place by any thread.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

/// A file, or what is compiled in.
#[derive(Debug)]
pub(super) enum Text {
    File(File),
    Embedded(&'static [u8]),
}

impl Text {
    /// Reads from `offset` on. Readers do not disturb one another.
    pub(super) fn from(&self, offset: u64) -> FromOffset<'_> {
        FromOffset { text: self, offset }
    }
}

/// A reader that starts somewhere inside.
#[derive(Debug)]
pub(super) struct FromOffset<'a> {
    text: &'a Text,
    offset: u64,
}

impl Read for FromOffset<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match self.text {
            Text::File(file) => file.read_at(buffer, self.offset)?,
            Text::Embedded(bytes) => {
                let start = usize::try_from(self.offset)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                (&bytes[start..]).read(buffer)?
            }
        };
        self.offset += count as u64;
        Ok(count)
    }
}
