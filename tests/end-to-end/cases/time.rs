//! Clocks as engines are told of them.

use end_to_end::Stage;

use super::{contest, expect_no_fault, heard, number};

/// The `go` lines of each game, in order.
fn gos(stage: &Stage) -> Vec<Vec<String>> {
    let mut games = Vec::new();
    for line in heard(stage) {
        if line == "ucinewgame" {
            games.push(Vec::new());
        } else if line.starts_with("go ") {
            games.last_mut().expect("a game has begun").push(line);
        }
    }
    games
}

#[test]
fn c24_a_time_of_zero_is_refused_and_never_sent() {
    for limit in ["st=0", "tc=0", "tc=0+0", "tc=40/0", "st=-1", "tc=-1+1"] {
        let stage = Stage::default();
        contest(&stage, "", limit, &["--pairs=1"])
            .expect(2)
            .expect_err(limit);
    }
    for (limit, key) in [
        ("tc=0+0.001 timemargin=9000", "wtime"),
        ("st=0.0001 timemargin=9000", "movetime"),
    ] {
        let stage = Stage::default();
        let words = ["--pairs=1", "--each=tc=inf nodes=100", "--max-moves=5"];
        contest(&stage, "", limit, &words).expect(0);
        for go in gos(&stage).iter().flatten() {
            assert!(number(go, key).is_some_and(|time| 1 <= time), "{go}");
            assert!(!go.contains('-') && !go.contains("time 0"), "{go}");
        }
    }
}

#[test]
fn d01_an_overrun_within_the_margin_sends_no_negative_clock() {
    // Every move is made 50 ms after the flag has fallen.
    let stage = Stage::default();
    let limit = "tc=0.2+0.1 timemargin=5000";
    let words = ["--pairs=1", "--max-moves=5"];
    contest(&stage, "--vice overrun=50", limit, &words).expect(0);
    expect_no_fault(&stage);
    let colors = [("wtime", "btime"), ("btime", "wtime")];
    for (game, (own, other)) in gos(&stage).iter().zip(colors) {
        assert_eq!(number(&game[0], own), Some(300), "{game:?}");
        for go in &game[1..] {
            assert_eq!(
                number(go, own),
                Some(100),
                "nothing left but the increment: {go}"
            );
            assert!(number(go, other).is_some_and(|time| 1 <= time), "{go}");
        }
    }
    // The opponent is shown the same, and never less than there is.
    let lefts = stage.events();
    let lefts = lefts
        .iter()
        .filter_map(|event| event["left"].as_array())
        .flatten();
    assert!(lefts.clone().count() > 10);
    assert!(lefts.clone().all(|left| left.as_f64().unwrap() >= 0.0));
}

#[test]
fn d02_moves_to_go_begin_again_with_new_time() {
    let stage = Stage::default();
    let words = ["--pairs=2", "--max-moves=90"];
    contest(&stage, "", "tc=40/10+0.1", &words).expect(0);
    let games = gos(&stage);
    assert!(games.iter().any(|game| 41 <= game.len()), "{games:?}");
    for (game, key) in games.iter().zip(["wtime", "btime", "wtime", "btime"]) {
        for (made, go) in game.iter().enumerate() {
            assert_eq!(number(go, "movestogo"), Some(40 - made as i64 % 40), "{go}");
        }
        let time = |go: &String| number(go, key).unwrap();
        if let (Some(last), Some(first)) = (game.get(39), game.get(40)) {
            assert!(time(last) + 9_000 < time(first), "{last}, {first}");
        }
    }
}

#[test]
fn d04_the_first_go_has_the_increment_in_it() {
    for (limit, first) in [
        ("tc=10+0.1", 10_100),
        ("tc=0+5", 5_000),
        ("tc=0:30+2", 32_000),
    ] {
        let stage = Stage::default();
        contest(&stage, "", limit, &["--pairs=1", "--max-moves=2"]).expect(0);
        for (game, key) in gos(&stage).iter().zip(["wtime", "btime"]) {
            assert_eq!(number(&game[0], key), Some(first), "{game:?}");
        }
    }
}

#[test]
fn d12_several_stages_are_refused() {
    for limit in [
        "tc=40/10+0.1:20+0.2",
        "tc=40/10:20/5:5+1",
        "tc=10+1+1",
        "tc=40/20/10",
    ] {
        let stage = Stage::default();
        contest(&stage, "", limit, &["--pairs=1"])
            .expect(2)
            .expect_err("stages");
        assert!(stage.read("heard").is_empty());
    }
}
