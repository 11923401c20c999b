//! Writing one game.

use std::fmt::Write;

use crate::{CastlingStyle, Color, Move, Position};

use super::{GameResult, ROSTER, Start, Tags};

/// Appends one game to a `String`, move by move.
///
/// What comes out is PGN's export format but for one thing: Black's move has no number of its own
/// behind a comment (`1. e4 {book} e5`), as all programs that run matches write it. Lines are at
/// most [`LINE_MAX`](Self::LINE_MAX) characters long. A comment that fits on a line is never
/// broken; a longer one is, at blanks. Nothing that a name or a comment contains can break the file:
/// quotes and backslashes are escaped, control characters become blanks, braces in comments
/// become parentheses.
///
/// ```
/// use engine_core::pgn::{GameResult, Start, Tags, Writer};
/// use engine_core::{CastlingStyle, Color, Move, Outcome, Square};
///
/// let start = Start {
///     position: "6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 4 31".parse()?,
///     style: CastlingStyle::Standard,
/// };
/// let tags: Tags = [("White", "Alpha"), ("Black", "Beta")].into_iter().collect();
/// let result = GameResult::Finished(Outcome::win(Color::Black));
///
/// let mut text = String::new();
/// let mut writer = Writer::new(&mut text, &tags, &start, result);
/// writer.play(Move::new(Square::A2, Square::A1));
/// writer.comment("-M1/1 0.001s");
/// writer.finish();
/// assert!(text.contains("[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 4 31\"]\n"));
/// assert!(text.ends_with("\n\n31... Ra1# {-M1/1 0.001s} 0-1\n\n"));
/// # Ok::<(), engine_core::FenPositionError>(())
/// ```
#[derive(Debug)]
#[must_use = "a game without its result is broken"]
pub struct Writer<'a> {
    text: &'a mut String,
    position: Position,
    result: GameResult,
    /// How many characters are on the line.
    column: usize,
    /// Whether no move has been written.
    first: bool,
}

impl<'a> Writer<'a> {
    /// The length of a line, in characters. Longer words stand on a line alone.
    pub const LINE_MAX: usize = 80;

    /// Writes the tags: the roster of seven, then `SetUp`, `FEN` and `Variant` if the start needs
    /// them, then the others as given.
    ///
    /// `tags` need not be complete; missing ones of the roster are unknown (`?`). `Result`, `SetUp`,
    /// `FEN` and `Variant` come from `result` and `start`, whatever `tags` says. The FEN of a Chess960
    /// game names the rooks by their files, as Shredder-FEN does.
    pub fn new(text: &'a mut String, tags: &Tags, start: &Start, result: GameResult) -> Self {
        let own = |name: &str| {
            ["SetUp", "FEN", "Variant"]
                .iter()
                .chain(&ROSTER)
                .any(|known| known.eq_ignore_ascii_case(name))
        };
        for name in ROSTER {
            let value = match name {
                "Result" => result.as_str(),
                "Date" => tags.get(name).unwrap_or("????.??.??"),
                _ => tags.get(name).unwrap_or("?"),
            };
            write_tag(text, name, value);
        }
        write_start(text, start);
        for (name, value) in tags.iter() {
            let name = tag_name(name);
            if !own(&name) {
                write_tag(text, &name, value);
            }
        }
        text.push('\n');
        Self {
            text,
            position: start.position,
            result,
            column: 0,
            first: true,
        }
    }

    /// The position in which the next move is played.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Writes a legal move, with its number where one is due.
    pub fn play(&mut self, mv: Move) {
        let number = self.position.fullmove_number();
        match self.position.turn() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if self.first => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        let san = self.position.san(mv);
        self.word(&san);
        self.position.play_unchecked(mv);
        self.first = false;
    }

    /// Writes a comment on the move before it, or on the start position. A blank comment is none.
    pub fn comment(&mut self, comment: &str) {
        let harmless = |character: char| match character {
            '{' => '(',
            '}' => ')',
            _ if character.is_control() => ' ',
            _ => character,
        };
        let comment: String = comment.chars().map(harmless).collect();
        let comment = comment.trim();
        if comment.is_empty() {
            return;
        }
        let whole = format!("{{{comment}}}");
        if whole.chars().count() <= Self::LINE_MAX {
            self.word(&whole);
            return;
        }
        // A line that begins with one of these marks could be taken for something else than the
        // middle of a comment by readers that look at lines first.
        let mut piece = String::new();
        for word in whole.split(' ').filter(|word| !word.is_empty()) {
            if word.starts_with(['[', '%', ';']) {
                piece.push(' ');
            } else if !piece.is_empty() {
                self.word(&piece);
                piece.clear();
            }
            piece.push_str(word);
        }
        self.word(&piece);
    }

    /// Writes the result and the blank line behind the game.
    pub fn finish(mut self) {
        self.word(self.result.as_str());
        self.text.push_str("\n\n");
    }

    /// Writes a word behind a blank, or on a new line if the line would become too long.
    fn word(&mut self, word: &str) {
        let len = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + len <= Self::LINE_MAX {
                self.text.push(' ');
                self.column += 1;
            } else {
                self.text.push('\n');
                self.column = 0;
            }
        }
        self.text.push_str(word);
        self.column += len;
    }
}

fn write_start(text: &mut String, start: &Start) {
    let chess960 = start.style == CastlingStyle::Chess960;
    let fen = if chess960 {
        start.position.fen_shredder()
    } else {
        start.position.fen()
    };
    if chess960 || fen != Position::startpos().fen() {
        write_tag(text, "SetUp", "1");
        write_tag(text, "FEN", &fen);
    }
    if chess960 {
        write_tag(text, "Variant", "Chess960");
    }
}

/// A name without what it may not contain.
fn tag_name(name: &str) -> String {
    name.chars()
        .filter(|&letter| letter.is_ascii_alphanumeric() || letter == '_')
        .collect()
}

/// Writes a tag pair; without a name there is none.
fn write_tag(text: &mut String, name: &str, value: &str) {
    if name.is_empty() {
        return;
    }
    // Writing to a `String` does not fail.
    let _always_ok = write!(text, "[{name} \"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            _ if character.is_control() => text.push(' '),
            _ => text.push(character),
        }
    }
    text.push_str("\"]\n");
}
