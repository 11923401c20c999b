//! Text short enough to live on the stack.

use std::fmt;
use std::ops::Deref;

/// Up to eight ASCII characters: every UCI move and every SAN move fits (`Qh4xe1#` is the longest
/// kind). Derefs to `str`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortText {
    bytes: [u8; 8],
    len: u8,
}

impl ShortText {
    pub(crate) const EMPTY: Self = Self {
        bytes: [0; 8],
        len: 0,
    };

    /// Appends a character known to be ASCII, where there is known to be room.
    #[inline]
    pub(crate) fn push(&mut self, letter: char) {
        debug_assert!(letter.is_ascii());
        self.bytes[usize::from(self.len)] = letter as u8;
        self.len += 1;
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        text.chars().for_each(|letter| self.push(letter));
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).expect("only ASCII is pushed")
    }

    /// The text as bytes, for a pipe.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl Deref for ShortText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for ShortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ShortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq<str> for ShortText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for ShortText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
