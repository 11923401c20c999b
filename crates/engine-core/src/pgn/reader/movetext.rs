//! The moves of a game and what stands among them.

use std::io::{self, Read};

use super::tag_section::TagHead;
use super::{BYTE_ORDER_MARK, Reader, Stop};
use crate::SanError;
use crate::pgn::{GameResult, PgnErrorKind, RawGame};
use crate::san::{is_en_passant_mark, is_null_move, scan, scan_plain};

impl<R: Read> Reader<R> {
    /// Reads moves, comments and all that may stand among them.
    pub(super) fn moves(&mut self, game: &mut RawGame) -> io::Result<Stop> {
        loop {
            self.source.fill()?;
            let eight = self.source.next_eight();
            match eight[0] {
                b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' => self.piece_move(game),
                b'0'..=b'9' | b'*' => {
                    if let Some((result, len)) = GameResult::scan(eight) {
                        self.source.skip(len);
                        game.result = Some(result);
                        return Ok(Stop::Result);
                    }
                    if eight.starts_with(b"0-0") || eight.starts_with(b"0000") {
                        self.word(game);
                    } else {
                        // A blank behind it comes along.
                        let len = number_len(eight);
                        let blank = eight.get(len) == Some(&b' ');
                        self.source.skip(len + usize::from(blank));
                    }
                }
                b' ' => self.source.skip(1),
                0..=0x1F => {
                    if self.source.is_exhausted() {
                        return Ok(Stop::Input);
                    }
                    self.skip_blanks()?;
                }
                b'.' | b')' | b'}' => self.source.skip(1),
                b'{' => {
                    if !self.brace_comment(game, self.keep_comments)? {
                        return Ok(Stop::Tag);
                    }
                }
                b';' => self.line_comment(game)?,
                b'(' => {
                    if !self.variation(game)? {
                        return Ok(Stop::Tag);
                    }
                }
                b'[' if TagHead::scan(self.source.ahead()).is_some() => return Ok(Stop::Tag),
                b'$' => self.nag(game),
                0xEF if self.source.ahead().starts_with(BYTE_ORDER_MARK) => {
                    self.skip_byte_order_mark()?;
                }
                _ => self.word(game),
            }
        }
    }

    /// Reads a word that begins like a move of a piece or pawn.
    #[inline(always)]
    fn piece_move(&mut self, game: &mut RawGame) {
        let eight = self.source.next_eight();
        match scan_plain(eight) {
            Some((san, len)) if self.keep_moves => {
                self.in_moves = true;
                // A blank behind it comes along.
                let len = len + usize::from(eight[len & 7] == b' ');
                game.push_san(san, self.source.line());
                self.source.skip(len);
            }
            _ => self.word(game),
        }
    }

    /// Reads a word that should be a move.
    fn word(&mut self, game: &mut RawGame) {
        self.in_moves = true;
        let ahead = self.source.ahead();
        if !self.keep_moves {
            let len = word_len(ahead).max(1);
            self.source.skip(len);
            return;
        }
        if let Some((san, len)) = scan(ahead) {
            let glyphs = glyphs_len(&ahead[len..]);
            if ahead.get(len + glyphs).is_none_or(|&byte| ends_word(byte)) {
                let nag = nag_of(&ahead[len..len + glyphs]);
                self.source.skip(len + glyphs);
                game.push_san(san, self.source.line());
                if let Some(nag) = nag
                    && self.keep_comments
                {
                    game.push_nag(nag);
                }
                return;
            }
        }
        self.odd_word(game);
    }

    /// Reads a word that is not simply a move and some glyphs.
    #[cold]
    fn odd_word(&mut self, game: &mut RawGame) {
        let ahead = self.source.ahead();
        let len = word_len(ahead).max(1);
        let word = &ahead[..len];
        let line = self.source.line();
        if is_en_passant_mark(word) && !game.plies.is_empty() {
            self.source.skip(len);
            return;
        }
        if let Some((san, san_len)) = scan(word)
            && is_en_passant_mark(&word[san_len..])
        {
            self.source.skip(len);
            game.push_san(san, line);
            return;
        }
        let error = if is_null_move(word) {
            SanError::NullMove
        } else if word.iter().all(|byte| b"!?+-=/#~".contains(byte)) {
            // Glyphs apart from their move, and evaluations in the manner of the informators.
            if let Some(nag) = nag_of(word).filter(|_| self.keep_comments) {
                game.push_nag(nag);
            }
            self.source.skip(len);
            return;
        } else {
            let text = String::from_utf8_lossy(word);
            SanError::Unreadable(text.chars().take(SanError::TEXT_MAX).collect())
        };
        self.source.skip(len);
        let ply = game.plies.len() + 1;
        game.fail(line, PgnErrorKind::Move { ply, error });
    }

    /// Reads `$` and a number.
    fn nag(&mut self, game: &mut RawGame) {
        let ahead = self.source.ahead();
        let digits = ahead[1..].iter().take_while(|byte| byte.is_ascii_digit());
        let len = digits.count();
        let number = str::from_utf8(&ahead[1..=len]).ok();
        if let Some(nag) = number.and_then(|number| number.parse().ok())
            && self.keep_comments
        {
            game.push_nag(nag);
        }
        self.source.skip(1 + len);
    }

    /// Passes over a variation and all that are nested in it. Says whether it was closed.
    fn variation(&mut self, game: &mut RawGame) -> io::Result<bool> {
        let opened = self.source.line();
        let mut depth = 0u64;
        loop {
            self.source.fill()?;
            let ahead = self.source.ahead();
            match ahead.first() {
                Some(b'(') => {
                    depth += 1;
                    self.source.skip(1);
                }
                Some(b')') => {
                    depth -= 1;
                    self.source.skip(1);
                    if depth == 0 {
                        return Ok(true);
                    }
                }
                Some(b'{') => {
                    if !self.brace_comment(game, false)? {
                        return Ok(false);
                    }
                }
                Some(b';') => {
                    self.source.skip_line(|_| {})?;
                    self.skip_escape_lines()?;
                }
                Some(b'\n' | b'\r') => {
                    self.skip_blanks()?;
                }
                Some(b'[') if TagHead::scan(ahead).is_some() => break,
                Some(_) => self.source.skip(1),
                None => break,
            }
        }
        game.fail(opened, PgnErrorKind::UnclosedVariation);
        Ok(false)
    }
}

/// Whether a game without tags begins here: a move, or a move number and a move.
pub(super) fn begins_moves(text: &[u8]) -> bool {
    let mut word = &text[number_len(text)..];
    while word.len() < text.len()
        && let [b' ' | b'\t' | b'.', behind @ ..] = word
    {
        word = behind;
    }
    let word = &word[..word_len(word)];
    scan(word).is_some_and(|(_, len)| len + glyphs_len(&word[len..]) == word.len())
}

/// How long the digits and dots at the front of `text` are.
#[inline(always)]
fn number_len(text: &[u8]) -> usize {
    let mut len = 0;
    while len < text.len() && text[len].is_ascii_digit() {
        len += 1;
    }
    while len < text.len() && text[len] == b'.' {
        len += 1;
    }
    len
}

/// How long the check marks and glyphs at the front of `text` are.
#[inline(always)]
fn glyphs_len(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?'))
        .count()
}

/// How long the word at the front of `text` is.
pub(super) fn word_len(text: &[u8]) -> usize {
    text.iter()
        .position(|&byte| ends_word(byte))
        .unwrap_or(text.len())
}

/// Whether a word is over before this byte.
#[inline(always)]
fn ends_word(byte: u8) -> bool {
    matches!(
        byte,
        0..=b' ' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'*'
    )
}

/// The number of the annotation that glyphs stand for; check marks among them do not matter.
#[inline]
fn nag_of(glyphs: &[u8]) -> Option<u8> {
    let last = *glyphs.last()?;
    if last != b'!' && last != b'?' {
        return None;
    }
    let before = glyphs.len().checked_sub(2).map(|at| glyphs[at]);
    Some(match (before, last) {
        (Some(b'!'), b'!') => 3,
        (Some(b'?'), b'?') => 4,
        (Some(b'!'), _) => 5,
        (Some(b'?'), _) => 6,
        (_, b'!') => 1,
        _ => 2,
    })
}
