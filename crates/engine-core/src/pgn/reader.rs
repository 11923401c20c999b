//! Reading games one after the other.

use std::io::{self, Read};

use crate::SanError;
use crate::san::{is_en_passant_mark, is_null_move, scan, scan_plain};

use super::source::{LOOKAHEAD, Source, find};
use super::{COMMENTS_BYTES_MAX, GameResult, PgnErrorKind, RawGame, TAG_VALUE_BYTES_MAX};

/// Reads the games of a PGN file; see the [module](super) for what is read as what.
///
/// Holds a window of 64 KiB over the input and never more of it.
#[derive(Debug)]
pub struct Reader<R> {
    source: Source<R>,
    games: u64,
    keep_comments: bool,
    keep_moves: bool,
    /// Whether the game under way has had a move, kept or not.
    in_moves: bool,
    /// The comment or tag value under way.
    text: Vec<u8>,
}

/// Why the reader stopped in the middle of a game.
enum Stop {
    /// The input is at its end.
    Input,
    /// The game has its result.
    Result,
    /// A tag pair is next.
    Tag,
}

impl<R: Read> Reader<R> {
    /// A reader of the whole input.
    pub fn new(read: R) -> Self {
        Self {
            source: Source::new(read),
            games: 0,
            keep_comments: false,
            keep_moves: true,
            in_moves: false,
            text: Vec::new(),
        }
    }

    /// The same reader, which keeps comments and glyphs too.
    #[must_use]
    pub fn with_comments(mut self) -> Self {
        self.keep_comments = true;
        self
    }

    /// Reads the next game into `game`. Says whether there was one.
    ///
    /// # Errors
    /// Only those of the input. What is wrong with a game is in the game.
    pub fn read_game(&mut self, game: &mut RawGame) -> io::Result<bool> {
        self.keep_moves = true;
        self.read(game)
    }

    /// Reads tags and result of the next game into `game` and passes over the moves.
    ///
    /// # Errors
    /// Only those of the input.
    pub fn read_tags(&mut self, game: &mut RawGame) -> io::Result<bool> {
        self.keep_moves = false;
        self.read(game)
    }

    fn read(&mut self, game: &mut RawGame) -> io::Result<bool> {
        if !self.find_game()? {
            return Ok(false);
        }
        self.games += 1;
        game.begin(self.games, self.source.line(), self.source.offset());
        self.in_moves = false;
        loop {
            if !self.tags(game)? {
                return Ok(true);
            }
            match self.moves(game)? {
                Stop::Input | Stop::Result => return Ok(true),
                // Tags behind a comment may still belong to the game.
                Stop::Tag if !self.in_moves && game.error.is_none() => {}
                Stop::Tag => return Ok(true),
            }
        }
    }

    /// Passes over what lies between two games. Says whether there is another one.
    fn find_game(&mut self) -> io::Result<bool> {
        let mut after_blank_line = self.source.offset() == 0;
        if after_blank_line {
            self.skip_escape_lines()?;
        }
        loop {
            self.source.fill()?;
            let ahead = self.source.ahead();
            let Some(&byte) = ahead.first() else {
                return Ok(false);
            };
            match byte {
                0..=b' ' => after_blank_line |= self.skip_blanks()? >= 2,
                b'[' if TagHead::scan(ahead).is_some() => return Ok(true),
                b'1' if ahead.get(1) == Some(&b'.') => return Ok(true),
                0xEF if ahead.starts_with(BYTE_ORDER_MARK) => self.skip_byte_order_mark()?,
                b'{' => {
                    let mut nobody = RawGame::new();
                    self.brace_comment(&mut nobody, false)?;
                }
                b';' => {
                    self.source.skip_line(|_| {})?;
                    self.skip_escape_lines()?;
                }
                _ if after_blank_line && begins_moves(ahead) => return Ok(true),
                _ => {
                    let len = word_len(ahead).max(1);
                    self.source.skip(len);
                    after_blank_line = false;
                }
            }
        }
    }

    /// Reads the tags that are next. Says whether moves of the same game may follow.
    fn tags(&mut self, game: &mut RawGame) -> io::Result<bool> {
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
        (after_blank_line || name.eq_ignore_ascii_case(b"Event"))
            && str::from_utf8(name).is_ok_and(|name| game.tags.get(name).is_some())
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

    /// Reads moves, comments and all that may stand among them.
    fn moves(&mut self, game: &mut RawGame) -> io::Result<Stop> {
        loop {
            self.source.fill()?;
            let eight = self.source.next_eight();
            match eight[0] {
                b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' => self.piece_move(game),
                b'0'..=b'9' | b'*' => {
                    let ahead = self.source.ahead();
                    if let Some((result, len)) = GameResult::scan(ahead) {
                        self.source.skip(len);
                        game.result = Some(result);
                        return Ok(Stop::Result);
                    }
                    if ahead.starts_with(b"0-0") || ahead.starts_with(b"0000") {
                        self.word(game);
                    } else {
                        let len = number_len(eight);
                        self.source.skip(len);
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
        let after_move = !game.plies.is_empty();
        if after_move && is_en_passant_mark(word) {
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

    /// Reads a comment in braces. Says whether it was closed.
    fn brace_comment(&mut self, game: &mut RawGame, keep: bool) -> io::Result<bool> {
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
    fn line_comment(&mut self, game: &mut RawGame) -> io::Result<()> {
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

    /// Passes over blanks, control characters, line ends and `%` lines. Says how many lines ended.
    #[inline]
    fn skip_blanks(&mut self) -> io::Result<u32> {
        let mut lines = 0u32;
        loop {
            match self.source.peek() {
                Some(b'\n' | b'\r') => {
                    self.source.skip_line_end();
                    lines = lines.saturating_add(1);
                    self.skip_escape_lines()?;
                }
                Some(0..=b' ') => {
                    self.source.skip(1);
                    self.source.fill()?;
                }
                _ => return Ok(lines),
            }
        }
    }

    /// Passes over lines that begin with `%`, at the start of a line.
    #[inline]
    fn skip_escape_lines(&mut self) -> io::Result<()> {
        self.source.fill()?;
        while self.source.peek() == Some(b'%') {
            self.source.skip_line(|_| {})?;
            self.source.fill()?;
        }
        Ok(())
    }

    /// Passes over the mark that begins a file, or each of several files that became one, and so a
    /// line.
    fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        self.source.skip(BYTE_ORDER_MARK.len());
        self.skip_escape_lines()
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Text that is kept up to a limit.
struct Kept<'a> {
    text: &'a mut Vec<u8>,
    limit: usize,
    /// How many bytes were too many.
    omitted: u64,
}

impl<'a> Kept<'a> {
    fn new(text: &'a mut Vec<u8>, limit: usize) -> Self {
        text.clear();
        Self {
            text,
            limit,
            omitted: 0,
        }
    }

    #[inline]
    fn push(&mut self, piece: &[u8]) {
        let room = self.limit - self.text.len();
        let kept = piece.len().min(room);
        self.text.extend_from_slice(&piece[..kept]);
        self.omitted += (piece.len() - kept) as u64;
    }
}

/// What a tag's value cannot simply go on behind.
const TAG_VALUE_MARKS: [u8; 4] = [b'"', b'\\', b'\n', b'\r'];

/// The beginning of a tag pair: an opening bracket, a name of letters, digits and some marks, blanks,
/// a quote.
struct TagHead {
    name: (usize, usize),
    /// How long it is, with the quote.
    len: usize,
}

impl TagHead {
    /// The head at the front of `text`.
    #[inline]
    fn scan(text: &[u8]) -> Option<Self> {
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
    fn name<'a>(&self, text: &'a [u8]) -> &'a [u8] {
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

/// How long the spaces and tabs at the front of `text` are.
#[inline]
fn spaces_len(text: &[u8]) -> usize {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().take_while(is_space).count()
}

/// Whether a line inside a comment begins a new game, so that the comment cannot be meant to go on.
fn begins_game(line: &[u8], after_blank_line: bool) -> bool {
    TagHead::scan(line).is_some_and(|head| after_blank_line || head.name(line) == b"Event")
}

/// Whether a game without tags begins here: a move, or a move number and a move.
fn begins_moves(text: &[u8]) -> bool {
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
fn word_len(text: &[u8]) -> usize {
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
