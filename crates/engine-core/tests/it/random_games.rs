//! Random games whose every ply an independent program has described: SAN, FEN, check, number of
//! legal moves, occurrences, and the facts at the end.

use engine_core::{CastlingStyle, Color, Ending, Game, Position, cannot_mate};
use serde_json::Value;

use crate::shared;

#[test]
fn every_ply_of_the_random_games_is_as_described() {
    let Some(text) = shared::read("vectors/rules/random_games.jsonl") else {
        return;
    };
    let games = text.lines().map(|line| {
        let game: Value = serde_json::from_str(line).expect("a line of JSON");
        check(&game);
    });
    assert!(games.count() >= 260);
}

fn check(described: &Value) {
    let start: Position = text(&described["start"]).parse().expect("a legal position");
    let style = match described["chess960"].as_bool() {
        Some(true) => CastlingStyle::Chess960,
        _ => CastlingStyle::Standard,
    };
    let list = |key: &str| described[key].as_array().expect("a list").clone();
    let (ucis, sans, fens) = (list("uci"), list("san"), list("fen"));
    let (checks, legal, repetitions) = (list("check"), list("legal"), list("repetitions"));

    let mut game = Game::new(start);
    for ply in 0..ucis.len() {
        let (uci, san) = (text(&ucis[ply]), text(&sans[ply]));
        let before = *game.position();
        let mv = before.parse_uci(uci, style).expect(uci);
        assert_eq!(before.uci(mv, style), uci);
        assert_eq!(before.san(mv), san, "{before:?}");
        assert_eq!(before.parse_san(san), Ok(mv), "{before:?}");
        game.play(mv).expect("a legal move");

        let after = game.position();
        let fen = match style {
            CastlingStyle::Standard => after.fen(),
            CastlingStyle::Chess960 => after.fen_shredder(),
        };
        assert_eq!(fen, text(&fens[ply]));
        assert_eq!(u64::from(after.is_check()), number(&checks[ply]), "{fen}");
        assert_eq!(after.count_legal(), number(&legal[ply]), "{fen}");
        assert_eq!(
            u64::from(game.repetitions()),
            number(&repetitions[ply]),
            "{fen}"
        );
    }
    check_end(&game, &described["final"]);
}

fn check_end(game: &Game, facts: &Value) {
    let position = game.position();
    let fact = |key: &str| facts[key].as_bool().expect("true or false");
    assert_eq!(position.is_checkmate(), fact("checkmate"));
    assert_eq!(position.is_stalemate(), fact("stalemate"));
    assert_eq!(
        position.is_insufficient_material(),
        fact("insufficient_material")
    );
    assert_eq!(
        cannot_mate(position, Color::White),
        fact("white_cannot_mate"),
        "{position:?}"
    );
    assert_eq!(
        cannot_mate(position, Color::Black),
        fact("black_cannot_mate"),
        "{position:?}"
    );
    assert_eq!(
        u64::from(position.halfmove_clock()),
        number(&facts["halfmove_clock"])
    );

    let expected = if fact("checkmate") {
        Some(Ending::Checkmate {
            winner: !position.turn(),
        })
    } else if fact("stalemate") {
        Some(Ending::Stalemate)
    } else if fact("insufficient_material") {
        Some(Ending::InsufficientMaterial)
    } else if fact("fivefold") {
        Some(Ending::FivefoldRepetition)
    } else if fact("threefold") {
        Some(Ending::ThreefoldRepetition)
    } else if fact("seventyfive_move") {
        Some(Ending::SeventyFiveMoveRule)
    } else if fact("fifty_move") {
        Some(Ending::FiftyMoveRule)
    } else {
        None
    };
    assert_eq!(game.ending(), expected, "{position:?}");
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}
