//! `arbiter stats`.

use std::fmt::Write;

use serde_json::Value;

use crate::bench::{Bench, assert_shown, shared};

/// The JSON that `arbiter stats` answers with; the other form must be sound too.
#[track_caller]
fn stats(words: &str) -> Value {
    let bench = Bench::new();
    let done = bench.run(&format!("stats {words} --json")).expect(0);
    sound(words, &done.out);
    sound(words, &bench.run(&format!("stats {words}")).expect(0).out);
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error} in {done:#?}"))
}

/// No number may be shown that is none, nor a zero with a sign.
#[track_caller]
fn sound(words: &str, text: &str) {
    let lower = text.to_lowercase();
    let pieces = lower.split(|c: char| c.is_whitespace() || "[],:{}\"".contains(c));
    for piece in pieces {
        // `+3 -0 =2` is a count of losses.
        let negative_zero = piece.starts_with("-0.") && piece.parse() == Ok(0.0);
        assert!(
            !negative_zero && !matches!(piece, "nan" | "-nan" | "inf" | "-inf" | "infinity"),
            "`{piece}` in the answer to `{words}`:\n{text}"
        );
    }
}

#[track_caller]
fn near(value: &Value, expected: f64, tolerance: f64) {
    let number = value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"));
    assert!(
        (number - expected).abs() <= tolerance,
        "{number} instead of {expected}"
    );
}

#[test]
fn counts_are_judged_as_in_the_report_of_a_match() {
    let lines = [
        "stats --pentanomial 12,150,300,170,18",
        "stats --pentanomial [3,20,50,22,5] --sprt 'elo0=0 elo1=2.5 rule=wald alpha=0.05 beta=0.1'",
        "stats --wdl 120,250,100 --sprt 'elo0=0 elo1=10 model=bayesian rule=wald'",
        "stats --pentanomial 0,0,0,0,0 --sprt 'elo0=0 elo1=5 rule=wald'",
        "stats --pentanomial 0,0,50,0,0",
        "stats --wdl 10,0,0",
        "stats --wdl 1,0,1",
        "stats --wdl 1,0,0 --sprt 'elo0=0 elo1=5'",
        "stats --pentanomial 0,0,0,1,0 --sprt 'elo0=0 elo1=5'",
    ];
    assert_shown("stats", &Bench::new().transcript(&lines));
}

#[test]
fn the_example_of_the_documentation_has_its_numbers() {
    let stats = stats(
        "--pentanomial 39,8843,26675,9240,44 --sprt 'elo0=0.5 elo1=2.5 rule=wald alpha=0.05 beta=0.05'",
    );
    near(&stats["elo"]["value"], 1.5768, 1e-4);
    near(&stats["elo"]["ci95"][0], 0.5465, 1e-4);
    near(&stats["nelo"]["value"], 3.48, 1e-3);
    near(&stats["los"], 0.998_648, 1e-6);
    near(&stats["draw_ratio"], 26_675.0 / 44_841.0, 1e-12);
    near(&stats["pairs_ratio"], 9284.0 / 8882.0, 1e-12);
    near(&stats["sprt"]["llr"], 2.9417, 1e-4);
    near(&stats["sprt"]["lower"], -2.9444, 1e-4);
    near(&stats["sprt"]["upper"], 2.9444, 1e-4);
    assert_eq!(stats["sprt"]["preset"], Value::Null);
    assert_eq!(stats["sprt_elo"], stats["sprt"]["estimate"]);
    near(&stats["sprt_elo"]["value"], 1.43, 0.01);
    assert_eq!([&stats["pairs"], &stats["games"]], [44_841, 89_682]);
}

#[test]
fn what_is_undefined_is_null() {
    let nothing = stats("--pentanomial 0,0,0,0,0 --sprt 'elo0=0 elo1=5'");
    for place in [
        "/score",
        "/elo/value",
        "/elo/ci95",
        "/nelo/value",
        "/los",
        "/draw_ratio",
    ] {
        assert_eq!(nothing.pointer(place), Some(&Value::Null), "{place}");
    }
    assert_eq!(nothing["sprt_elo"], Value::Null);
    assert_eq!(nothing["sprt"]["llr"], 0.0);
    assert_eq!(nothing["sprt"]["state"], "running");

    let perfect = stats("--wdl 10,0,0");
    assert_eq!(perfect["elo"]["value"], Value::Null);
    assert_eq!([&perfect["wins"], &perfect["games"]], [10, 10]);
    assert_eq!(
        [&perfect["pairs"], &perfect["pentanomial"]],
        [&Value::Null; 2]
    );
    assert_eq!(perfect.get("sprt"), None, "nobody asked");
}

#[test]
fn numbers_are_sound_whatever_the_counts() {
    let tests = [
        "elo0=0 elo1=5",
        "elo0=-1500 elo1=-500 model=logistic",
        "elo0=500 elo1=1500 rule=wald",
        "elo0=-0 elo1=0.5 preset=deadline",
    ];
    let counts = [
        "0,0,0,0,1",
        "1,0,0,0,0",
        "0,0,1,0,0",
        "0,1,0,0,0",
        "0,0,0,200,0",
        "5,0,0,0,5",
        "144,3,1,0,0",
        "549,54,33,1,0",
        "0,0,100000000,0,0",
        "0,0,0,0,10000000",
    ];
    for counts in counts {
        for test in tests {
            let stats = stats(&format!("--pentanomial {counts} --sprt '{test}'"));
            assert!(stats["sprt"]["llr"].is_f64(), "{stats}");
        }
    }
}

/// Games without moves, of which White's points are given in halves.
fn pgn(games: &[(&str, &str, &str, usize)]) -> String {
    let mut text = String::new();
    for (round, white, black, half_points) in games {
        let result = ["0-1", "1/2-1/2", "1-0"][*half_points];
        write!(
            text,
            "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n\n{result}\n\n"
        )
        .unwrap();
    }
    text
}

#[test]
fn pairs_of_a_pgn_are_found_and_told_from_one_side() {
    let games = [
        ("1.1", "new", "old", 2),
        ("2.1", "new", "old", 1),
        ("1.2", "old", "new", 1),
        ("2.2", "old", "new", 2),
        ("3.1", "old", "third", 2),
        ("4.1", "new", "old", 2),
        ("3.2", "third", "old", 2),
    ];
    let bench = Bench::new()
        .with("games.pgn", &pgn(&games))
        .with("alone.pgn", &pgn(&[("1", "a", "b", 2), ("2", "a", "b", 1)]))
        .with("none.pgn", "[White \"a\"]\n[Result \"*\"]\n\n*\n");
    let lines = [
        "stats --pgn games.pgn",
        "stats --pgn games.pgn --engine old --json",
        "stats --pgn games.pgn --sprt 'elo0=0 elo1=50 model=bayesian rule=wald'",
        "stats --pgn alone.pgn",
        "stats --pgn games.pgn --engine nwe",
        "stats --pgn none.pgn",
        "stats --pgn absent.pgn",
    ];
    assert_shown("stats-pgn", &bench.transcript(&lines));
}

#[test]
fn a_match_and_its_pgn_say_the_same() {
    let bench = Bench::new();
    let play = "match --engine 'sparring:3 name=new' --engine 'sparring:2 name=old' \
        --each nodes=60 --pairs 6 --quiet --pgn games.pgn --summary summary.json";
    bench.run(play).expect(0);
    let summary: Value = serde_json::from_str(&bench.read("summary.json")).unwrap();
    let done = bench
        .run("stats --pgn games.pgn --engine new --json")
        .expect(0);
    let stats: Value = serde_json::from_str(&done.out).unwrap();
    for name in ["games", "pairs", "pentanomial", "elo", "nelo", "los"] {
        assert_eq!(stats[name], summary[name], "{name}");
    }
}

#[test]
fn faults_of_other_programs_are_none_of_ours() {
    let Some(path) = shared("cases/statistics.jsonl") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let tried: Vec<usize> = cases.map(|case: Value| try_case(&case["data"])).collect();
    assert!(10 < tried.iter().sum::<usize>(), "{tried:?}");
}

/// Tries what a case says as far as it is about counts, and says how many things it tried.
fn try_case(data: &Value) -> usize {
    let mut tried = 0;
    let mut of_counts = |data: &Value, counts: &str| {
        let stats = stats(counts);
        for (place, key, tolerance) in [
            ("/elo/value", "elo", 1e-4),
            ("/nelo/value", "nelo", 1e-3),
            ("/los", "los", 1e-5),
            ("/pairs", "pairs", 0.0),
            ("/games", "games", 0.0),
        ] {
            if let Some(expected) = data.get(key).and_then(Value::as_f64) {
                near(stats.pointer(place).unwrap(), expected, tolerance);
                tried += 1;
            }
        }
        for (model, key) in [("normalized", "llr_norm"), ("logistic", "llr_logi")] {
            for (elos, llr) in llrs(data, key) {
                let stats = self::stats(&format!("{counts} --sprt '{elos} model={model}'"));
                near(&stats["sprt"]["llr"], llr, 1e-4);
                tried += 1;
            }
        }
    };
    let all = data.get("cases").and_then(Value::as_array).cloned();
    for data in all.unwrap_or_else(|| vec![data.clone()]) {
        if let Some(counts) = data.get("penta") {
            of_counts(&data, &format!("--pentanomial '{counts}'"));
        }
        if let Some([wins, losses, draws]) = numbers(data.get("wld")) {
            of_counts(&data, &format!("--wdl {wins},{draws},{losses}"));
        }
    }
    for (rates, bounds) in data
        .get("bounds")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let (alpha, beta) = rates.split_once(',').unwrap();
        let test = format!("elo0=0 elo1=10 rule=wald alpha={alpha} beta={beta}");
        let stats = stats(&format!("--pentanomial 0,0,0,0,0 --sprt '{test}'"));
        near(&stats["sprt"]["lower"], bounds[0].as_f64().unwrap(), 1e-5);
        near(&stats["sprt"]["upper"], bounds[1].as_f64().unwrap(), 1e-5);
        tried += 1;
    }
    tried
}

/// The hypotheses and LLRs under the different ways in which cases write them.
fn llrs(data: &Value, key: &str) -> Vec<(String, f64)> {
    let words = |elo0: &str, elo1: &str| format!("elo0={elo0} elo1={elo1}");
    let mut llrs = Vec::new();
    for (elos, llr) in data
        .get(key)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let (elo0, elo1) = elos.split_once(',').unwrap();
        llrs.push((words(elo0, elo1), llr.as_f64().unwrap()));
    }
    for (name, value) in data.as_object().into_iter().flatten() {
        let Some(llr) = value.as_f64() else { continue };
        let elos = name
            .strip_prefix(key)
            .and_then(|rest| rest.strip_prefix('_'));
        if let Some((elo0, elo1)) = elos.and_then(|elos| elos.split_once('_')) {
            llrs.push((words(elo0, elo1), llr));
        } else if name.starts_with(key)
            && let (Some(elo0), Some(elo1)) = (data.get("elo0"), data.get("elo1"))
        {
            llrs.push((words(&elo0.to_string(), &elo1.to_string()), llr));
        }
    }
    llrs
}

fn numbers(value: Option<&Value>) -> Option<[u64; 3]> {
    let numbers: Vec<u64> = (value?.as_array()?.iter())
        .filter_map(Value::as_u64)
        .collect();
    numbers.try_into().ok()
}
