//! Comments.

use std::io::{self, Read};

use super::Reader;
use super::tag_section::TagHead;
use crate::pgn::source::find;
use crate::pgn::{COMMENTS_BYTES_MAX, PgnErrorKind, RawGame};

impl<R: Read> Reader<R> {
    /// Reads a comment in braces. Says whether it was closed.
    pub(super) fn brace_comment(&mut self, game: &mut RawGame, keep: bool) -> io::Result<bool> {
        let opened = self.source.line();
        self.source.skip(1);
        let room = if keep { COMMENTS_BYTES_MAX } else { 0 };
        let mut text = Kept::new(&mut self.text, room);
        let mut line_is_blank = false;
        let closed = loop {
            self.source.fill()?;
            let ahead = self.source.ahead();
            let len = find(ahead, [b'}', b'\n', b'\r']).unwrap_or(ahead.len());
            let piece = &ahead[..len];
            text.push(piece);
            line_is_blank &= piece.trim_ascii().is_empty();
            match ahead.get(len) {
                Some(b'}') => {
                    self.source.skip(len + 1);
                    break true;
                }
                Some(_) => {
                    self.source.skip(len);
                    self.source.fill()?;
                    self.source.skip_line_end();
                    self.source.fill()?;
                    if begins_game(self.source.ahead(), line_is_blank) {
                        break false;
                    }
                    line_is_blank = true;
                    text.push(b" ");
                }
                None if len == 0 => break false,
                None => self.source.skip(len),
            }
        };
        let omitted = text.omitted;
        if !closed {
            game.fail(opened, PgnErrorKind::UnclosedComment);
        }
        if keep {
            game.push_comment(&self.text, omitted);
        }
        Ok(closed)
    }

    /// Reads a comment that ends with its line.
    pub(super) fn line_comment(&mut self, game: &mut RawGame) -> io::Result<()> {
        self.source.skip(1);
        let room = if self.keep_comments {
            COMMENTS_BYTES_MAX
        } else {
            0
        };
        let mut text = Kept::new(&mut self.text, room);
        self.source.skip_line(|piece| text.push(piece))?;
        let omitted = text.omitted;
        if self.keep_comments {
            game.push_comment(&self.text, omitted);
        }
        self.skip_escape_lines()
    }
}

/// Whether a line inside a comment begins a new game, so that the comment cannot be meant to go on.
fn begins_game(line: &[u8], after_blank_line: bool) -> bool {
    TagHead::scan(line).is_some_and(|head| after_blank_line || head.name(line) == b"Event")
}

/// Text that is kept up to a limit.
pub(super) struct Kept<'a> {
    text: &'a mut Vec<u8>,
    limit: usize,
    /// How many bytes were too many.
    pub(super) omitted: u64,
}

impl<'a> Kept<'a> {
    pub(super) fn new(text: &'a mut Vec<u8>, limit: usize) -> Self {
        text.clear();
        Self {
            text,
            limit,
            omitted: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, piece: &[u8]) {
        let room = self.limit - self.text.len();
        let kept = piece.len().min(room);
        self.text.extend_from_slice(&piece[..kept]);
        self.omitted += (piece.len() - kept) as u64;
    }
}
