//! The tags of a game.

use std::io::{self, Read};

use super::comments::Kept;
use super::{Reader, spaces_len};
use crate::pgn::source::{LOOKAHEAD, find};
use crate::pgn::{PgnErrorKind, RawGame, TAG_VALUE_BYTES_MAX};

impl<R: Read> Reader<R> {
    /// Reads the tags that are next. Says whether moves of the same game may follow.
    pub(super) fn tags(&mut self, game: &mut RawGame) -> io::Result<bool> {
        let mut after_blank_line = !game.tags.is_empty();
        loop {
            self.source.fill()?;
            let ahead = self.source.ahead();
            match ahead.first() {
                Some(0..=b' ') => after_blank_line |= self.skip_blanks()? >= 2,
                Some(b'[') => {
                    let Some(head) = TagHead::scan(ahead) else {
                        game.fail(self.source.line(), PgnErrorKind::Tag);
                        self.source.skip_line(|_| {})?;
                        continue;
                    };
                    if self.begins_next_game(&head, after_blank_line, game) {
                        return Ok(false);
                    }
                    self.tag(&head, game)?;
                    after_blank_line = false;
                }
                _ => return Ok(true),
            }
        }
    }

    /// Whether a tag cannot belong to the game any more that has those before it.
    fn begins_next_game(&self, head: &TagHead, after_blank_line: bool, game: &RawGame) -> bool {
        let name = head.name(self.source.ahead());
        let is_known = str::from_utf8(name).is_ok_and(|name| game.tags.get(name).is_some());
        if name.eq_ignore_ascii_case(b"Event") {
            return is_known || (after_blank_line && !game.tags.is_empty());
        }
        let is_whole = || ESSENTIAL.iter().all(|tag| game.tags.get(tag).is_some());
        let is_about_moves = || MOVE_TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag));
        after_blank_line && (is_known || (is_whole() && !is_about_moves()))
    }

    /// Reads a tag pair.
    fn tag(&mut self, head: &TagHead, game: &mut RawGame) -> io::Result<()> {
        let ahead = self.source.ahead();
        let value = &ahead[head.len..];
        let len = find(value, TAG_VALUE_MARKS).unwrap_or(value.len());
        if value[len..].starts_with(b"\"]") && len <= TAG_VALUE_BYTES_MAX {
            game.push_tag(head.name(ahead), &value[..len], 0);
            self.source.skip(head.len + len + 2);
            Ok(())
        } else {
            self.odd_tag(head, game)
        }
    }

    /// Reads a tag pair whose value is not simply text and a quote.
    fn odd_tag(&mut self, head: &TagHead, game: &mut RawGame) -> io::Result<()> {
        let line = self.source.line();
        let name = head.name(self.source.ahead()).to_owned();
        self.source.skip(head.len);
        let mut value = Kept::new(&mut self.text, TAG_VALUE_BYTES_MAX);
        loop {
            self.source.fill()?;
            let ahead = self.source.ahead();
            let plain = find(ahead, TAG_VALUE_MARKS).unwrap_or(ahead.len());
            value.push(&ahead[..plain]);
            self.source.skip(plain);
            self.source.fill()?;
            match self.source.ahead() {
                [] | [b'\n', ..] | [b'\r', b'\n', ..] => {
                    game.fail(line, PgnErrorKind::Tag);
                    break;
                }
                [b'\\', escaped @ (b'"' | b'\\'), ..] => {
                    value.push(&[*escaped]);
                    self.source.skip(2);
                }
                [b'"', behind @ ..] => {
                    if let Some(len) = tag_end_len(behind) {
                        self.source.skip(1 + len);
                        break;
                    }
                    // Somebody forgot to escape it.
                    value.push(b"\"");
                    self.source.skip(1);
                }
                [b'\r', ..] => self.source.skip_line_end(),
                [other, ..] => {
                    value.push(&[*other]);
                    self.source.skip(1);
                }
            }
        }
        let omitted = value.omitted;
        game.push_tag(&name, &self.text, omitted);
        Ok(())
    }
}

/// Tags without which a game of tags alone says nothing: with all of them it may be over.
const ESSENTIAL: [&str; 3] = ["White", "Black", "Result"];

/// Tags without which the moves that follow make no sense: no game begins with them, but some
/// programs put them behind the others and a blank line.
const MOVE_TAGS: [&[u8]; 3] = [b"FEN", b"SetUp", b"Variant"];

/// What a tag's value cannot simply go on behind.
const TAG_VALUE_MARKS: [u8; 4] = [b'"', b'\\', b'\n', b'\r'];

/// The beginning of a tag pair: an opening bracket, a name of letters, digits and some marks, blanks,
/// a quote.
pub(super) struct TagHead {
    name: (usize, usize),
    /// How long it is, with the quote.
    len: usize,
}

impl TagHead {
    /// The head at the front of `text`.
    #[inline]
    pub(super) fn scan(text: &[u8]) -> Option<Self> {
        // A fixed reach, so that the answer does not depend on where the window ends.
        let text = &text[..text.len().min(LOOKAHEAD)];
        let spaces_from = |at: usize| at + spaces_len(&text[at..]);
        let start = spaces_from(text.starts_with(b"[").then_some(1)?);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte);
        let end = start + text[start..].iter().position(|byte| !is_name(byte))?;
        let quote = spaces_from(end);
        (end > start && text.get(quote) == Some(&b'"')).then_some(Self {
            name: (start, end),
            len: quote + 1,
        })
    }

    /// The name, in the text that was scanned.
    pub(super) fn name<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.name.0..self.name.1]
    }
}

/// How long the end of a tag pair is behind its closing quote; `None` if that quote closes nothing.
fn tag_end_len(behind: &[u8]) -> Option<usize> {
    let spaces = spaces_len(behind);
    match behind.get(spaces) {
        Some(b']') => Some(spaces + 1),
        // The bracket is missing.
        None | Some(b'\n' | b'\r') => Some(spaces),
        Some(_) => None,
    }
}
