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
    pub(super) fn new(read: R) -> Self {
        Self {
            read,
            window: vec![0; Self::WINDOW].into_boxed_slice(),
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
            match self.read.read(&mut self.window[self.end..]) {
                Ok(0) => self.exhausted = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The bytes ahead.
    #[inline(always)]
    pub(super) fn ahead(&self) -> &[u8] {
        &self.window[self.at..self.end]
    }

    /// The next byte.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.ahead().first().copied()
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
            if let Some(len) = find_either(ahead, b'\n', b'\r') {
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

/// Where the first of two bytes is, eight bytes at a time.
#[inline]
pub(super) fn find_either(text: &[u8], a: u8, b: u8) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xFF;
    const HIGHS: u64 = ONES << 7;
    // A byte of `word` is zero exactly where the lowest set bit of this is (Mycroft); higher ones
    // may be wrong, but only the lowest is looked at.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let (all_a, all_b) = (ONES * u64::from(a), ONES * u64::from(b));
    let mut chunks = text.chunks_exact(8);
    let mut at = 0;
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("chunks of eight"));
        let found = zero(word ^ all_a) | zero(word ^ all_b);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = chunks.remainder();
    let found = rest.iter().position(|&byte| byte == a || byte == b)?;
    Some(at + found)
}
