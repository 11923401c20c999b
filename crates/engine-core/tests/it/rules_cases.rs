//! `../shared/cases/rules.jsonl`: faults other programs had, each with the right answer.
//!
//! Here are those about boards and FENs; those about whole games are tested with the games.

use engine_core::{CastlingSide, Color, Move, Position, Role, Square, perft};
use serde_json::Value;

use crate::shared;

/// Cases that need a game's history or its text.
const OF_GAMES: [&str; 6] = ["A18", "A22", "A29", "A30", "A31", "A32"];

/// Counts larger than this would take longer than they teach.
const NODES_MAX: u64 = 2_000_000;

#[test]
fn every_case_of_the_board_has_the_right_answer() {
    let Some(text) = shared::read("cases/rules.jsonl") else {
        return;
    };
    let mut checked = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a JSON line");
        let id = case["id"].as_str().expect("an id");
        checked += usize::from(check(id, &case["data"]));
    }
    assert!(checked >= 25, "only {checked} cases were checked");
}

/// Checks one case by whatever its data says; false if it belongs elsewhere.
fn check(id: &str, data: &Value) -> bool {
    check_perft(data);
    let checked = check_moves(id, data)
        || check_castlings(id, data)
        || check_fens(id, data)
        || check_ends(id, data);
    assert!(
        checked || OF_GAMES.contains(&id),
        "nobody tests {id}: {data}"
    );
    checked
}

/// Single moves: legal or not, and what follows.
fn check_moves(id: &str, data: &Value) -> bool {
    match id {
        "A01" | "A02" | "A06" | "A12" | "A14" | "A17" => {
            let position = position(&data["fen"]);
            check_move(id, &position, &data["move"], &data["legal"]);
            if let Some(after) = data["after"].as_str() {
                assert_eq!(played(&position, text(&data["move"])).fen(), after, "{id}");
            }
            if let Some(control) = data["control"].as_str() {
                let control = control.parse().expect("a legal position");
                check_move(id, &control, &data["move"], &Value::Bool(true));
            }
        }
        "A08" => {
            for (mv, after) in data["moves"].as_object().expect("moves") {
                assert_eq!(
                    played(&position(&data["fen"]), mv).fen(),
                    text(after),
                    "{id}"
                );
            }
        }
        "A15" | "A16" => {
            let position = position(&data["fen"]);
            assert_eq!(
                position.legal_moves().to_vec(),
                moves(&data["legal"]),
                "{id}"
            );
            assert!(!position.is_checkmate() && !position.is_stalemate(), "{id}");
        }
        "A42" => assert!(data["perft"].is_object(), "{id} is all perft"),
        "A43" => {
            for case in list(&data["cases"]) {
                let after = played(&position(&case[0]), text(&case[1]));
                assert_eq!(after.fen(), text(&case[2]), "{id}");
            }
        }
        _ => return false,
    }
    true
}

/// Castling, and which rook a right is for.
fn check_castlings(id: &str, data: &Value) -> bool {
    match id {
        "A03" | "A11" => {
            let position = position(&data["fen"]);
            check_castling(id, &position, &data["castling_moves"]);
            for right in list(&data["rights"]) {
                let rook = position.castling_rook(position.turn(), CastlingSide::AFile);
                assert_eq!(rook, Some(square(text(right))), "{id}");
            }
            if let [control, moves] = list(&data["control"]) {
                check_castling(id, &self::position(control), moves);
            }
        }
        "A04" => {
            let written = ["q", "q", "b"];
            for (case, letter) in list(&data["cases"]).iter().zip(written) {
                let position = position(&case[0]);
                check_castling(id, &position, &case[1]);
                assert_eq!(position.fen().split(' ').nth(2), Some(letter), "{id}");
            }
        }
        "A10" => {
            let position = position(&data["fen"]);
            assert!(position.needs_chess960(), "{id}");
            assert_eq!(
                Some(position.count_legal()),
                data["perft1_960"].as_u64(),
                "{id}"
            );
        }
        "A44" => {
            for case in list(&data["cases"]) {
                let castling = position(&case[0]).castling_move(CastlingSide::AFile);
                assert_eq!(Some(castling.is_some()), case[1].as_bool(), "{id}");
            }
        }
        _ => return false,
    }
    true
}

/// FENs that mean the same, are refused, or lose their en passant square.
fn check_fens(id: &str, data: &Value) -> bool {
    match id {
        "A05" => {
            for pair in list(&data["pairs"]) {
                assert_same(id, &position(&pair[0]), &position(&pair[1]));
            }
        }
        "A39" => assert_same(
            id,
            &position(&data["equal"][0]),
            &position(&data["equal"][1]),
        ),
        "A34" | "A35" | "A38" | "A46" => {
            for fen in list(&data["fens"]).iter().chain(data.get("fen")) {
                assert!(text(fen).parse::<Position>().is_err(), "{id}: {fen}");
            }
        }
        "A37" => {
            let fen = position(&data["fen"]).fen();
            assert_eq!(fen.split(' ').nth(3), data["ep_out"].as_str(), "{id}");
        }
        "A41" => check_malformed(id, data),
        _ => return false,
    }
    true
}

/// Mate, stalemate and material.
fn check_ends(id: &str, data: &Value) -> bool {
    match id {
        "A24" | "A26" | "A28" => check_material(id, data),
        "A27" => {
            let after = played(&position(&data["fen"]), text(&data["move"]));
            assert!(after.is_insufficient_material(), "{id}");
        }
        "A48" => {
            assert!(position(&data["stalemate"]).is_stalemate(), "{id}");
            assert!(position(&data["mate"]).is_checkmate(), "{id}");
        }
        _ => return false,
    }
    true
}

fn check_perft(data: &Value) {
    match &data["perft"] {
        Value::Array(counts) => check_counts(&data["fen"], counts),
        Value::Object(entries) => {
            for (fen, counts) in entries {
                check_counts(&Value::from(fen.as_str()), list(counts));
            }
        }
        _ => {}
    }
}

fn check_counts(fen: &Value, counts: &[Value]) {
    for (depth, nodes) in (1..).zip(counts) {
        let nodes = nodes.as_u64().expect("a count");
        if nodes <= NODES_MAX {
            assert_eq!(
                perft(&position(fen), depth),
                nodes,
                "{fen} at depth {depth}"
            );
        }
    }
}

fn check_move(id: &str, position: &Position, mv: &Value, legal: &Value) {
    let mv = self::mv(text(mv));
    let legal = legal.as_bool().expect("whether it is legal");
    assert_eq!(position.is_legal(mv), legal, "{id}: {mv:?} in {position:?}");
    assert_eq!(
        position.legal_moves().contains(&mv),
        legal,
        "{id}: {mv:?} in {position:?}"
    );
}

fn check_castling(id: &str, position: &Position, want: &Value) {
    let want = moves(want);
    let offered = CastlingSide::ALL
        .into_iter()
        .filter_map(|side| position.castling_move(side));
    assert_eq!(offered.collect::<Vec<_>>(), want, "{id}: {position:?}");
    let rooks = position.pieces(position.turn(), Role::Rook);
    let generated = position
        .legal_moves()
        .into_iter()
        .filter(|mv| rooks.contains(mv.to));
    assert_eq!(generated.collect::<Vec<_>>(), want, "{id}: {position:?}");
}

fn check_material(id: &str, data: &Value) {
    if let Some(insufficient) = data["insufficient"].as_bool() {
        assert_eq!(
            position(&data["fen"]).is_insufficient_material(),
            insufficient,
            "{id}"
        );
    } else {
        for fen in list(&data["insufficient"]) {
            assert!(position(fen).is_insufficient_material(), "{id}: {fen}");
        }
    }
    for fen in list(&data["not_insufficient"]) {
        assert!(!position(fen).is_insufficient_material(), "{id}: {fen}");
    }
    for fen in list(&data["mates"]).iter().chain(data.get("mate_example")) {
        assert!(position(fen).is_checkmate(), "{id}: {fen}");
    }
}

fn check_malformed(id: &str, data: &Value) {
    let start = Position::startpos();
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let accepted = ["w KQkq -", "w KQkq - 0 0", "w kqQK - 0 1"];
    for case in list(&data["cases"]) {
        let rest = text(case).trim_start_matches(['.', ' ']);
        let rest = if rest == "(board only)" { "" } else { rest };
        match format!("{board} {rest}").parse::<Position>() {
            Ok(position) => {
                assert!(accepted.contains(&rest), "{id}: {case} was accepted");
                assert_same(id, &position, &start);
                assert_eq!(position.fullmove_number(), 1, "{id}");
            }
            Err(error) => assert!(!accepted.contains(&rest), "{id}: {case}: {error}"),
        }
    }
}

fn assert_same(id: &str, one: &Position, other: &Position) {
    assert_eq!(one, other, "{id}");
    assert_eq!(one.key(), other.key(), "{id}");
    assert_eq!(one.fen(), other.fen(), "{id}");
}

fn position(fen: &Value) -> Position {
    let fen = text(fen);
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn played(position: &Position, mv: &str) -> Position {
    let mut after = *position;
    after
        .play(self::mv(mv))
        .unwrap_or_else(|error| panic!("{position:?}: {error}"));
    after
}

/// Castling in these cases is always written king takes rook, as `Move` has it.
fn mv(text: &str) -> Move {
    let promotion = text.chars().nth(4).and_then(Role::from_char);
    Move {
        from: square(&text[..2]),
        to: square(&text[2..4]),
        promotion,
    }
}

fn moves(list: &Value) -> Vec<Move> {
    self::list(list)
        .iter()
        .map(|mv| self::mv(text(mv)))
        .collect()
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn a_shielding_rook_forbids_castling_and_its_own_danger_does_not() {
    let castles = |fen: &str| {
        let position: Position = fen.parse().expect("a legal position");
        position.castling_move(CastlingSide::AFile).is_some()
    };
    assert!(!castles("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1"));
    assert!(castles("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1"));
    assert!(castles("4k3/8/8/8/8/1r6/8/R3K3 w Q - 0 1"));
    assert!(castles("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1"));
    assert!(!castles("4k3/8/8/8/8/3r4/8/R3K3 w Q - 0 1"));
}

#[test]
fn a_castling_right_belongs_to_its_own_side_only() {
    let position: Position = "4k3/8/8/8/8/8/8/r1R1K3 w Q - 0 1"
        .parse()
        .expect("a legal position");
    assert_eq!(
        position.castling_rook(Color::White, CastlingSide::AFile),
        Some(Square::C1)
    );
    assert_eq!(
        position.castling_rook(Color::Black, CastlingSide::AFile),
        None
    );
}
