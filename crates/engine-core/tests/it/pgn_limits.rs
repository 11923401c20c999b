//! What is kept of a game is bounded, whatever the file holds.

use std::io::{self, Read};

use engine_core::pgn::{
    COMMENTS_BYTES_MAX, COMMENTS_MAX, PLIES_MAX, RawGame, Reader, TAG_VALUE_BYTES_MAX,
    TAGS_BYTES_MAX, TAGS_MAX,
};

fn first(text: &str) -> RawGame {
    let mut raw = RawGame::new();
    let mut reader = Reader::new(text.as_bytes()).with_comments();
    assert!(reader.read_game(&mut raw).expect("memory can be read"));
    raw
}

#[test]
fn the_length_of_a_game_is_limited() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(PLIES_MAX / 4);
    let whole = first(&shuffle);
    assert_eq!((whole.sans().len(), whole.error()), (PLIES_MAX, None));
    let longer = first(&format!("{shuffle} e4 e5"));
    let error = longer.replay().expect_err("too long");
    let expected = format!("game 1, line 1: the game has more than {PLIES_MAX} plies");
    assert_eq!(error.to_string(), expected);
    assert_eq!(longer.sans().len(), PLIES_MAX);
}

#[test]
fn too_many_tags_are_left_out_but_for_those_that_matter() {
    let filler = "x".repeat(1000);
    let mut text = String::from("[Event \"a\"]\n");
    for number in 0..2 * TAGS_MAX {
        text += &format!("[X{number} \"{filler}\"]\n");
    }
    text += "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 15\"]\n\n1. e4 *";
    let raw = first(&text);
    let kept: usize = raw
        .tags()
        .iter()
        .map(|(name, value)| name.len() + value.len())
        .sum();
    assert!(kept <= TAGS_BYTES_MAX + 100, "{kept} bytes were kept");
    assert!(raw.omitted() > 0);
    assert_eq!(raw.replay().expect("legal").start().halfmove_clock(), 3);

    let raw = first(&format!(
        "[White \"{}\"]\n\n1. e4 *",
        "é\\\"".repeat(TAG_VALUE_BYTES_MAX)
    ));
    let value = raw.tags().get("White").expect("a value");
    assert!(value.len() <= 2 * TAG_VALUE_BYTES_MAX && value.starts_with("é\"é"));
    assert_eq!(raw.sans().len(), 1);
}

/// So many bytes of a repeated piece of text, never all in memory.
struct Endless {
    piece: &'static [u8],
    at: usize,
    left: usize,
}

impl Endless {
    fn new(piece: &'static str, left: usize) -> Self {
        Self {
            piece: piece.as_bytes(),
            at: 0,
            left,
        }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.left);
        for byte in &mut buffer[..count] {
            *byte = self.piece[self.at % self.piece.len()];
            self.at += 1;
        }
        self.left -= count;
        Ok(count)
    }
}

/// Reads all games of an input that is too large to be kept, and says how many bytes were left out.
fn read_endless(input: impl Read) -> (u64, u64) {
    let mut reader = Reader::new(input).with_comments();
    let mut raw = RawGame::new();
    let (mut games, mut omitted) = (0, 0);
    while reader.read_game(&mut raw).expect("it can be read") {
        let comments: usize = raw.comments().map(|comment| comment.text.len()).sum();
        assert!(comments <= COMMENTS_BYTES_MAX && raw.comments().len() <= COMMENTS_MAX);
        games += 1;
        omitted += raw.omitted();
    }
    (games, omitted)
}

#[test]
fn memory_stays_bounded_whatever_has_no_end() {
    const SIZE: usize = 8 << 20;
    let framed = |before: &'static str, piece, after: &'static str| {
        before
            .as_bytes()
            .chain(Endless::new(piece, SIZE))
            .chain(after.as_bytes())
    };
    let (games, omitted) = read_endless(framed("1. e4 {", "word ", "} e5 *"));
    assert_eq!(games, 1);
    assert!(omitted as usize >= SIZE - COMMENTS_BYTES_MAX - 1);
    assert_eq!(read_endless(framed("1. e4 {", "\n", "} e5 *")).0, 1);
    assert_eq!(read_endless(framed("1. e4 ;", "word ", "\ne5 *")).0, 1);
    assert_eq!(read_endless(framed("1. e4 ", "{c} ", " e5 *")).0, 1);
    assert_eq!(read_endless(framed("1. e4 ", "{}", " e5 *")).0, 1);
    assert_eq!(read_endless(framed("1. e4 ", "$1 ", " e5 *")).0, 1);
    assert_eq!(read_endless(framed("1. e4 (", "(", "")).0, 1);
    assert_eq!(read_endless(framed("1. e4 ", "x", " e5 *")).0, 1);
    assert_eq!(read_endless(framed("1. e4 ", " ", " e5 *")).0, 1);
    assert_eq!(read_endless(framed("[White \"", "x", "\"]\n1. e4 *")).0, 1);
    assert_eq!(
        read_endless(framed("[White \"", "\\\"", "\"]\n1. e4 *")).0,
        1
    );
    assert_eq!(read_endless(framed("", "[A \"b\"]", "\n1. e4 *")).0, 1);
    assert_eq!(read_endless(framed("", "[", "\n1. e4 *")).0, 1);
    assert_eq!(read_endless(framed("", "%\n", "\n1. e4 *")).0, 1);
    assert_eq!(
        read_endless(Endless::new("1. e4 e5 1-0\n\n", SIZE)).0 as usize,
        SIZE / 14 + 1
    );
}
