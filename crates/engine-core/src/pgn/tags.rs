//! The tag pairs of a game.

use std::fmt;

/// The seven tags that every game has, in the order in which they are written.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Tag pairs in the order in which they were given.
///
/// All text lies in one buffer, so that one value can be filled again and again without a new
/// allocation. Names are looked up without regard to case; of a name that occurs twice the first
/// pair counts.
#[derive(Clone, Default)]
pub struct Tags {
    /// UTF-8, kept as bytes: a reader of many games looks at few of their tags, so text is only
    /// checked to be text when it is asked for.
    text: Vec<u8>,
    spans: Vec<Span>,
}

/// Where a name and, right behind it, its value lie.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    value: usize,
    end: usize,
}

impl Tags {
    /// No tags.
    pub const fn new() -> Self {
        Self {
            text: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        let span = self.spans.iter().find(|span| self.is_named(span, name))?;
        Some(self.text(span.value, span.end))
    }

    /// All pairs of name and value.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.spans.iter().map(|span| {
            (
                self.text(span.start, span.value),
                self.text(span.value, span.end),
            )
        })
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Adds a pair behind the others.
    pub fn push(&mut self, name: &str, value: &str) {
        self.push_bytes(name.as_bytes(), value.as_bytes());
    }

    /// Adds a pair that is known to be UTF-8.
    #[inline]
    pub(super) fn push_bytes(&mut self, name: &[u8], value: &[u8]) {
        let span = self.append(name, value);
        self.spans.push(span);
    }

    /// Gives the tag this value, at its place if it is there, otherwise behind the others.
    pub fn set(&mut self, name: &str, value: &str) {
        let place = self.spans.iter().position(|span| self.is_named(span, name));
        let span = self.append(name.as_bytes(), value.as_bytes());
        match place {
            Some(place) => self.spans[place] = span,
            None => self.spans.push(span),
        }
    }

    /// Takes all pairs out and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
    }

    /// How much text is held.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    fn is_named(&self, span: &Span, name: &str) -> bool {
        self.text[span.start..span.value].eq_ignore_ascii_case(name.as_bytes())
    }

    fn text(&self, start: usize, end: usize) -> &str {
        str::from_utf8(&self.text[start..end]).expect("only UTF-8 is pushed")
    }

    #[inline]
    fn append(&mut self, name: &[u8], value: &[u8]) -> Span {
        let start = self.text.len();
        self.text.extend_from_slice(name);
        let middle = self.text.len();
        self.text.extend_from_slice(value);
        Span {
            start,
            value: middle,
            end: self.text.len(),
        }
    }
}

impl PartialEq for Tags {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Tags {}

impl<'a> FromIterator<(&'a str, &'a str)> for Tags {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Self {
        let mut tags = Self::new();
        for (name, value) in pairs {
            tags.push(name, value);
        }
        tags
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
