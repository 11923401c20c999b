//! Books, of positions and of games: what is counted can be opened and played.

use std::fs;

use book::Book;
use engine_core::Game;
use match_core::fixture::OpeningIndex;
use match_core::spec::{BookFormat, BookSource, Variant};

/// Books of each kind.
pub const SEEDS: &[&[u8]] = &[
    b"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\n\n# a comment\nrnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2; id \"B20\";\n",
    b"\xef\xbb\xbfrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -;\r\n1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 2 3 bm O-O; c0 \"a ; b\";",
    b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 15\"]\n\n1. e4 Kd7 *\n\n1. d4 d5 2. c4 1-0\n",
];

/// Opens a book in each format and takes every opening out of it.
///
/// # Panics
/// If something does not hold.
pub fn body(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the book");
    let path = folder.path().join("book");
    fs::write(&path, bytes).expect("a file can be written");
    for variant in [Variant::Standard, Variant::Chess960] {
        for (format, plies) in [
            (BookFormat::Epd, None),
            (BookFormat::Pgn, None),
            (BookFormat::Pgn, Some(1)),
        ] {
            let path = path.clone();
            let source = BookSource::File {
                path,
                format,
                plies,
            };
            if let Ok(book) = Book::open(&source, variant) {
                check(&book, variant, plies);
            }
        }
    }
}

fn check(book: &Book, variant: Variant, plies: Option<u32>) {
    for index in 0..book.len().get() {
        let opening = book.opening(OpeningIndex(index));
        let opening = opening.unwrap_or_else(|error| panic!("{error}"));
        assert!(variant == Variant::Chess960 || !opening.start.needs_chess960());
        assert!(plies.is_none_or(|plies| opening.moves.len() <= plies as usize));
        let game = Game::with_moves(opening.start, opening.moves.iter().copied());
        let game = game.expect("the moves of an opening are legal");
        assert_eq!(game.ending(), None, "an opening can be played on");
    }
}
