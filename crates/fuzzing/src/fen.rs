//! Positions: whatever a FEN says, what is accepted can be played on, written and read again.

use engine_core::{CastlingStyle, Position, Setup};

/// Positions of every kind, good and bad.
pub const SEEDS: &[&[u8]] = &[
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    b"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    b"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    b"8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1",
    b"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    b"1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1",
    b"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    b"7k/5Q2/6K1/8/8/8/8/8 b - - 99 65535",
    b"4k3/8/8/8/8/8/8/4K2R w K",
    b"kk6/8/8/8/8/8/8/K7 w - - 0 1",
    b"8/8/8/8/8/8/8/8 w - - 0 1",
];

/// Reads a FEN.
///
/// # Panics
/// If something does not hold.
pub fn body(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let Ok(setup) = Setup::from_fen(text) else {
        return;
    };
    if let Ok(position) = Position::from_setup(&setup) {
        check(&position);
        for mv in position.legal_moves() {
            let mut next = position;
            next.play(mv).expect("a legal move is legal");
            assert_eq!(
                Position::from_setup(&next.to_setup()).as_ref(),
                Ok(&next),
                "{text}: {mv:?}"
            );
            check(&next);
        }
    }
}

/// What holds for every position.
pub(crate) fn check(position: &Position) {
    for fen in [position.fen(), position.fen_shredder()] {
        assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position), "{fen}");
    }
    let moves = position.legal_moves();
    assert_eq!(
        moves.is_empty(),
        position.is_checkmate() || position.is_stalemate()
    );
    for mv in moves {
        let san = position.san(mv);
        assert_eq!(position.parse_san(&san), Ok(mv), "{} {san}", position.fen());
        for style in [CastlingStyle::Standard, CastlingStyle::Chess960] {
            if style == CastlingStyle::Standard && position.needs_chess960() {
                continue;
            }
            let uci = position.uci(mv, style);
            assert_eq!(
                position.parse_uci(&*uci, style),
                Ok(mv),
                "{} {uci}",
                position.fen()
            );
        }
    }
}
