//! Faults that users of other programs met, as far as they are about clocks and games.

use std::path::Path;
use std::time::Duration;

use match_core::clock::Clock;
use match_core::limits::TimeControl;
use serde_json::Value;

use crate::table::Table;

/// The case with this number, or nothing when the cases are not here.
#[expect(clippy::print_stderr, reason = "what is not tested is said aloud")]
fn case(file: &str, id: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/cases")
        .join(file);
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("SKIPPED: ../shared is not here");
        return None;
    };
    let cases = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a case is JSON"));
    let case = cases.into_iter().find(|case| case["id"] == id);
    Some(case.expect("the case is there")["data"].take())
}

#[test]
fn c01_a_null_move_loses_with_moves_on_the_board() {
    let Some(data) = case("uci.jsonl", "C01") else {
        return;
    };
    for mode in data["modes"].as_array().expect("modes") {
        let word = match mode.as_str().expect("a name") {
            "bm_none" => "(none)",
            "bm_none_angle" => "<none>",
            "bm_0000" => "0000",
            "bm_null" => "NULL",
            "bm_a1a1" => "a1a1",
            "bm_empty" => "",
            mode => panic!("`{mode}` is a new one"),
        };
        let result = Table::new("1").play_out(word);
        assert_eq!(result, format!("0-1 white: illegal move `{word}`"));
        assert!(result.starts_with(data["result"].as_str().expect("a score")));
    }
}

#[test]
fn c02_a_promotion_in_upper_case_is_read() {
    let Some(data) = case("uci.jsonl", "C02") else {
        return;
    };
    let fen = data["fen"].as_str().expect("a position");
    assert_eq!(Table::new("1").fen(fen).play_out("c7c8Q"), "none");
    assert_eq!(
        Table::new("1").fen(fen).play_out("c7c8"),
        "0-1 white: illegal move `c7c8`"
    );
}

#[test]
fn d01_an_overrun_within_the_margin_leaves_the_increment() {
    let Some(data) = case("time.jsonl", "D01") else {
        return;
    };
    let millis = |key: &str| Duration::from_millis(data[key].as_u64().expect("milliseconds"));
    let mut clock = Clock::new(TimeControl {
        moves: None,
        base: millis("left_ms") - millis("inc_ms"),
        increment: millis("inc_ms"),
    });
    assert_eq!(clock.left(), millis("left_ms"));
    let forfeit = clock
        .charge(millis("used_ms"), millis("margin_ms"))
        .is_err();
    assert_eq!(forfeit, data["forfeit"]);
    assert_eq!(clock.left(), millis("next_ms"));
}

#[test]
fn d02_moves_to_go_count_down_and_begin_again() {
    let Some(data) = case("time.jsonl", "D02") else {
        return;
    };
    let mut clock = Clock::new(
        data["tc"]
            .as_str()
            .expect("a time control")
            .parse()
            .expect("a good one"),
    );
    for n in 1..=120 {
        if let Some(want) = data["movestogo"].get(n.to_string()) {
            assert_eq!(
                clock.moves_to_go().map(|moves| moves.get().into()),
                want.as_u64(),
                "move {n}"
            );
        }
        clock
            .charge(Duration::from_millis(300), Duration::ZERO)
            .expect("time enough");
    }
}
