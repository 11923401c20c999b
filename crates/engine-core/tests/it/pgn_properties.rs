//! Whatever the bytes: reading ends, nothing panics, and the rest of the file is not lost.

use std::io::{self, Read};

use engine_core::pgn::check::Checker;
use engine_core::pgn::{RawGame, Reader};
use proptest::prelude::*;
use proptest::sample::Index;

/// Reads everything in every way and returns the games' errors.
fn read_all(bytes: &[u8]) -> Vec<Option<String>> {
    let mut raw = RawGame::new();
    let mut tags_only = Reader::new(bytes);
    while tags_only.read_tags(&mut raw).expect("memory can be read") {}
    let mut reader = Reader::new(bytes).with_comments();
    let mut checker = Checker::new();
    let mut errors = Vec::new();
    while reader.read_game(&mut raw).expect("memory can be read") {
        assert!(
            raw.comments()
                .all(|comment| comment.ply <= raw.sans().len())
        );
        let report = checker.check(&raw);
        errors.push(report.error.map(|error| error.to_string()));
    }
    assert!(errors.len() <= bytes.len());
    errors
}

/// Hands out a few bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len()).min(self.0.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

const GAMES: &str = "[Event \"a\"]\n[White \"Alpha \\\"A\\\"\"]\n[Result \"1-0\"]\n\n1. e4 {+0.31/12 0.020s} e5 (1... c5 2. Nf3 (2. c3)) 2. Qh5 $1 Nc6\n3. Bc4 ; to the end\nNf6?? 4. Qxf7# 1-0\n\n[Event \"b\"]\n[SetUp \"1\"]\n[FEN \"8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1\"]\n\n1. a8=Q h1=N 2. b8=R *\n\n% no more\n[Event \"c\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 1/2-1/2\n\n";

fn pgn_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[\\[\\]{}()\"\\\\;%$*.0-9a-hNBRQKOx=+#!? \r\n-]{0,16}".prop_map(String::into_bytes),
        Just(b"[Event \"x\"]\n".to_vec()),
        Just(b"1. e4 e5 ".to_vec()),
        Just(b"1-0\n\n".to_vec()),
        Just(b"\xEF\xBB\xBF".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..8),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(bytes in pgn_bytes()) {
        read_all(&bytes);
    }

    #[test]
    fn damage_anywhere_is_survived(
        damage in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..6),
        cut in any::<Index>(),
    ) {
        let mut bytes = GAMES.as_bytes().to_vec();
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        read_all(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        read_all(&bytes);
    }

    #[test]
    fn a_window_never_shows(bytes in pgn_bytes(), size in 1usize..40) {
        let all = |input: &mut dyn Read| {
            let mut reader = Reader::new(input).with_comments();
            let mut raw = RawGame::new();
            let mut games = Vec::new();
            while reader.read_game(&mut raw).expect("memory can be read") {
                games.push(format!("{raw:?}"));
            }
            games
        };
        // Behind so many lines the text crosses the end of the first window.
        let mut far = vec![b'\n'; (1 << 16) - bytes.len() / 2];
        far.extend(&bytes);
        prop_assert_eq!(all(&mut &far[..]).len(), all(&mut &bytes[..]).len());
        prop_assert_eq!(all(&mut Drops(&bytes, size)), all(&mut &bytes[..]));
    }

    /// Garbage without a tag or a result, at any place of the moves of the first game.
    #[test]
    fn garbage_in_one_game_leaves_the_others_alone(
        garbage in "[{}()a-zA-Z;%$.!?\"\\\\ \\n-]{1,30}",
        place in any::<Index>(),
    ) {
        let first_moves = GAMES.find("1. e4").expect("moves");
        let end = GAMES.find("1-0\n\n").expect("a result");
        let place = first_moves + place.index(end - first_moves);
        let mut text = GAMES.to_owned();
        text.insert_str(place, &garbage);
        let errors = read_all(text.as_bytes());
        let whole = errors.iter().rev().take(2).filter(|error| error.is_none()).count();
        prop_assert_eq!(whole, 2, "{:?}\n{}", errors, text);
    }
}

#[test]
fn the_games_used_here_are_whole() {
    assert_eq!(read_all(GAMES.as_bytes()), [None, None, None]);
}
