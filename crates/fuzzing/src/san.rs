//! Moves in words, of SAN and of UCI: what is read is legal, and means what it is written as.

use engine_core::{CastlingStyle, Position};

/// A position, a line end, and a move.
pub const SEEDS: &[&[u8]] = &[
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nNf3",
    b"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nO-O-O",
    b"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1\n0-0+!?",
    b"8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1\nc8=Q+",
    b"8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1\nc7c8Q",
    b"8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1\nQh4e1",
    b"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3\nexf6 e.p.",
    b"8/3N2k1/8/3N4/6N1/8/8/K7 w - - 0 1\nN5f6#",
    b"1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1\ne1h1",
    b"\n0000",
];

/// Reads a move.
///
/// # Panics
/// If something does not hold.
pub fn body(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let (fen, word) = text.split_once('\n').unwrap_or(("", text));
    let position = Position::from_fen(fen).unwrap_or(Position::startpos());
    if let Ok(mv) = position.parse_san(word) {
        assert!(position.is_legal(mv), "{word} in {}", position.fen());
        assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
    }
    for style in [CastlingStyle::Standard, CastlingStyle::Chess960] {
        if let Ok(mv) = position.parse_uci(word, style) {
            assert!(position.is_legal(mv), "{word} in {}", position.fen());
            let written = position.uci(mv, style);
            // Only the case of a promotion may differ.
            assert!(
                written.eq_ignore_ascii_case(word.trim()),
                "{word} became {written}"
            );
        }
    }
}
