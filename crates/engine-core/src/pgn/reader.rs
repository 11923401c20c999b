//! Reading games one after the other.

use std::io::{self, Read};

use movetext::{begins_moves, word_len};
use tag_section::TagHead;

use super::RawGame;
use super::source::Source;

mod comments;
mod movetext;
mod tag_section;

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

/// How long the spaces and tabs at the front of `text` are.
#[inline]
fn spaces_len(text: &[u8]) -> usize {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().take_while(is_space).count()
}
