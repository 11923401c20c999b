//! The shape of `summary.json`.

use std::time::Duration;

use engine_core::Color;
use match_core::contest::Sequential;
use match_core::fault::Fault;
use match_core::fixture::GameNumber;
use match_core::ledger::Ledger;
use match_core::spec::Spec;
use match_core::summary::Summary;
use match_core::verdict::Verdict;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::sample::{contest, forfeit, mate_by, record, schedule, stalemate};

/// The summary of games that ended by `verdicts`, in order.
fn summary(spec: &Spec, verdicts: impl IntoIterator<Item = Verdict>) -> Value {
    let schedule = schedule(spec, 10);
    let mut ledger = Ledger::new();
    for (number, verdict) in (0..).zip(verdicts) {
        let fixture = schedule.fixture(GameNumber(number));
        ledger
            .record(&record(fixture, verdict))
            .expect("a game is recorded once");
    }
    let summary = Summary::new(spec, &ledger, None, Duration::from_micros(21_400_400));
    serde_json::to_value(summary).expect("a summary is JSON")
}

/// The same with fractions rounded to three decimals: the last digits are libm's affair.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("a fraction");
            json!((number * 1000.0).round() / 1000.0)
        }
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(items) => items
            .into_iter()
            .map(|(key, value)| (key, rounded(value)))
            .collect(),
        other => other,
    }
}

/// The verdicts of the two games of pairs with these scores.
fn pairs(pentanomial: [usize; 5]) -> Vec<Verdict> {
    let [white, black] = [Color::White, Color::Black].map(|color| move || mate_by(color));
    let both: [[Verdict; 2]; 5] = [
        [black(), white()],
        [stalemate(), white()],
        [stalemate(), stalemate()],
        [stalemate(), black()],
        [white(), black()],
    ];
    both.iter()
        .zip(pentanomial)
        .flat_map(|(games, count)| std::iter::repeat_n(games.clone(), count).flatten())
        .collect()
}

#[test]
fn strength_follows_from_the_pentanomial() {
    // The published example of fishtest's report.
    let spec = contest(2, 650, "");
    let summary = summary(&spec, pairs([12, 150, 300, 170, 18]));
    assert_eq!(summary["pentanomial"], json!([12, 150, 300, 170, 18]));
    assert_eq!(
        (&summary["games"], &summary["pairs"]),
        (&json!(1300), &json!(650))
    );
    assert_eq!(
        [&summary["elo"], &summary["nelo"]].map(|measured| rounded(measured.clone())),
        [
            json!({"value": 8.554, "ci95": [-2.416, 19.541]}),
            json!({"value": 14.727, "ci95": [-4.16, 33.613]}),
        ]
    );
    assert_eq!(rounded(summary["los"].clone()), json!(0.937));
}

#[test]
fn the_shape_of_two_engines_is_frozen() {
    let games = [
        mate_by(Color::White),
        mate_by(Color::Black),
        stalemate(),
        forfeit(Color::White, Fault::Crash),
        mate_by(Color::White),
    ];
    assert_eq!(
        rounded(summary(&contest(2, 10, ""), games)),
        json!({
            "games": 5, "pairs": 2, "plies": 0, "wall_seconds": 21.4,
            "engines": [
                {"name": "a", "wins": 4, "losses": 0, "draws": 1,
                 "time_losses": 0, "crashes": 0, "stalls": 0, "illegal_moves": 0},
                {"name": "b", "wins": 0, "losses": 4, "draws": 1,
                 "time_losses": 0, "crashes": 1, "stalls": 0, "illegal_moves": 0},
            ],
            "pentanomial": [0, 0, 0, 1, 1],
            "elo": {"value": 336.557, "ci95": [145.158, 1199.826]},
            "nelo": {"value": 720.946, "ci95": [380.72, 1061.171]},
            "los": 1.0,
            "terminations": {"checkmate": 3, "crash": 1, "stalemate": 1},
            "void_games": 0,
        })
    );
}

/// The section of the sequential test that `sprt` describes, after pairs with these scores.
fn sequential(sprt: &str, pentanomial: [usize; 5]) -> Value {
    let spec = crate::sample::spec(&format!(
        "each = {{ cmd = 'x', nodes = 1 }}\nengine = [{{ name = 'a' }}, {{ name = 'b' }}]\n\
         sprt = {{ {sprt} }}",
    ));
    let schedule = schedule(&spec, 10);
    let mut ledger = Ledger::new();
    for (number, verdict) in (0..).zip(pairs(pentanomial)) {
        let fixture = schedule.fixture(GameNumber(number));
        ledger
            .record(&record(fixture, verdict))
            .expect("a game is recorded once");
    }
    let mut sequential = Sequential::new(spec.sprt.expect("a test"));
    sequential.follow(&ledger);
    let summary = Summary::new(&spec, &ledger, Some(&sequential), Duration::ZERO);
    let json = serde_json::to_value(summary).expect("a summary is JSON");
    rounded(json["sprt"].clone())
}

#[test]
fn the_shape_of_a_sequential_test_is_frozen() {
    let mut test = sequential(
        "elo0 = 0, elo1 = 2, alpha = 0.05, beta = 0.05",
        [12, 150, 300, 170, 18],
    );
    // How exactly these come out is the affair of the statistics.
    for (place, about, tolerance) in [
        ("/lower", -2.262, 0.01),
        ("/upper", 2.262, 0.01),
        ("/expected_remaining_pairs", 67_000.0, 1000.0),
        ("/estimate/value", 8.57, 0.1),
        ("/estimate/ci95/0", -2.42, 0.1),
        ("/estimate/ci95/1", 19.58, 0.1),
        ("/estimate/los", 0.937, 0.002),
    ] {
        let value = test.pointer_mut(place).expect("it is there");
        let off = value.as_f64().expect("a number") - about;
        assert!(off.abs() < tolerance, "{place} is {value}");
        *value = json!("a number");
    }
    assert_eq!(
        test,
        json!({"model": "normalized", "elo0": 0.0, "elo1": 2.0, "alpha": 0.05, "beta": 0.05,
               "rule": "curved", "preset": "general", "llr": 0.295,
               "lower": "a number", "upper": "a number", "state": "running", "pairs": 650,
               "expected_remaining_pairs": "a number",
               "estimate": {"value": "a number", "ci95": ["a number", "a number"],
                            "los": "a number"}})
    );
    assert_eq!(summary(&contest(2, 10, ""), []).get("sprt"), None);
}

#[test]
fn before_its_first_pair_a_sequential_test_estimates_nothing() {
    let test = sequential(
        "elo0 = 0, elo1 = 2, alpha = 0.05, beta = 0.1, rule = 'wald'",
        [0; 5],
    );
    assert_eq!(
        [
            &test["rule"],
            &test["preset"],
            &test["state"],
            &test["estimate"]
        ],
        [
            &json!("wald"),
            &json!(null),
            &json!("running"),
            &json!(null)
        ]
    );
    assert_eq!(
        [&test["llr"], &test["lower"], &test["upper"]],
        [&json!(0.0), &json!(-2.251), &json!(2.89)]
    );
    assert!(test["expected_remaining_pairs"].is_f64(), "{test}");
}

#[test]
fn after_its_decision_a_sequential_test_needs_no_more_pairs() {
    let test = sequential("elo0 = 0, elo1 = 20, model = 'logistic'", [0, 0, 0, 0, 200]);
    assert_eq!(
        [&test["state"], &test["expected_remaining_pairs"]],
        [&json!("accepted_h1"), &json!(null)]
    );
    assert!(test["pairs"].as_u64().expect("a number") < 200, "{test}");
    assert!(test["estimate"]["value"].is_f64(), "{test}");

    let test = sequential(
        "elo0 = 0, elo1 = 20, model = 'bayesian'",
        [40, 20, 0, 20, 0],
    );
    assert_eq!(test["state"], json!("accepted_h0"));
    assert!(test["pairs"].as_u64().expect("a number") < 80, "{test}");
}

#[test]
fn what_is_undefined_is_null() {
    let undefined = json!({"value": null, "ci95": null});
    let nothing = summary(&contest(2, 10, ""), []);
    assert_eq!(nothing["games"], json!(0));
    assert_eq!(nothing["elo"], undefined);
    assert_eq!(nothing["nelo"], undefined);
    assert_eq!(nothing["los"], json!(null));
    assert_eq!(nothing["terminations"], json!({}));

    let half_a_pair = summary(&contest(2, 10, ""), [mate_by(Color::White)]);
    assert_eq!(half_a_pair["engines"][0]["wins"], json!(1));
    assert_eq!(half_a_pair["pairs"], json!(0));
    assert_eq!(half_a_pair["elo"], undefined);

    let all_won = [Color::White, Color::Black].map(mate_by);
    assert_eq!(summary(&contest(2, 10, ""), all_won)["elo"], undefined);

    let even = summary(&contest(2, 10, ""), [stalemate(), stalemate()]);
    assert_eq!(even["elo"], json!({"value": 0.0, "ci95": null}));
}

#[test]
fn three_engines_have_their_scores_and_a_crosstable() {
    // In the order of play: b-c, c-b, a-c, c-a, a-b.
    let games = [
        mate_by(Color::White),
        stalemate(),
        mate_by(Color::White),
        mate_by(Color::Black),
        stalemate(),
    ];
    let summary = summary(&contest(3, 1, ""), games);
    let scores: Vec<&Value> = (0..3).map(|i| &summary["engines"][i]["score"]).collect();
    assert_eq!(scores, [&json!(2.5), &json!(2.0), &json!(0.5)]);
    assert_eq!(
        summary["crosstable"],
        json!([
            {"engine": "a", "opponent": "b", "wins": 0, "losses": 0, "draws": 1,
             "pentanomial": [0, 0, 0, 0, 0]},
            {"engine": "a", "opponent": "c", "wins": 2, "losses": 0, "draws": 0,
             "pentanomial": [0, 0, 0, 0, 1]},
            {"engine": "b", "opponent": "c", "wins": 1, "losses": 0, "draws": 1,
             "pentanomial": [0, 0, 0, 1, 0]},
        ])
    );
    assert_eq!(summary["pentanomial"], json!([0, 0, 0, 0, 1]));
    assert_eq!(summary["pairs"], json!(2));
}

fn has_only_finite_numbers(text: &str) -> bool {
    !["NaN", "nan", "inf", "-0.0,", "-0.0}", "-0.0]"]
        .iter()
        .any(|wrong| text.contains(wrong))
}

proptest! {
    #[test]
    fn whatever_the_results_the_json_is_sound(
        engines in 2_usize..5,
        kinds in prop::collection::vec(0_usize..4, 0..40),
    ) {
        let verdicts = kinds.into_iter().map(|kind| match kind {
            0 => mate_by(Color::White),
            1 => mate_by(Color::Black),
            2 => stalemate(),
            _ => forfeit(Color::White, Fault::Crash),
        });
        let text = summary(&contest(engines, 20, ""), verdicts).to_string();
        prop_assert!(has_only_finite_numbers(&text), "{}", text);
    }
}
