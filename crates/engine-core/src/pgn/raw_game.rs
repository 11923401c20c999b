//! A game as its text describes it, before anybody has looked at a board.

use std::borrow::Cow;

use crate::San;

use super::{
    COMMENTS_BYTES_MAX, COMMENTS_MAX, GameResult, PLIES_MAX, PgnError, PgnErrorKind,
    TAGS_BYTES_MAX, TAGS_MAX, Tags,
};

/// One game of a PGN file: filled by [`Reader`](super::Reader), played by [`replay`](Self::replay).
///
/// Meant to be filled again and again; it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct RawGame {
    pub(super) number: u64,
    pub(super) line: u64,
    pub(super) offset: u64,
    pub(super) tags: Tags,
    pub(super) plies: Vec<RawPly>,
    pub(super) result: Option<GameResult>,
    pub(super) error: Option<PgnError>,
    /// UTF-8, kept as bytes for the same reason as in [`Tags`].
    comment_text: Vec<u8>,
    comments: Vec<CommentSpan>,
    nags: Vec<(usize, u8)>,
    omitted: u64,
}

/// A ply and where it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawPly {
    pub(super) san: San,
    /// Lines below the first line of the game.
    pub(super) line: u32,
}

#[derive(Clone, Copy, Debug)]
struct CommentSpan {
    ply: usize,
    start: usize,
    end: usize,
}

/// A comment and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment<'a> {
    /// How many plies of the game come before it.
    pub ply: usize,
    /// What it says, line ends and control characters made blanks.
    pub text: &'a str,
}

/// Tags that are kept when there are too many, because the game cannot be understood without them.
const ESSENTIAL: [&str; 5] = ["FEN", "SetUp", "Variant", "Result", "Termination"];

impl RawGame {
    /// A game that says nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Which game of the file it is, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The line on which it begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// How many bytes of the input come before it. A reader that begins there finds it first.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Its tag pairs.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The moves of the main line as they were written.
    pub fn sans(&self) -> impl ExactSizeIterator<Item = San> {
        self.plies.iter().map(|ply| ply.san)
    }

    /// The result behind the moves, if there is one. The tag may say something else.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// What the text alone shows to be wrong; the moves are looked at by [`replay`](Self::replay).
    pub fn error(&self) -> Option<&PgnError> {
        self.error.as_ref()
    }

    /// The comments on the main line, if the reader was asked to keep them.
    pub fn comments(&self) -> impl ExactSizeIterator<Item = Comment<'_>> {
        self.comments.iter().map(|span| Comment {
            ply: span.ply,
            text: str::from_utf8(&self.comment_text[span.start..span.end])
                .expect("only UTF-8 is kept"),
        })
    }

    /// The numeric annotation glyphs on the main line, each with the number of plies before it, if
    /// the reader was asked to keep comments. `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    pub fn nags(&self) -> &[(usize, u8)] {
        &self.nags
    }

    /// How many bytes of tags and comments were left out because there were too many.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    pub(super) fn begin(&mut self, number: u64, line: u64, offset: u64) {
        self.number = number;
        self.line = line;
        self.offset = offset;
        self.tags.clear();
        self.plies.clear();
        self.result = None;
        self.error = None;
        self.comment_text.clear();
        self.comments.clear();
        self.nags.clear();
        self.omitted = 0;
    }

    /// Adds a tag whose name is ASCII and whose value may have been cut by `omitted` bytes.
    pub(super) fn push_tag(&mut self, name: &[u8], value: &[u8], omitted: u64) {
        let value = decode(value, omitted > 0);
        let fits = self.tags.bytes() + name.len() + value.len() <= TAGS_BYTES_MAX
            && self.tags.len() < TAGS_MAX;
        if fits || self.is_missed(name) {
            self.tags.push_bytes(name, &value);
            self.omitted += omitted;
        } else {
            self.omitted += (name.len() + value.len()) as u64 + omitted;
        }
    }

    /// Whether a tag must be kept although there are too many.
    #[cold]
    fn is_missed(&self, name: &[u8]) -> bool {
        ESSENTIAL.iter().any(|known| {
            known.as_bytes().eq_ignore_ascii_case(name) && self.tags.get(known).is_none()
        })
    }

    /// Adds a move found on `line`.
    #[inline(always)]
    pub(super) fn push_san(&mut self, san: San, line: u64) {
        if self.error.is_some() {
            return;
        }
        if self.plies.len() == PLIES_MAX {
            self.fail(line, PgnErrorKind::TooLong);
            return;
        }
        let line = (line - self.line) as u32;
        self.plies.push(RawPly { san, line });
    }

    /// Adds a comment from which `omitted` bytes were cut.
    pub(super) fn push_comment(&mut self, text: &[u8], omitted: u64) {
        let text = decode(text.trim_ascii(), omitted > 0);
        if self.comments.len() == COMMENTS_MAX {
            self.omitted += text.len() as u64 + omitted;
            return;
        }
        let room = COMMENTS_BYTES_MAX - self.comment_text.len();
        let mut kept = text.len().min(room);
        // Not in the middle of a character.
        while kept < text.len() && text[kept] & 0xC0 == 0x80 {
            kept -= 1;
        }
        self.omitted += (text.len() - kept) as u64 + omitted;
        let start = self.comment_text.len();
        self.comment_text.extend_from_slice(&text[..kept]);
        self.comments.push(CommentSpan {
            ply: self.plies.len(),
            start,
            end: self.comment_text.len(),
        });
    }

    /// Adds a glyph to the ply before it.
    pub(super) fn push_nag(&mut self, nag: u8) {
        if self.nags.len() < COMMENTS_MAX {
            self.nags.push((self.plies.len(), nag));
        }
    }

    /// Notes what is wrong. Only the first thing counts: what follows may be wrong because of it.
    #[cold]
    pub(super) fn fail(&mut self, line: u64, kind: PgnErrorKind) {
        let game = self.number;
        self.error.get_or_insert(PgnError { game, line, kind });
    }
}

/// The text as UTF-8, taken for Latin-1 if it is not. Line ends and tabs become blanks, other
/// control characters vanish. Text that was cut may end in the middle of a character.
fn decode(bytes: &[u8], was_cut: bool) -> Cow<'_, [u8]> {
    // Without a way out of the loop it becomes vector instructions.
    let is_plain = bytes
        .iter()
        .fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
    if is_plain {
        return Cow::Borrowed(bytes);
    }
    let keep = |character: char| match character {
        '\t' | '\n' | '\r' => Some(' '),
        _ if character.is_control() => None,
        _ => Some(character),
    };
    let text = str::from_utf8(bytes).or_else(|error| match error.error_len() {
        None if was_cut => str::from_utf8(&bytes[..error.valid_up_to()]),
        _ => Err(error),
    });
    let text: String = match text {
        Ok(text) => text.chars().filter_map(keep).collect(),
        Err(_) => bytes
            .iter()
            .map(|&byte| char::from(byte))
            .filter_map(keep)
            .collect(),
    };
    Cow::Owned(text.into_bytes())
}
