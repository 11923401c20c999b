//! The bytes of a PGN file through a window that moves over it.

use std::io::{self, ErrorKind, Read};

/// How many bytes [`Source::fill`] sees to. A word that does not fit is none of PGN's.
pub(super) const LOOKAHEAD: usize = 256;

/// A reader with a window of bytes ahead, which knows its line.
#[derive(Debug)]
pub(super) struct Source<R> {
    read: R,
    window: Box<[u8]>,
    /// The next byte in the window, and the end of what is filled.
    at: usize,
    end: usize,
    /// How many bytes of the input lie before the window.
    passed: u64,
    /// The line of the next byte, from 1.
    line: u64,
    exhausted: bool,
}

impl<R: Read> Source<R> {
    /// Large enough that system calls do not count, small enough for the nearest cache but one.
    const WINDOW: usize = 1 << 16;
    /// Zeros behind what is filled, so that eight bytes can be looked at anywhere.
    const PADDING: usize = 8;
    pub(super) fn new(read: R) -> Self {
        Self {
            read,
            window: vec![0; Self::WINDOW + Self::PADDING].into_boxed_slice(),
            at: 0,
            end: 0,
            passed: 0,
            line: 1,
            exhausted: false,
        }
    }

    /// Sees to it that at least [`LOOKAHEAD`] bytes are ahead, or all that are left.
    #[inline]
    pub(super) fn fill(&mut self) -> io::Result<()> {
        if self.end - self.at < LOOKAHEAD && !self.exhausted {
            self.refill()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn refill(&mut self) -> io::Result<()> {
        self.window.copy_within(self.at..self.end, 0);
        self.passed += self.at as u64;
        self.end -= self.at;
        self.at = 0;
        while self.end < LOOKAHEAD && !self.exhausted {
            match self.read.read(&mut self.window[self.end..Self::WINDOW]) {
                Ok(0) => self.exhausted = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.window[self.end..self.end + Self::PADDING].fill(0);
        Ok(())
    }

    /// The bytes ahead.
    #[inline(always)]
    pub(super) fn ahead(&self) -> &[u8] {
        &self.window[self.at..self.end]
    }

    /// The next eight bytes, zeros behind the end.
    #[inline(always)]
    pub(super) fn next_eight(&self) -> &[u8; 8] {
        let eight = self.window[self.at..].first_chunk();
        eight.expect("the padding is as long")
    }

    /// The next byte.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.ahead().first().copied()
    }

    /// Whether there is nothing ahead, after [`fill`](Self::fill).
    #[inline(always)]
    pub(super) fn is_exhausted(&self) -> bool {
        self.at == self.end
    }

    /// Passes over bytes that are ahead and contain no line end.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.at);
        self.at += count;
    }

    /// Passes over the line end that is next: LF, CRLF or CR.
    #[inline]
    pub(super) fn skip_line_end(&mut self) {
        self.line += 1;
        let len = if self.ahead().starts_with(b"\r\n") {
            2
        } else {
            1
        };
        self.skip(len);
    }

    /// Passes over the rest of the line, its end included, and hands what it says to `keep` piece by
    /// piece.
    pub(super) fn skip_line(&mut self, mut keep: impl FnMut(&[u8])) -> io::Result<()> {
        loop {
            self.fill()?;
            let ahead = self.ahead();
            if let Some(len) = find(ahead, [b'\n', b'\r']) {
                keep(&ahead[..len]);
                self.skip(len);
                self.fill()?;
                self.skip_line_end();
                return Ok(());
            }
            keep(ahead);
            let len = ahead.len();
            self.skip(len);
            if len == 0 {
                return Ok(());
            }
        }
    }

    /// The line of the next byte, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// How many bytes lie before the next one.
    pub(super) fn offset(&self) -> u64 {
        self.passed + self.at as u64
    }
}

/// Where the first byte is that is one of `wanted`, eight bytes at a time.
#[inline]
pub(super) fn find<const N: usize>(text: &[u8], wanted: [u8; N]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xFF;
    const HIGHS: u64 = ONES << 7;
    // Marks zero bytes with their highest bit (Mycroft). Above the lowest mark there may be false
    // ones, but only the lowest is looked at.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let patterns = wanted.map(|byte| ONES * u64::from(byte));
    let (chunks, rest) = text.as_chunks::<8>();
    for (index, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let found = patterns
            .iter()
            .fold(0, |found, pattern| found | zero(word ^ pattern));
        if found != 0 {
            return Some(8 * index + found.trailing_zeros() as usize / 8);
        }
    }
    let found = rest.iter().position(|byte| wanted.contains(byte))?;
    Some(text.len() - rest.len() + found)
}
