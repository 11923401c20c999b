//! Games: reading ends, and a game that is whole is the same when it is written and read again.

use engine_core::pgn::check::Checker;
use engine_core::pgn::{GameResult, RawGame, Reader, Start, Writer};

/// Files with all that games may have.
pub const SEEDS: &[&[u8]] = &[
    b"[Event \"a\"]\n[White \"Alpha \\\"A\\\"\"]\n[Result \"1-0\"]\n\n1. e4 {+0.31/12 0.020s} e5 (1... c5 2. Nf3 (2. c3)) 2. Qh5 $1 Nc6\n3. Bc4 ; to the end\nNf6?? 4. Qxf7# 1-0\n\n[Event \"b\"]\n[SetUp \"1\"]\n[FEN \"8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1\"]\n\n1. a8=Q h1=N 2. b8=R *\n",
    b"\xef\xbb\xbf[Event \"?\"]\r\n[FEN \"1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1\"]\r\n[Variant \"chess 960\"]\r\n\r\n1. O-O O-O-O 1/2-1/2\r\n",
    b"% escape\n[Termination \"time forfeit\"]\n[Result \"0-1\"]\n\n{first} 1.e4 1...e5 2 Nf3 Nc6 Bb5 a6 0-1 trailing\n\n1. d4 d5 *",
    b"[Event \"unclosed]\n\n1. e4 {never closed\n\n[Event \"next\"]\n\n1. -- Z0 0-0-0 e8Q exd6e.p. *\n",
];

/// Reads a file in each way, checks it, and writes what was whole.
///
/// # Panics
/// If something does not hold.
pub fn body(bytes: &[u8]) {
    let mut raw = RawGame::new();
    let mut tags_only = Reader::new(bytes);
    while tags_only.read_tags(&mut raw).expect("memory can be read") {}
    let mut reader = Reader::new(bytes).with_comments();
    let mut checker = Checker::new();
    let mut games = 0;
    while reader.read_game(&mut raw).expect("memory can be read") {
        games += 1;
        assert!(games <= bytes.len(), "a game is made of something");
        assert!(
            raw.comments()
                .all(|comment| comment.ply <= raw.sans().len())
        );
        let report = checker.check(&raw);
        let replayed = raw.replay();
        assert_eq!(report.error.is_none(), replayed.is_ok(), "{report:?}");
        if let Ok(game) = replayed {
            rewrite(&raw, game.moves());
        }
    }
}

/// Writes a game that is whole and reads it again.
fn rewrite(raw: &RawGame, moves: &[engine_core::Move]) {
    let start = Start::from_tags(raw.tags()).expect("it was replayed from there");
    let result = raw.result().unwrap_or(GameResult::Unfinished);
    let mut text = String::new();
    let mut writer = Writer::new(&mut text, raw.tags(), &start, result);
    let mut comments = raw.comments().peekable();
    for (ply, &mv) in moves.iter().enumerate() {
        while let Some(comment) = comments.next_if(|comment| comment.ply <= ply) {
            writer.comment(comment.text);
        }
        writer.play(mv);
    }
    comments.for_each(|comment| writer.comment(comment.text));
    writer.finish();
    let mut reader = Reader::new(text.as_bytes());
    let mut again = RawGame::new();
    assert!(
        reader.read_game(&mut again).expect("memory can be read"),
        "{text}"
    );
    let game = again.replay();
    let game = game.unwrap_or_else(|error| panic!("{error} in what was written:\n{text}"));
    assert_eq!(game.moves(), moves, "{text}");
    assert_eq!(again.result(), Some(result), "{text}");
    assert!(
        !reader.read_game(&mut again).expect("memory can be read"),
        "{text}"
    );
}
