//! PGN written, and read again.

use engine_core::pgn::{GameResult, RawGame, Reader, Start, Tags, Writer};
use engine_core::{CastlingStyle, Color, Game, Outcome, Position};
use proptest::prelude::*;
use proptest::sample::Index;

/// A game in SAN from a FEN, with a comment behind every ply, as text.
fn written(fen: &str, sans: &str, comment: &str) -> String {
    let position: Position = fen.parse().expect("a legal position");
    let style = match position.needs_chess960() {
        true => CastlingStyle::Chess960,
        false => CastlingStyle::Standard,
    };
    let start = Start { position, style };
    let result = GameResult::Finished(Outcome::win(Color::White));
    let mut text = String::new();
    let mut writer = Writer::new(&mut text, &Tags::new(), &start, result);
    for san in sans.split_whitespace() {
        let mv = writer.position().parse_san(san).expect(san);
        writer.play(mv);
        writer.comment(comment);
    }
    writer.finish();
    text
}

fn read_one(text: &str) -> RawGame {
    let mut reader = Reader::new(text.as_bytes()).with_comments();
    let mut raw = RawGame::new();
    assert!(reader.read_game(&mut raw).expect("memory can be read"));
    let mut another = RawGame::new();
    let more = reader.read_game(&mut another).expect("memory can be read");
    assert!(!more, "one game was written: {text}");
    raw
}

#[test]
fn the_roster_comes_first_then_the_start_then_the_others_in_their_order() {
    let tags: Tags = [
        ("TimeControl", "8+0.08"),
        ("White", "Alpha"),
        ("FEN", "nonsense"),
        ("Result", "*"),
        ("Bad name!", "kept"),
        ("!", "lost"),
        ("PlyCount", "2"),
    ]
    .into_iter()
    .collect();
    let start = Start {
        position: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("legal"),
        style: CastlingStyle::Standard,
    };
    let mut text = String::new();
    Writer::new(
        &mut text,
        &tags,
        &start,
        GameResult::Finished(Outcome::Draw),
    )
    .finish();
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Alpha"]
[Black "?"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[TimeControl "8+0.08"]
[Badname "kept"]
[PlyCount "2"]

1/2-1/2

"#;
    assert_eq!(text, expected);
}

#[test]
fn the_start_position_needs_no_fen_and_chess960_always_does() {
    let moves = "1. e4 e5 2. Nf3 1-0\n\n";
    let start = Position::startpos();
    let text = written(&start.fen(), "e4 e5 Nf3", "");
    assert!(!text.contains("FEN") && text.ends_with(moves), "{text}");

    let style = CastlingStyle::Chess960;
    let mut text = String::new();
    let start = Start {
        position: start,
        style,
    };
    Writer::new(&mut text, &Tags::new(), &start, GameResult::Unfinished).finish();
    let fen = "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1\"]\n[Variant \"Chess960\"]\n";
    assert!(text.contains(fen), "{text}");
}

#[test]
fn numbers_come_from_the_fen_and_black_may_begin() {
    let text = written("6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 4 31", "Ra1#", "");
    assert!(text.ends_with("\n\n31... Ra1# 1-0\n\n"), "{text}");
    let text = written("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7", "Kd7 e4 Kd6 e5+", "");
    assert!(
        text.ends_with("\n\n7... Kd7 8. e4 Kd6 9. e5+ 1-0\n\n"),
        "{text}"
    );
}

#[test]
fn black_has_no_number_behind_a_comment() {
    let text = written(&Position::startpos().fen(), "e4 e5", "book");
    assert!(
        text.ends_with("\n\n1. e4 {book} e5 {book} 1-0\n\n"),
        "{text}"
    );
}

#[test]
fn lines_are_at_most_80_characters_and_a_comment_stays_whole_if_it_can() {
    let sans = "Nf3 Nf6 Ng1 Ng8 ".repeat(30);
    let comment = "+0.31/12 0.020s, n=123456";
    let text = written(&Position::startpos().fen(), &sans, comment);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert_eq!(
        text.matches(&format!("{{{comment}}}")).count(),
        120,
        "{text}"
    );

    let long = format!(
        "+0.31/12 0.020s, pv=\"{}\" [%clk 1] %",
        "e2e4 e7e5 ".repeat(20)
    );
    let text = written(&Position::startpos().fen(), "e4 e5", &long);
    let moves = text.split("\n\n").nth(1).expect("moves");
    assert!(moves.lines().all(|line| line.len() <= 80), "{text}");
    assert!(
        moves.lines().all(|line| !line.starts_with(['[', '%', ';'])),
        "{text}"
    );
    assert!(
        read_one(&text)
            .comments()
            .all(|comment| comment.text == long),
        "{text}"
    );
    // A word that fits on no line is not torn.
    let word = "x".repeat(200);
    let text = written(&Position::startpos().fen(), "e4 e5", &format!("a {word} b"));
    assert!(text.contains(&format!("\n{word}\n")), "{text}");
}

#[test]
fn nothing_in_a_name_or_comment_breaks_the_file() {
    let nasty =
        "a \"b\" \\ c\\\" ] [Event \"x\"]\n\n[Event \"y\"]\r\n1. e4 } { ; % \u{0}\u{7} é \u{1f600}";
    let tags: Tags = [("White", nasty), ("Black", "\\"), ("Opening", "\"")]
        .into_iter()
        .collect();
    let start = Start {
        position: Position::startpos(),
        style: CastlingStyle::Standard,
    };
    let mut text = String::new();
    let mut writer = Writer::new(&mut text, &tags, &start, GameResult::Unfinished);
    writer.comment(nasty);
    let mv = writer.position().parse_san("e4").expect("legal");
    writer.play(mv);
    writer.comment("\n\n[Event \"z\"]\n}");
    writer.comment(" \n ");
    writer.finish();

    let raw = read_one(&text);
    let white = "a \"b\" \\ c\\\" ] [Event \"x\"]  [Event \"y\"]  1. e4 } { ; %    é \u{1f600}";
    assert_eq!(raw.tags().get("White"), Some(white));
    assert_eq!(raw.tags().get("Black"), Some("\\"));
    assert_eq!(raw.tags().get("Opening"), Some("\""));
    let comments: Vec<&str> = raw.comments().map(|comment| comment.text).collect();
    assert_eq!(comments.len(), 2);
    assert!(comments[0].contains("1. e4 ) ( ; %"), "{text}");
    assert_eq!(comments[1], "[Event \"z\"] )");
    assert_eq!(raw.replay().expect("legal").plies(), 1);
}

#[test]
fn a_tag_is_written_once_whatever_its_name_has_in_it() {
    let tags: Tags = [
        ("Event", "a"),
        ("Ev#ent", "b"),
        ("F.EN", "c"),
        ("Op en", "d"),
    ]
    .into_iter()
    .collect();
    let start = Start {
        position: Position::startpos(),
        style: CastlingStyle::Standard,
    };
    let mut text = String::new();
    Writer::new(&mut text, &tags, &start, GameResult::Unfinished).finish();
    let raw = read_one(&text);
    let named = |name: &str| {
        raw.tags()
            .iter()
            .filter(|(found, _)| *found == name)
            .count()
    };
    assert_eq!(
        (named("Event"), named("FEN"), named("Open")),
        (1, 0, 1),
        "{text}"
    );
    assert_eq!(raw.tags().get("Event"), Some("a"));
}

/// Any text, with what is dangerous in PGN more often than by chance.
fn nasty_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[Event \"x\"]\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\r".to_owned()),
        "[\\[\\]{}()\"\\\\;%$ 10/*-]{0,8}",
        "[a-z]{0,12} ",
        "\\PC{0,6}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// As comments and tags come back: control characters as blanks, blanks not counted.
fn words(text: &str) -> Vec<String> {
    text.replace(char::is_control, " ")
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

proptest! {
    #[test]
    fn every_game_is_read_as_it_was_written(
        number in 0u16..960,
        choices in proptest::collection::vec(any::<Index>(), 0..120),
        names in proptest::collection::vec(nasty_text(), 3),
        comments in proptest::collection::vec(nasty_text(), 5),
        outcome in prop_oneof![Just(None), Just(Some(Outcome::Draw)), Just(Some(Outcome::win(Color::Black)))],
    ) {
        let standard = number % 2 == 0;
        let position = match standard {
            true => Position::startpos(),
            false => Position::chess960_start(number).expect("below 960"),
        };
        let style = if standard { CastlingStyle::Standard } else { CastlingStyle::Chess960 };
        let start = Start { position, style };
        let mut game = Game::new(position);
        for choice in &choices {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play_unchecked(*choice.get(&moves));
        }

        let result = GameResult::new(outcome);
        let tags: Tags = ["Event", "White", "Annotator"].into_iter().zip(names.iter().map(String::as_str)).collect();
        let mut text = String::new();
        let mut writer = Writer::new(&mut text, &tags, &start, result);
        let mut said: Vec<(usize, Vec<String>)> = Vec::new();
        let mut say = |writer: &mut Writer<'_>, ply: usize| {
            let comment = &comments[ply % comments.len()];
            writer.comment(comment);
            let heard = words(&comment.replace('{', "(").replace('}', ")"));
            if !heard.is_empty() {
                said.push((ply, heard));
            }
        };
        say(&mut writer, 0);
        for (index, &mv) in game.moves().iter().enumerate() {
            writer.play(mv);
            if index % 3 == 0 {
                say(&mut writer, index + 1);
            }
        }
        writer.finish();

        // Twice, so that the games must be told apart.
        let twice = text.repeat(2);
        let mut reader = Reader::new(twice.as_bytes()).with_comments();
        let mut raw = RawGame::new();
        for _ in 0..2 {
            prop_assert!(reader.read_game(&mut raw).expect("memory can be read"));
            prop_assert_eq!(&raw.replay(), &Ok(game.clone()), "{}", text);
            prop_assert_eq!(Start::from_tags(raw.tags()), Ok(start));
            prop_assert_eq!(raw.result(), Some(result));
            for (name, value) in tags.iter() {
                prop_assert_eq!(words(raw.tags().get(name).unwrap_or_default()), words(value));
            }
            let heard: Vec<(usize, Vec<String>)> = raw.comments().map(|comment| (comment.ply, words(comment.text))).collect();
            prop_assert_eq!(&heard, &said, "{}", text);
        }
        prop_assert!(!reader.read_game(&mut raw).expect("memory can be read"));
    }
}
