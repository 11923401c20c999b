//! `arbiter rate`.

use std::fmt::Write;

use serde_json::Value;

use crate::bench::{Bench, assert_shown, shared};

/// Pairs without moves: two names, and how often the first one scored LL, LD, DD, WL, WD, WW.
fn pairs(text: &mut String, first: &str, second: &str, counts: [usize; 6]) {
    let scores = [[0, 0], [0, 1], [1, 1], [2, 0], [2, 1], [2, 2]];
    for (scores, count) in scores.into_iter().zip(counts) {
        for _ in 0..count {
            let pair = text.matches("[Event").count() / 2 + 1;
            game(text, &format!("{pair}.1"), [first, second], scores[0]);
            game(text, &format!("{pair}.2"), [second, first], 2 - scores[1]);
        }
    }
}

/// A game without moves; `half_points` are White's.
fn game(text: &mut String, round: &str, [white, black]: [&str; 2], half_points: usize) {
    let result = ["0-1", "1/2-1/2", "1-0"][half_points];
    write!(
        text,
        "[Event \"test\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         [Result \"{result}\"]\n\n{result}\n\n"
    )
    .expect("a string takes all");
}

/// Four players, each against each.
fn round_robin() -> String {
    let mut text = String::new();
    pairs(&mut text, "Alpha", "Beta", [1, 6, 14, 6, 11, 2]);
    pairs(&mut text, "Alpha", "Gamma", [1, 4, 14, 6, 12, 3]);
    pairs(
        &mut text,
        "Delta, the \"last\"",
        "Alpha",
        [3, 14, 12, 5, 5, 1],
    );
    pairs(&mut text, "Beta", "Gamma", [2, 8, 13, 6, 10, 1]);
    pairs(
        &mut text,
        "Beta",
        "Delta, the \"last\"",
        [1, 7, 12, 6, 12, 2],
    );
    pairs(
        &mut text,
        "Gamma",
        "Delta, the \"last\"",
        [1, 9, 14, 6, 9, 1],
    );
    text
}

fn bench() -> Bench {
    Bench::new().with("games.pgn", &round_robin())
}

#[test]
fn a_person_sees_a_list_a_crosstable_and_odds() {
    let transcript = bench().transcript(&[
        "rate games.pgn",
        "rate games.pgn --anchor Beta=3000 --crosstable --los",
    ]);
    assert_shown("rate", &transcript);
}

#[test]
fn json_has_everything() {
    let done = bench().run("rate games.pgn --json").expect(0);
    assert_eq!(done.err, "");
    let answer: Value = serde_json::from_str(&done.out).unwrap();
    assert_shown("rate-json", &serde_json::to_string_pretty(&answer).unwrap());
}

#[test]
fn csv_goes_to_a_file_or_takes_the_place_of_the_list() {
    let bench = bench();
    let out = bench.run("rate games.pgn --csv -").expect(0).out;
    assert_shown("rate-csv", &out);
    let list = bench.run("rate games.pgn").expect(0).out;
    let done = bench.run("rate games.pgn --csv list.csv").expect(0);
    assert_eq!((done.out, bench.read("list.csv")), (list, out));
}

#[test]
fn the_chart_shows_every_player() {
    let bench = bench();
    bench.run("rate games.pgn --svg chart.svg").expect(0);
    let chart = bench.read("chart.svg");
    assert_shown("rate-svg", &chart);
    for name in [
        "1 Alpha",
        "2 Beta",
        "3 Gamma",
        "4 Delta, the &quot;last&quot;",
    ] {
        assert!(
            chart.contains(&format!(">{name}</text>")),
            "{name}: {chart}"
        );
    }
}

#[test]
fn errors_are_those_of_pairs_and_not_of_games() {
    let bench = bench();
    let half_width = |done: &str| {
        let answer: Value = serde_json::from_str(done).unwrap();
        let ends = &answer["ratings"][0]["elo"]["ci95"];
        ends[1].as_f64().unwrap() - ends[0].as_f64().unwrap()
    };
    let pairs = bench.run("rate games.pgn --json").expect(0).out;
    // The same games in rounds of their own, of openings that nobody knows.
    let mut text = round_robin();
    for half in [".1\"]", ".2\"]"] {
        text = text.replace(half, "\"]");
    }
    let mut round = 0;
    let single: String = (text.lines())
        .map(|line| {
            if line.starts_with("[Round") {
                round += 1;
                format!("[Round \"{round}\"]\n")
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    let bench = bench.with("single.pgn", &single);
    let games = bench.run("rate single.pgn --json").expect(0).out;
    assert!(games.contains("\"pairs\":0"), "{games}");
    assert!(half_width(&pairs) < half_width(&games));
}

#[test]
fn several_files_and_standard_input_are_one_tournament() {
    let (mut first, mut second) = (String::new(), String::new());
    pairs(&mut first, "A", "B", [1, 5, 10, 10, 8, 2]);
    pairs(&mut second, "B", "C", [1, 5, 10, 10, 8, 2]);
    let bench = Bench::new()
        .with("first.pgn", &first)
        .with("second.pgn", &second)
        .with("both.pgn", &format!("{first}{second}"));
    let both = bench.run("rate both.pgn --json").expect(0).out;
    assert_eq!(
        bench.run("rate first.pgn second.pgn --json").expect(0).out,
        both
    );
    let piped = bench.run_with_input("rate first.pgn - --json", second.as_bytes());
    assert_eq!(piped.expect(0).out, both);
}

#[test]
fn games_that_do_not_count_are_counted() {
    let mut text = String::new();
    pairs(&mut text, "A", "B", [2, 10, 20, 20, 15, 3]);
    let text = text
        + "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 *\n\n"
        + "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 *\n\n"
        + "[White \"A\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        + "[White \"A\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    let done = Bench::new()
        .with("games.pgn", &text)
        .run("rate games.pgn")
        .expect(0);
    assert_eq!(
        done.err,
        "note: 2 games left out: no result, 1 game left out: a player has no name, 1 game left out: \
         both players have the same name\n"
    );
    assert!(
        done.out
            .contains("games        140 (pairs 70, single games 0)\n"),
        "{done:#?}"
    );
}

#[test]
fn players_without_common_games_are_apart() {
    let mut text = String::new();
    pairs(&mut text, "A", "B", [2, 10, 20, 20, 15, 3]);
    pairs(&mut text, "C", "D", [2, 10, 20, 20, 15, 3]);
    pairs(&mut text, "D", "E", [2, 10, 20, 20, 15, 3]);
    let bench = Bench::new().with("games.pgn", &text);
    assert_shown("rate-apart", &bench.transcript(&["rate games.pgn --los"]));
}

#[test]
fn a_perfect_score_is_finite_and_explained() {
    let mut text = String::new();
    pairs(&mut text, "Alpha", "Beta", [0, 0, 0, 0, 0, 20]);
    pairs(&mut text, "Beta", "Gamma", [1, 5, 8, 5, 9, 2]);
    let bench = Bench::new().with("games.pgn", &text);
    assert_shown("rate-perfect", &bench.transcript(&["rate games.pgn"]));
}

#[test]
fn black_may_win_every_game() {
    let mut text = String::new();
    let players = ["A", "B", "C", "D"];
    for (number, white) in players.into_iter().enumerate() {
        for black in players.into_iter().filter(|black| *black != white) {
            game(&mut text, &(number + 1).to_string(), [white, black], 0);
        }
    }
    let done = Bench::new()
        .with("games.pgn", &text)
        .run("rate games.pgn")
        .expect(0);
    let white = "white        0.0 % of the points, worth no finite Elo";
    assert_eq!(done.last_line(), white, "{done:#?}");
    for number in ["inf", "NaN", "nan", "-0.0 "] {
        assert!(!done.out.contains(number), "{done:#?}");
    }
}

#[test]
fn two_games_are_enough_to_be_honest_about() {
    let mut text = String::new();
    pairs(&mut text, "A", "B", [0, 0, 1, 0, 0, 0]);
    let done = Bench::new()
        .with("games.pgn", &text)
        .run("rate games.pgn --los")
        .expect(0);
    assert_shown("rate-two-games", &format!("{}{}", done.out, done.err));
    let json = Bench::new()
        .with("games.pgn", &text)
        .run("rate games.pgn --json")
        .expect(0);
    let answer: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(answer["ratings"][0]["elo"]["value"], 0.0);
    assert_eq!(answer["ratings"][0]["elo"]["ci95"], Value::Null);
}

#[test]
fn mistakes_on_the_command_line_are_told() {
    let bench = bench().with("empty.pgn", "").with("open.pgn", "1. e4 *");
    let transcript = bench.transcript(&[
        "rate",
        "rate missing.pgn",
        "rate empty.pgn open.pgn",
        "rate games.pgn --anchor Omega=3000",
        "rate games.pgn --anchor Beta",
        "rate games.pgn --anchor Beta=inf",
        "rate games.pgn --json --csv -",
        "rate games.pgn --quiet --svg missing/chart.svg",
    ]);
    assert_shown("rate-mistakes", &transcript);
    let done = bench
        .run("rate games.pgn --svg missing/chart.svg")
        .expect(4);
    assert!(
        done.err.contains("failed to write `missing/chart.svg`"),
        "{done:#?}"
    );
}

#[test]
fn the_shared_files_are_rated_or_refused() {
    let Some(folder) = shared("pgn") else {
        return;
    };
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let done = Bench::new().run(&format!("rate {} --json", path.display()));
        match done.code {
            Some(0) => {
                let answer: Value = serde_json::from_str(&done.out).unwrap();
                assert!(answer["ratings"].as_array().unwrap().len() > 1, "{done:#?}");
            }
            code => {
                assert_eq!(code, Some(2), "{done:#?}");
                assert!(
                    done.err.contains("no finished game of two players"),
                    "{done:#?}"
                );
            }
        }
    }
}

#[test]
fn the_vectors_come_out_of_their_games() {
    let Some(path) = shared("vectors/stats.json") else {
        return;
    };
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = vectors["cases"].as_array().unwrap().iter();
    for case in cases.filter(|case| case["function"] == "rating_fit") {
        let mut text = String::new();
        for pairing in case["inputs"]["pairs"].as_array().unwrap() {
            let [i, j] = ["i", "j"].map(|side| format!("player {}", pairing[side]));
            for (white, row) in pairing["i_white_then_black_results"]
                .as_array()
                .unwrap()
                .iter()
                .enumerate()
            {
                for (black, count) in row.as_array().unwrap().iter().enumerate() {
                    for _ in 0..count.as_u64().unwrap() {
                        let round = format!("{i} {j} {}", text.len());
                        game(&mut text, &format!("{round}.1"), [&i, &j], white);
                        game(&mut text, &format!("{round}.2"), [&j, &i], 2 - black);
                    }
                }
            }
        }
        let done = Bench::new()
            .with("games.pgn", &text)
            .run("rate games.pgn --json")
            .expect(0);
        let answer: Value = serde_json::from_str(&done.out).unwrap();
        for row in answer["ratings"].as_array().unwrap() {
            let player: usize = row["name"].as_str().unwrap()["player ".len()..]
                .parse()
                .unwrap();
            let wanted = case["exact"]["ratings"][player].as_f64().unwrap();
            let found = row["elo"]["value"].as_f64().unwrap();
            assert!((found - wanted).abs() < 1e-6, "{} {row}", case["name"]);
        }
    }
}
