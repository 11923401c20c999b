//! Faults of other programs with PGN, each with the right answer.

use std::path::Path;

use engine_core::pgn::{RawGame, Reader, Start, Writer};
use engine_core::{CastlingStyle, Game, Position, SanError};
use serde_json::Value;

use crate::shared;

/// About what engines and runners write into comments; nothing here can answer them.
const NOT_OF_PGN: [&str; 2] = ["B31", "B40"];

#[test]
fn every_case_of_pgn_has_the_right_answer() {
    let Some(cases) = shared::read("cases/pgn.jsonl") else {
        return;
    };
    let mut asked = 0;
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let id = case["id"].as_str().expect("an id");
        if NOT_OF_PGN.contains(&id) {
            continue;
        }
        check(id, &case["data"]);
        asked += 1;
    }
    assert!(asked >= 19, "only {asked} cases were asked");
}

/// A case says what it wants by the names of its data.
fn check(id: &str, data: &Value) {
    if let Some(sans) = data["san"].as_object() {
        let position: Position = data["fen"].as_str().expect("a FEN").parse().expect("legal");
        for (uci, san) in sans {
            let mv = position.parse_uci(uci, CastlingStyle::Standard).expect(uci);
            assert_eq!(position.san(mv), san.as_str().expect("SAN"), "{id}");
        }
        if let Some(san) = data["reject"].as_str() {
            check_ambiguous(&position, san);
        }
        return;
    }
    for Sample { text, games, plies } in samples(data) {
        let read = replay(&text);
        if let Some(games) = games {
            assert_eq!(read.len(), games, "{id}");
        }
        if let Some(plies) = plies {
            let counts: Vec<usize> = read.iter().map(|(_, game)| game.plies()).collect();
            assert_eq!(counts, plies, "{id}");
        }
        let (raw, game) = read.first().expect("a game");
        check_game(id, data, raw, game);
    }
}

/// What a case wants of the first game of each of its files.
fn check_game(id: &str, data: &Value, raw: &RawGame, game: &Game) {
    if let Some(fen) = data["fen"].as_str() {
        assert_eq!(game.start().fen(), fen, "{id}");
    }
    if let Some(number) = data["fullmove"].as_u64() {
        assert_eq!(u64::from(game.start().fullmove_number()), number, "{id}");
        assert!(rewritten(raw, game).contains("\n1. e4 Kd7 *"), "{id}");
    }
    if let Some(token) = data["first_token"].as_str() {
        let text = rewritten(raw, game);
        assert!(text.contains(&format!("\n\n{token} ")), "{id}: {text}");
        assert!(text.contains("[SetUp \"1\"]"), "{id}: {text}");
    }
    if let Some(moves) = data["uci"].as_array() {
        let mut follower = Game::new(*game.start());
        for (&mv, uci) in game.moves().iter().zip(moves) {
            let text = follower.position().uci(mv, CastlingStyle::Chess960);
            assert_eq!(text, uci.as_str().expect("a move"), "{id}");
            follower.play(mv).expect("legal");
        }
        let fen = "nbqrnrk1/pppppbpp/5p2/8/8/5P2/PPPPPBPP/NBQRNRK1 w - - 4 4";
        assert_eq!(game.position().fen(), fen, "{id}");
    }
    match id {
        "B05" => {
            let fen = "2kr1b1r/pppq1ppp/2np1n2/4p3/2B1P1b1/1QPP1N2/PP3PPP/RNB2RK1 w - - 3 8";
            assert_eq!(game.position().fen(), fen);
            let text = rewritten(raw, game);
            assert!(text.contains(" O-O ") && text.contains(" O-O-O "), "{text}");
        }
        "B06" => assert_eq!(raw.nags(), [(7, 5), (8, 6), (10, 4)]),
        "B11" => {
            let moves = "1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6 4. Nc3 *";
            assert!(rewritten(raw, game).contains(moves));
        }
        "B17" => {
            let event = r#"A (b) [c] {d} ; e "quoted" back\slash"#;
            assert_eq!(raw.tags().get("Event"), Some(event));
            let again = replay(rewritten(raw, game).as_bytes());
            assert_eq!(again[0].0.tags().get("Event"), Some(event));
        }
        "B23" => assert_eq!(raw.tags().iter().next(), Some(("Event", "Sample"))),
        _ => {}
    }
}

fn check_ambiguous(position: &Position, san: &str) {
    match position.parse_san(san) {
        Err(SanError::Ambiguous { candidates, .. }) => assert!(candidates.len() > 1),
        other => panic!("`{san}` was read as {other:?}"),
    }
}

/// A text that a case is about, and what it says of it.
struct Sample {
    text: Vec<u8>,
    games: Option<usize>,
    /// Of every game.
    plies: Option<Vec<usize>>,
}

fn samples(data: &Value) -> Vec<Sample> {
    let number = |value: &Value| value.as_u64().map(|number| number as usize);
    let counts = |value: &Value| match value {
        Value::Array(counts) => Some(counts.iter().filter_map(number).collect()),
        count => number(count).map(|count| vec![count]),
    };
    let file = |path: &str, games: &Value, plies: &Value| Sample {
        text: sample(path),
        games: number(games),
        plies: counts(plies),
    };
    let plies = &data["plies"];
    if let Some(text) = data["pgn"].as_str() {
        let (text, games) = (text.into(), None);
        return vec![Sample {
            text,
            games,
            plies: counts(plies),
        }];
    }
    if let Some(path) = data["file"].as_str() {
        return vec![file(path, &data["games"], plies)];
    }
    match &data["files"] {
        Value::Object(files) => files
            .iter()
            .map(|(path, plies)| file(path, &Value::Null, plies))
            .collect(),
        Value::Array(files) => files
            .iter()
            .map(|entry| match entry.as_str() {
                Some(path) => file(path, &Value::Null, plies),
                None => file(entry[0].as_str().expect("a path"), &entry[1], plies),
            })
            .collect(),
        other => panic!("no text in {other}"),
    }
}

/// A file of `../shared/pgn`, or the one we have written ourselves because it is not there.
fn sample(path: &str) -> Vec<u8> {
    let name = Path::new(path).file_name().expect("a file name");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../../../shared/pgn").join(name);
    let own = root.join("tests/data/pgn").join(name);
    std::fs::read(&shared)
        .or_else(|_| std::fs::read(&own))
        .unwrap_or_else(|error| panic!("`{}` cannot be read: {error}", own.display()))
}

/// All games of a text with what could be played of them.
fn replay(text: &[u8]) -> Vec<(RawGame, Game)> {
    let mut reader = Reader::new(text).with_comments();
    let mut raw = RawGame::new();
    let mut games = Vec::new();
    while reader.read_game(&mut raw).expect("memory can be read") {
        let mut game = Game::default();
        // A case that wants plies will see that they are missing.
        let _broken = raw.replay_into(&mut game);
        games.push((raw.clone(), game));
    }
    games
}

fn rewritten(raw: &RawGame, game: &Game) -> String {
    let start = Start::from_tags(raw.tags()).expect("a legal start");
    let result = raw.result().expect("a result");
    let mut text = String::new();
    let mut writer = Writer::new(&mut text, raw.tags(), &start, result);
    game.moves().iter().for_each(|&mv| writer.play(mv));
    writer.finish();
    text
}

/// Every file of `../shared/pgn`: how many plies of each game can be played, and what is wrong with
/// it.
#[test]
fn every_sample_file_is_read_as_it_is_meant() {
    const SAMPLES: [(&str, &[(usize, &str)]); 30] = [
        ("black_first", &[(1, "")]),
        ("bom_crlf", &[(4, "")]),
        ("chess960_xfen", &[(6, "")]),
        ("comment_before_first", &[(6, "")]),
        ("cr_in_fen", &[(0, "")]),
        ("engine_comment_nodepth", &[(7, "")]),
        (
            "fen_trailing_semicolon",
            &[(
                0,
                "game 1, line 1: the FEN `nbqrnkbr/pppppppp/8/8/8/8/PPPPPPPP/NBQRNKBR w HDhd - 0 1;` cannot be played",
            )],
        ),
        ("header_specials", &[(2, "")]),
        ("huge_headers", &[(1, "")]),
        ("latin1", &[(2, "")]),
        ("long_comment", &[(2, "")]),
        ("mate_without_hash", &[(7, "")]),
        ("newline_everywhere", &[(4, "")]),
        ("no_move_numbers", &[(5, "")]),
        ("nul_and_control", &[(3, "")]),
        (
            "null_moves",
            &[(3, "game 1, line 9: ply 4: a null move cannot be played")],
        ),
        ("over_disambiguated", &[(7, "")]),
        ("percent_escape", &[(4, "")]),
        ("promo_lowercase", &[(3, "")]),
        ("promo_no_equals", &[(4, "")]),
        ("result_mismatch", &[(4, "")]),
        (
            "spaced_numbers",
            &[(
                8,
                "game 1, line 9: ply 9: `Bd3d5` is illegal: no such bishop can go to `d5`",
            )],
        ),
        ("spaced_numbers_ok", &[(8, "")]),
        ("tag_order", &[(1, "")]),
        ("trailing_text_after_result", &[(2, ""), (1, "")]),
        (
            "truncated_then_next",
            &[(4, "game 1, line 9: ply 5: `Bg` is not a move"), (2, "")],
        ),
        ("two_blank_lines", &[(4, "")]),
        (
            "unclosed_brace",
            &[
                (
                    2,
                    "game 1, line 9: the comment that begins here is never closed",
                ),
                (2, ""),
            ],
        ),
        ("unterminated", &[(3, "")]),
        ("zeros_castling", &[(14, "")]),
    ];
    if shared::read("pgn/black_first.pgn").is_none() {
        return;
    }
    for (name, expected) in SAMPLES {
        let games = replay(&sample(&format!("{name}.pgn")));
        assert_eq!(games.len(), expected.len(), "{name}");
        for ((raw, game), &(plies, error)) in games.iter().zip(expected) {
            assert_eq!(game.plies(), plies, "{name}");
            let found = raw
                .replay()
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(
                found.starts_with(error) && found.is_empty() == error.is_empty(),
                "{name}: {found}"
            );
        }
    }
}

#[test]
fn text_that_is_not_utf8_is_latin1() {
    let text = b"[White \"M\xFCller, J\xF6rg\"]\n\n1. e4 {M\xE4rz, gro\xDFer Fehler} e5 1-0";
    let games = replay(text);
    let raw = &games[0].0;
    assert_eq!(raw.tags().get("White"), Some("Müller, Jörg"));
    let comment = raw.comments().next().expect("a comment");
    assert_eq!(comment.text, "März, großer Fehler");
}
