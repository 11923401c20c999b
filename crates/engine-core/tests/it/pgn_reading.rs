//! PGN read as it is found in the world.

use std::io::{self, Read};

use engine_core::pgn::{GameResult, RawGame, Reader};
use engine_core::{CastlingStyle, Color, Game, Outcome};

/// All games of a text: how many plies can be played, and what is wrong.
fn summary(text: &[u8]) -> Vec<(usize, String)> {
    let mut reader = Reader::new(text);
    let mut raw = RawGame::new();
    let mut game = Game::default();
    let mut games = Vec::new();
    while reader.read_game(&mut raw).expect("memory can be read") {
        let error = raw.replay_into(&mut game).err();
        games.push((
            game.plies(),
            error.map_or(String::new(), |error| error.to_string()),
        ));
    }
    games
}

/// The text has these games; an empty error is none.
#[track_caller]
fn check(text: &str, expected: &[(usize, &str)]) {
    let found = summary(text.as_bytes());
    let found: Vec<(usize, &str)> = found
        .iter()
        .map(|(plies, error)| (*plies, error.as_str()))
        .collect();
    assert_eq!(found, expected, "in {text:?}");
}

fn first(text: &str) -> RawGame {
    let mut raw = RawGame::new();
    let mut reader = Reader::new(text.as_bytes()).with_comments();
    assert!(reader.read_game(&mut raw).expect("memory can be read"));
    raw
}

#[test]
fn nothing_is_no_game() {
    for text in [
        "",
        "\n\n",
        "\u{feff}",
        "% a line\n",
        "; a line",
        "{ a comment }",
        "some words\n\nand more",
    ] {
        check(text, &[]);
    }
}

#[test]
fn games_need_no_tags_and_no_result() {
    check("e4 e5", &[(2, "")]);
    check("1. e4 e5 *", &[(2, "")]);
    check("1. e4 1-0 1. d4 d5 0-1", &[(1, ""), (2, "")]);
    check("e4 1-0\n\nd4 d5 0-1\n", &[(1, ""), (2, "")]);
    check(
        "[White \"A\"]\n1. e4\n[White \"B\"]\n1. d4 d5",
        &[(1, ""), (2, "")],
    );
}

#[test]
fn tags_without_moves_are_games() {
    check(
        "[Event \"a\"]\n[White \"b\"]\n\n[Event \"c\"]\n\n\n[Event \"d\"]\n1. e4 *",
        &[(0, ""), (0, ""), (1, "")],
    );
    check("[White \"a\"]\n\n[White \"b\"]\n\n*", &[(0, ""), (0, "")]);
    check("[Event \"a\"]\n[Event \"b\"]\n*", &[(0, ""), (0, "")]);
    // A blank line or a comment among the tags of one game.
    check(
        "[Event \"a\"]\n\n[White \"b\"]\n{c}\n[Black \"d\"]\n; e\n\n1. e4 *",
        &[(1, "")],
    );
}

#[test]
fn tags_alone_need_not_be_the_same_in_every_game() {
    check(
        "[White \"A\"]\n[Result \"1-0\"]\n\n[Event \"E\"]\n[White \"B\"]\n\n1. e4 *\n",
        &[(0, ""), (1, "")],
    );
    // With players and a result it is whole, whatever the next one begins with.
    let players = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]";
    for first in ["Site", "Date", "Round", "GameId", "ECO"] {
        let tag = format!("[{first} \"x\"]");
        check(
            &format!("{players}\n\n{tag}\n{players}\n"),
            &[(0, ""), (0, "")],
        );
        check(
            &format!("{tag}\r\n{players}\r\n\r\n\r\n{players}\r\n\r\n{tag}\r\n{players}"),
            &[(0, ""), (0, ""), (0, "")],
        );
    }
    // What its own moves begin from may stand behind a blank line.
    check(
        &format!(
            "{players}\n\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O *"
        ),
        &[(1, "")],
    );
}

#[test]
fn what_stands_between_games_is_passed_over() {
    check(
        "Games of the day (1-0)\n\n[Event \"a\"]\n1. e4 1-0 White resigns, 40. Qh5!\n\n[Event \"b\"]\n1. d4 0-1",
        &[(1, ""), (1, "")],
    );
    check("1. e4 1-0\n1-0\n*\n", &[(1, "")]);
    check(
        "[Event \"a\"]\n1. e4 * {adjudicated}\n\u{feff}[Event \"b\"]\n1. d4 *",
        &[(1, ""), (1, "")],
    );
    check(
        "[Event \"a\"]\n1. e4\n\u{feff}[Event \"b\"]\n1. d4 *",
        &[(1, ""), (1, "")],
    );
}

#[test]
fn every_result_is_known() {
    let result = |text: &str| first(text).result();
    let white = GameResult::Finished(Outcome::win(Color::White));
    assert_eq!(result("1. e4 1-0"), Some(white));
    assert_eq!(
        result("1. e4 0-1"),
        Some(GameResult::Finished(Outcome::win(Color::Black)))
    );
    assert_eq!(
        result("1. e4 1/2-1/2"),
        Some(GameResult::Finished(Outcome::Draw))
    );
    assert_eq!(
        result("1. e4 1/2"),
        Some(GameResult::Finished(Outcome::Draw))
    );
    assert_eq!(result("1. e4 *"), Some(GameResult::Unfinished));
    assert_eq!(result("1. e4"), None);
    assert_eq!("1-0".parse(), Ok(white));
    let error = "2-0".parse::<GameResult>().expect_err("no result");
    assert_eq!(
        error.to_string(),
        "a result is `1-0`, `0-1`, `1/2-1/2` or `*`"
    );
}

#[test]
fn move_numbers_come_in_every_form() {
    for text in [
        "1.e4 e5 2.Nf3 Nc6 *",
        "1. e4 1... e5 2. Nf3 2... Nc6 *",
        "1 e4 e5 2 Nf3 Nc6 *",
        "1 . e4 1 ... e5 2 . Nf3 2 . . . Nc6 *",
        "1.e4 1...e5 2.Nf3 2...Nc6*",
        "e4 e5 Nf3 Nc6 *",
        "17. e4 e5 3. Nf3 Nc6 *",
        "1.\ne4\r\ne5\r2.\tNf3\u{b}Nc6\n*",
        "1. e4! e5? 2. Nf3!! Nc6 ?? *",
        "1. e4 $1 e5 $2 $139 2. Nf3 += Nc6 -+ *",
    ] {
        check(text, &[(4, "")]);
    }
}

#[test]
fn comments_of_all_kinds_are_kept_on_demand() {
    let raw = first("{a}\n1. e4 {b} {c\nd} e5 ; e {\n2. Nf3 (2. f4 {f}) Nc6 {g ; h} ;\n*");
    let comments: Vec<(usize, &str)> = raw
        .comments()
        .map(|comment| (comment.ply, comment.text))
        .collect();
    assert_eq!(
        comments,
        [(1, "b"), (1, "c d"), (2, "e {"), (4, "g ; h"), (4, "")]
    );
    let raw = first("[Event \"x\"]\n{a}\n1. e4 *");
    assert_eq!(
        raw.comments()
            .next()
            .map(|comment| (comment.ply, comment.text)),
        Some((0, "a"))
    );
}

#[test]
fn variations_never_leak_into_the_main_line() {
    check(
        "1. e4 (1. d4 (1. c4 {)} c5) d5) (1. f4 ; )\n) e5 (1... c5) *",
        &[(2, "")],
    );
    check("1. e4 () e5 (((()))) 2. Nf3) Nc6 *", &[(4, "")]);
    check("1. e4 (1. Z0 -- nonsense 1-0 *) e5 *", &[(2, "")]);
    let deep = format!("1. e4 {} {} e5 *", "(".repeat(100_000), ")".repeat(100_000));
    check(&deep, &[(2, "")]);
}

#[test]
fn escape_lines_are_passed_over_everywhere() {
    check(
        "% first\n%second\n[Event \"a\"]\n% [Event \"b\"]\n\n% 1. d4\n1. e4\n% {\ne5 (\n% )\n1... c5) ;c\n%d\n*\n%\n",
        &[(2, "")],
    );
    // Only at the start of a line.
    check(
        "1. e4 % e5 *",
        &[(1, "game 1, line 1: ply 2: `%` is not a move")],
    );
}

#[test]
fn line_ends_of_all_systems_count_lines() {
    for end in ["\n", "\r\n", "\r"] {
        let text = [
            "[Event \"a\"]",
            "",
            "1. e4 ; c",
            "% d",
            "e5 {f",
            "g} 2. Ke3 *",
            "",
        ]
        .join(end);
        check(
            &text,
            &[(
                2,
                "game 1, line 6: ply 3: `Ke3` is illegal: no such king can go to `e3`",
            )],
        );
    }
}

#[test]
fn tags_are_read_though_they_are_not_written_well() {
    for (text, value) in [
        (r#"[White "A"]"#, "A"),
        (r#"[ White   "A" ]"#, "A"),
        (r#"[White"A"]"#, "A"),
        (r#"[White ""]"#, ""),
        (r#"[White "A\"B\\C"]"#, r#"A"B\C"#),
        (r#"[White "A "the" B"]"#, r#"A "the" B"#),
        (r#"[White "A [b] {c} (d) ; % e"]"#, "A [b] {c} (d) ; % e"),
        (r#"[White "A"] [Black "B"]"#, "A"),
        ("[White \"A\"\n", "A"),
        ("[White \"A\u{0}\u{7}B\tC\rD\"]", "AB CD"),
        (r#"[White "A\B"]"#, r"A\B"),
        ("[white \"A\"]", "A"),
        ("[White \"A\"]\n[White \"B\"]", "A"),
    ] {
        let raw = first(&format!("{text}\n1. e4 *"));
        assert_eq!(raw.tags().get("White"), Some(value), "{text}");
        assert_eq!(raw.error(), None, "{text}");
        assert_eq!(raw.sans().len(), 1, "{text}");
    }
}

#[test]
fn a_broken_tag_breaks_its_game_only() {
    check(
        "[Event \"a]\n[White \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n1. d4 *",
        &[
            (0, "game 1, line 1: a tag is `[Name \"value\"]` on one line"),
            (1, ""),
        ],
    );
    check(
        "[Event \"a\"]\n[White b]\n\n1. e4 *\n\n[Event \"c\"]\n\n1. d4 *",
        &[
            (0, "game 1, line 2: a tag is `[Name \"value\"]` on one line"),
            (1, ""),
        ],
    );
}

#[test]
fn a_broken_game_costs_only_itself() {
    let next = "\n\n[Event \"b\"]\n[White \"c\"]\n\n1. d4 {fine} d5 *\n";
    for (broken, plies, error) in [
        (
            "1. e4 Ke5 2. d4 *",
            1,
            "ply 2: `Ke5` is illegal: no such king can go to `e5`",
        ),
        ("1. e4 xyz 2. d4 1-0", 1, "ply 2: `xyz` is not a move"),
        ("1. e4 e5 2. --", 2, "ply 3: a null move cannot be played"),
        (
            "1. e4 e5 2. Z0 Nf6 *",
            2,
            "ply 3: a null move cannot be played",
        ),
        ("1. e4 <> *", 1, "ply 2: a null move cannot be played"),
        (
            "1. e4 e5 (2. d4",
            2,
            "the variation that begins here is never closed",
        ),
        (
            "1. e4 e5 (2. d4 {x) 3. c3",
            2,
            "the comment that begins here is never closed",
        ),
        (
            "1. e4 e5 {2. d4",
            2,
            "the comment that begins here is never closed",
        ),
        ("1. e4 e5 [2. d4 *", 2, "ply 3: `[` is not a move"),
        (
            "1. e4 e\u{1f600}5 *",
            1,
            "ply 2: `e\u{1f600}5` is not a move",
        ),
    ] {
        let error = format!("game 1, line 3: {error}");
        check(
            &format!("[Event \"a\"]\n\n{broken}{next}"),
            &[(plies, &error), (2, "")],
        );
    }
}

#[test]
fn only_a_new_game_ends_a_comment_that_is_not_closed() {
    // Text in brackets and even tags are part of a comment as long as they look like part of it.
    check(
        "1. e4 {[%clk 0:01] [Event \"x\"]\n[a]\n\n[b] c\n[Site \"x\"]} e5 *",
        &[(2, "")],
    );
    check(
        "1. e4 {x\n[Event \"y\"]\n1. d4 *",
        &[
            (
                1,
                "game 1, line 1: the comment that begins here is never closed",
            ),
            (1, ""),
        ],
    );
    check(
        "1. e4 {x\n \t\r\n[White \"y\"]\n1. d4 {z} d5 *",
        &[
            (
                1,
                "game 1, line 1: the comment that begins here is never closed",
            ),
            (2, ""),
        ],
    );
    check(
        "1. e4 {x",
        &[(
            1,
            "game 1, line 1: the comment that begins here is never closed",
        )],
    );
    check(
        "1. e4 (x",
        &[(
            1,
            "game 1, line 1: the variation that begins here is never closed",
        )],
    );
}

#[test]
fn the_first_fault_is_the_one_that_is_reported() {
    check(
        "1. e4 Qd5 2. xyz {a",
        &[(
            1,
            "game 1, line 1: ply 2: `Qd5` is illegal: no such queen can go to `d5`",
        )],
    );
    check(
        "1. e4 xyz Qd5 {a",
        &[(1, "game 1, line 1: ply 2: `xyz` is not a move")],
    );
}

#[test]
fn the_start_is_what_the_tags_say() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 15";
    let replayed = first(&format!("[FEN \"{fen}\"]\n\n15. e4 *"))
        .replay()
        .expect("legal");
    assert_eq!(replayed.start().fen(), fen);
    check(
        "[SetUp \"1\"]\n\n1. e4 *",
        &[(
            0,
            "game 1, line 1: the tag `SetUp` announces a FEN, but there is none",
        )],
    );
    check("[SetUp \"0\"]\n\n1. e4 *", &[(1, "")]);
    check(
        "[Variant \"Crazyhouse\"]\n\n1. e4 *",
        &[(
            0,
            "game 1, line 1: the variant `Crazyhouse` is not known, only standard chess and Chess960 are",
        )],
    );
    check(
        "\n[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n[Event \"b\"]\n1. e4 *",
        &[
            (
                0,
                "game 1, line 2: the FEN `4k3/8/8/8/8/8/8/8 w - - 0 1` cannot be played: white has no king",
            ),
            (1, ""),
        ],
    );
}

#[test]
fn chess960_has_many_names() {
    let style = |tags: &str| {
        let raw = first(&format!("{tags}\n\n*"));
        engine_core::pgn::Start::from_tags(raw.tags()).map(|start| start.style)
    };
    for name in [
        "Chess960",
        "chess 960",
        "chess-960",
        "CHESS960",
        "960",
        "fischerandom",
        "Fischerandom",
        "Fischer Random",
        "fischerrandom",
        "FRC",
        "DFRC",
        "Double Fischer Random",
        "Freestyle",
    ] {
        assert_eq!(
            style(&format!("[Variant \"{name}\"]")),
            Ok(CastlingStyle::Chess960),
            "{name}"
        );
    }
    for name in [
        "",
        "Standard",
        "normal",
        "chess",
        "From Position",
        "From position",
    ] {
        assert_eq!(
            style(&format!("[Variant \"{name}\"]")),
            Ok(CastlingStyle::Standard),
            "{name}"
        );
    }
    for name in ["Antichess", "Шахматы", "960 Atomic", "Double Bughouse"] {
        assert!(style(&format!("[Variant \"{name}\"]")).is_err(), "{name}");
    }
    // A position that needs it is Chess960 without being called so.
    let frc = "[FEN \"nbqrnkbr/pppppppp/8/8/8/8/PPPPPPPP/NBQRNKBR w KQkq - 0 1\"]";
    assert_eq!(style(frc), Ok(CastlingStyle::Chess960));
}

#[test]
fn a_game_knows_where_it_begins() {
    let text = "junk\n\n[Event \"a\"]\n\n1. e4 *\n\n\n[Event \"b\"]\n\n1. d4 d5 *";
    let mut reader = Reader::new(text.as_bytes());
    let mut raw = RawGame::new();
    let mut places = Vec::new();
    while reader.read_game(&mut raw).expect("memory can be read") {
        places.push((raw.number(), raw.line(), raw.offset()));
    }
    assert_eq!(places, [(1, 3, 6), (2, 8, 29)]);
    let second = first(&text[29..]);
    assert_eq!(second.tags().get("Event"), Some("b"));
}

#[test]
fn tags_alone_split_games_like_their_moves_do() {
    let text = "[Event \"a\"]\n\n1. e4 xyz (1. d4 {)} 1-0) e5 {c\nd} 0-0 1/2-1/2\n\n[Event \"b\"]\n{x}\n[White \"y\"]\n1. d4\n[Event \"c\"]\n\n*";
    let all = |tags_alone: bool| {
        let mut reader = Reader::new(text.as_bytes());
        let mut raw = RawGame::new();
        let mut games = Vec::new();
        while match tags_alone {
            true => reader.read_tags(&mut raw),
            false => reader.read_game(&mut raw),
        }
        .expect("memory can be read")
        {
            games.push((raw.line(), raw.tags().clone(), raw.result()));
        }
        games
    };
    assert_eq!(all(true), all(false));
    assert_eq!(all(true).len(), 3);
}

#[test]
fn an_error_of_the_input_is_passed_on() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let mut reader = Reader::new(b"1. e4 ".chain(Broken));
    let error = reader
        .read_game(&mut RawGame::new())
        .expect_err("the input is broken");
    assert_eq!(error.to_string(), "the disk is gone");
}
