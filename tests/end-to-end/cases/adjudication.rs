//! When the referee ends games.

use std::collections::BTreeSet;

use end_to_end::{Run, Stage, shared};

use super::START;

/// A pair of two random movers with vices of their own.
#[track_caller]
fn play(stage: &Stage, vices: [&str; 2], words: &[&str]) -> Run {
    let [a, b] = [("a", vices[0]), ("b", vices[1])]
        .map(|(name, vices)| format!("--engine=name={name} cmd=sparring args='--random {vices}'"));
    let always = [&a, &b, "--each=tc=60+1", "--pairs=1", "--concurrency=1"];
    stage.play(&[&always, words].concat())
}

fn endings(stage: &Stage) -> BTreeSet<String> {
    let summary = stage.summary();
    summary["terminations"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

/// How the games of a pair end between two engines that claim something.
#[track_caller]
fn check(claims: [&str; 2], words: &[&str], want: Option<&str>) -> Stage {
    let stage = Stage::default();
    let vices = claims.map(|claim| format!("--vice {claim}"));
    play(&stage, vices.each_ref().map(String::as_str), words).expect(0);
    let endings = endings(&stage);
    match want {
        Some(want) => assert_eq!(endings, [want.to_owned()].into(), "{claims:?}"),
        None => assert!(
            !endings.iter().any(|ending| ending.contains("adjudication")),
            "{claims:?}: {endings:?}"
        ),
    }
    stage
}

#[test]
fn e01_one_side_gives_up_unless_both_must_agree() {
    let alone = ["--resign=count=3 score=600"];
    let both = ["--resign=count=3 score=600 twosided=true"];
    let stage = check(
        ["score=-700", "score=100"],
        &alone,
        Some("resign adjudication"),
    );
    for (game, first) in stage.games().iter().zip([0, 1]) {
        // The third time that it says so is its third move.
        assert_eq!(game.moves().len() - book_plies(&stage), 5 + first);
        let lost = if game.tag("White") == "a" {
            "0-1"
        } else {
            "1-0"
        };
        assert_eq!(game.tag("Result"), lost);
    }
    check(["score=-700", "score=100"], &both, None);
    check(
        ["score=-700", "score=700"],
        &both,
        Some("resign adjudication"),
    );
}

/// Plies of the opening that all games of a stage have.
fn book_plies(stage: &Stage) -> usize {
    let events = stage.events();
    let game = events
        .iter()
        .find(|event| event["event"] == "game_finished");
    game.unwrap()["book"]
        .as_str()
        .unwrap()
        .split_whitespace()
        .count()
}

#[test]
fn e04_a_draw_comes_at_the_same_move_whatever_the_book_is_of() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O";
    let position = "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w - - 1 9";
    let play = |name: &str, book: &str, draw: &str| {
        let stage = Stage::default();
        stage.write(name, format!("{book}\n"));
        let claim = "--vice score=5";
        let engines = ["a", "b"].map(|name| {
            format!("--engine=name={name} cmd=sparring args='--level 1 {claim}' nodes=50")
        });
        let [a, b] = engines.each_ref().map(String::as_str);
        let book = format!("--openings={name}");
        let words = [
            a,
            b,
            draw,
            &book,
            "--pairs=1",
            "--concurrency=1",
            "--restart",
        ];
        stage.play(&words).expect(0);
        let events = stage.events();
        let games = events
            .iter()
            .filter(|event| event["event"] == "game_finished");
        let plies = games.map(|game| {
            let moves = game["moves"].as_str().unwrap();
            (
                game["verdict"]["reason"].as_str().unwrap().to_owned(),
                moves.split(' ').count(),
            )
        });
        plies.collect::<Vec<_>>()
    };
    let draw = "--draw=move=34 count=8 score=20";
    let games = play("book.pgn", moves, draw);
    assert_eq!(games, play("book.epd", position, draw));
    // The 34th move is the 26th after the book.
    assert!(
        games
            .iter()
            .all(|(why, plies)| why != "draw adjudication" || 52 <= *plies),
        "{games:?}"
    );
    for (why, plies) in play("book.epd", START, "--draw=move=0 count=9 score=1000") {
        assert!(
            why != "draw adjudication" || 18 <= plies,
            "{why} after {plies}"
        );
    }
}

#[test]
fn e07_a_mate_is_lost_and_no_draw() {
    let resign = ["--resign=count=3 score=600"];
    check(["mate=-5", "score=0"], &resign, Some("resign adjudication"));
    let draw = ["--draw=move=1 count=3 score=10"];
    check(["mate=3", "mate=-3"], &draw, None);
    check(["score=3", "score=-3"], &draw, Some("draw adjudication"));
}

#[test]
fn e09_a_win_that_the_fifty_move_rule_may_spoil_is_played_on() {
    let Some(tables) = shared("syzygy") else {
        return;
    };
    let stage = Stage::default();
    stage.write("book.epd", "8/8/8/3k4/8/8/8/KBN5 w - - 80 100\n");
    let syzygy = format!("--syzygy={tables}");
    play(&stage, ["", ""], &[&syzygy, "--openings=book.epd"]).expect(0);
    assert!(
        !endings(&stage).contains("tablebase adjudication"),
        "{:?}",
        stage.summary()
    );
}

#[test]
fn e11_results_that_are_not_wanted_are_played_on() {
    let Some(tables) = shared("syzygy") else {
        return;
    };
    // A pawn takes a pawn: then a drawn ending is on the board, and a known one.
    let drawn = "4k3/8/8/8/8/8/8/R2rK3 w - - 0 1";
    let rulings = |rulings: &str| {
        let stage = Stage::default();
        stage.write("book.epd", format!("{drawn}\n"));
        let toml = format!(
            "pairs = 1\nconcurrency = 1\n[each]\ncmd = 'sparring'\nargs = '--random'\ntc = '60+1'\n\
             [[engine]]\nname = 'a'\n[[engine]]\nname = 'b'\n[openings]\nfile = 'book.epd'\n\
             [adjudication.syzygy]\npaths = ['{tables}']\nrulings = '{rulings}'\n"
        );
        stage.write("contest.toml", toml);
        stage.play(&["contest.toml"]).expect(0);
        endings(&stage)
    };
    let ruled = BTreeSet::from(["tablebase adjudication".to_owned()]);
    assert_eq!(rulings("all"), ruled);
    assert_ne!(
        rulings("draw"),
        ruled,
        "it is won, and draws alone are wanted"
    );
    assert_eq!(rulings("win-loss"), ruled);
}

#[test]
fn e12_two_mates_against_each_other_are_told() {
    let stage = Stage::default();
    let run = play(&stage, ["--vice mate=32", "--vice mate=6"], &[]).expect(0);
    for part in ["both engines claim a forced mate", "in 32", "in 6"] {
        assert!(run.err.contains(part), "no `{part}` in {run:#?}");
    }
    assert!(
        !endings(&stage)
            .iter()
            .any(|ending| ending.contains("adjudication"))
    );
}
