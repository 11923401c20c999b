//! Contests of real engines, and what is written of them.

use std::collections::BTreeMap;

use end_to_end::{ETHEREAL, Game, STOCKFISH, Stage, engine, shared};

/// A game of one second must not be lost because another test takes the processor for a moment.
const CLOCK: &str = "--each=tc=1+0.01 timemargin=3000";

/// The margin above and this patience are for machines that do much else meanwhile; a real contest
/// would have a core a slot.
const PATIENCE: &str = "--patience=startup=60 ping=60";

/// Of a contest of two engines everything that was written must agree.
#[track_caller]
fn check_agreement(stage: &Stage, games: usize) -> Vec<Game> {
    let summary = stage.summary();
    let played = stage.games();
    assert_eq!(
        (played.len(), &summary["games"]),
        (games, &games.into()),
        "{summary}"
    );
    for engine in 0..2 {
        let engine = &summary["engines"][engine];
        for fault in ["time_losses", "crashes", "stalls", "illegal_moves"] {
            assert_eq!(engine[fault], 0, "{summary}");
        }
    }
    // From the first engine's side, told by the PGN alone.
    let first = summary["engines"][0]["name"].as_str().unwrap();
    let mut points = BTreeMap::new();
    let mut counts = [0, 0, 0];
    for game in &played {
        let (pair, _) = game.tag("Round").split_once('.').unwrap();
        let half_points = match (game.tag("Result"), game.tag("White") == first) {
            ("1-0", true) | ("0-1", false) => 2,
            ("1-0", false) | ("0-1", true) => 0,
            ("1/2-1/2", _) => 1,
            other => panic!("{other:?}"),
        };
        counts[half_points] += 1;
        points
            .entry(pair)
            .or_insert_with(Vec::new)
            .push(half_points);
    }
    let engine = &summary["engines"][0];
    let said = ["losses", "draws", "wins"].map(|name| engine[name].as_u64().unwrap() as usize);
    assert_eq!(said, counts, "{summary}");
    let mut pentanomial = [0_u64; 5];
    for pair in points.values() {
        assert_eq!(pair.len(), 2);
        pentanomial[pair.iter().sum::<usize>()] += 1;
    }
    let said: Vec<_> = summary["pentanomial"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|n| n.as_u64())
        .collect();
    assert_eq!(said, pentanomial, "{summary}");
    check_pairs(&played);
    check_events(stage, games);
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
    played
}

/// The two games of a pair have one opening and swapped colours.
#[track_caller]
fn check_pairs(games: &[Game]) {
    let mut pairs = BTreeMap::new();
    for game in games {
        let (pair, _) = game.tag("Round").split_once('.').unwrap();
        pairs.entry(pair).or_insert_with(Vec::new).push(game);
    }
    for pair in pairs.values() {
        let [a, b] = pair.as_slice() else {
            panic!("{pair:?}")
        };
        assert_eq!(a.tag("FEN"), b.tag("FEN"));
        assert_eq!(
            [a.tag("White"), a.tag("Black")],
            [b.tag("Black"), b.tag("White")]
        );
    }
}

/// Events have gapless numbers, begin with the start of the contest and end with its end.
#[track_caller]
fn check_events(stage: &Stage, games: usize) {
    let events = stage.events();
    let seqs = events.iter().map(|event| event["seq"].as_u64().unwrap());
    assert!(seqs.eq(0..events.len() as u64));
    let kind = |index: usize| events[index]["event"].as_str().unwrap();
    assert_eq!(kind(0), "contest_started");
    assert_eq!(kind(events.len() - 1), "contest_finished");
    let finished = (0..events.len())
        .filter(|&index| kind(index) == "game_finished")
        .count();
    assert_eq!(finished, games);
}

#[test]
fn stockfish_plays_another_engine_from_a_book() {
    let (Some(stockfish), Some(ethereal)) = (engine(STOCKFISH), engine(ETHEREAL)) else {
        return;
    };
    let Some(book) = shared("books/UHO_4060_v3.epd") else {
        return;
    };
    let stage = Stage::default();
    let words = [
        format!("--engine=name=stockfish cmd={stockfish} option.Hash=16"),
        format!("--engine=name=ethereal cmd={ethereal}"),
        CLOCK.to_owned(),
        PATIENCE.to_owned(),
        format!("--openings=file={book} order=random"),
        "--seed=3".to_owned(),
        "--pairs=3".to_owned(),
        "--concurrency=2".to_owned(),
    ];
    stage.play(&words).expect(0);
    for game in check_agreement(&stage, 6) {
        assert!(!game.tag("FEN").is_empty(), "{game:?}");
        let moves = game.moves().len().to_string();
        assert_eq!(game.tag("PlyCount"), moves);
        assert!(game.tag("TimeControl").starts_with("1+0.01"), "{game:?}");
        assert!(game.last_comment().ends_with("mates") || game.tag("Result") == "1/2-1/2");
    }
}

#[test]
fn stockfish_plays_itself_at_two_settings_in_chess960() {
    let Some(stockfish) = engine(STOCKFISH) else {
        return;
    };
    let Some(book) = shared("books/FRC_openings.epd") else {
        return;
    };
    let stage = Stage::default();
    let words = [
        format!("--engine=name=full cmd={stockfish}"),
        format!(
            "--engine=name=weak cmd={stockfish} option.UCI_LimitStrength=true option.UCI_Elo=1500"
        ),
        CLOCK.to_owned(),
        PATIENCE.to_owned(),
        format!("--openings=file={book} order=random"),
        "--variant=chess960".to_owned(),
        "--pairs=3".to_owned(),
        "--concurrency=2".to_owned(),
    ];
    stage.play(&words).expect(0);
    let games = check_agreement(&stage, 6);
    assert!(games.iter().all(|game| game.tag("Variant") == "Chess960"));
    assert!(
        games.iter().any(|game| game.text.contains("O-O")),
        "nobody castled"
    );
}

#[test]
fn the_built_in_engine_plays_double_chess960() {
    let Some(book) = shared("books/DFRC_4852_v1_head.epd") else {
        return;
    };
    let stage = Stage::default();
    let openings = format!("--openings=file={book} order=random");
    let words = [
        "--engine=sparring:5",
        "--engine=sparring:4",
        "--each=nodes=1000",
        "--variant=chess960",
        "--pairs=10",
        &openings,
    ];
    stage.play(&words).expect(0);
    let games = check_agreement(&stage, 20);
    assert!(
        games.iter().any(|game| game.text.contains("O-O")),
        "nobody castled"
    );
}

#[test]
fn a_book_of_games_is_played_to_the_ply_that_was_asked_for() {
    let Some(book) = shared("books/8moves_v3.pgn") else {
        return;
    };
    let stage = Stage::default();
    let openings = format!("--openings=file={book} plies=6");
    let words = [
        "--engine=sparring:3",
        "--engine=sparring:2",
        "--each=nodes=100",
        "--pairs=4",
        &openings,
    ];
    stage.play(&words).expect(0);
    let games = check_agreement(&stage, 8);
    for pair in games
        .iter()
        .map(|game| (game.tag("Round").split('.').next(), game))
    {
        let sibling = games
            .iter()
            .find(|game| game.tag("Round").split('.').next() == pair.0);
        assert_eq!(pair.1.moves()[..6], sibling.unwrap().moves()[..6]);
    }
}

/// The moves of all games, by round.
fn moves_by_round(stage: &Stage) -> BTreeMap<String, Vec<String>> {
    let moves = |game: &Game| game.moves().into_iter().map(str::to_owned).collect();
    stage
        .games()
        .iter()
        .map(|game| (game.tag("Round").to_owned(), moves(game)))
        .collect()
}

#[test]
fn a_seed_decides_the_openings_and_concurrency_decides_nothing() {
    let play = |seed: &str, concurrency: &str| {
        let stage = Stage::default();
        let words = [
            "--engine=sparring:3",
            "--engine=sparring:2",
            "--each=nodes=100",
            "--restart",
            "--pairs=8",
            seed,
            concurrency,
        ];
        stage.play(&words).expect(0);
        moves_by_round(&stage)
    };
    let once = play("--seed=5", "--concurrency=1");
    assert_eq!(once, play("--seed=5", "--concurrency=3"));
    assert_ne!(once, play("--seed=6", "--concurrency=1"));
}

/// How many games each two engines played.
#[track_caller]
fn check_meetings(tournament: &str, want: &[(&str, usize)]) {
    let stage = Stage::default();
    let words = [
        "--engine=name=a cmd=sparring:1",
        "--engine=name=b cmd=sparring:1",
        "--engine=name=c cmd=sparring:2",
        "--each=nodes=50",
        "--pairs=2",
        "--tournament",
        tournament,
    ];
    stage.play(&words).expect(0);
    let mut meetings = BTreeMap::new();
    for game in stage.games() {
        let mut names = [game.tag("White"), game.tag("Black")];
        names.sort_unstable();
        *meetings.entry(names.concat()).or_insert(0) += 1;
    }
    let want = want
        .iter()
        .map(|(names, games)| ((*names).to_owned(), *games));
    assert_eq!(meetings, want.collect());
}

#[test]
fn everybody_meets_everybody_or_the_first_meets_the_others() {
    check_meetings("round-robin", &[("ab", 4), ("ac", 4), ("bc", 4)]);
    check_meetings("gauntlet", &[("ab", 4), ("ac", 4)]);
}

/// How the games of a pair between random movers end that start from `opening`.
#[track_caller]
fn check_termination(vice: &str, words: &[&str], opening: &str, want: &str) {
    let stage = Stage::default();
    stage.write("book.epd", format!("{opening}\n"));
    let [a, b] =
        ["a", "b"].map(|name| format!("--engine=name={name} cmd=sparring args='--random {vice}'"));
    let common = [&a, &b, "--each=tc=1+1", "--pairs=1", "--openings=book.epd"];
    stage.play(&[&common, words].concat()).expect(0);
    let summary = stage.summary();
    assert_eq!(summary["terminations"][want], 2, "{summary}");
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
}

#[test]
fn games_are_ended_by_the_rules_and_the_referee() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check_termination("", &["--max-moves=10"], start, "move limit");
    let draw = ["--draw=move=1 count=3 score=5"];
    check_termination("--vice score=3", &draw, start, "draw adjudication");
    // The only move takes the queen; any move is the hundredth without a pawn's or a capture.
    check_termination(
        "",
        &[],
        "7k/8/8/8/8/8/1q6/K7 w - - 0 1",
        "insufficient material",
    );
    check_termination("", &[], "7k/8/8/8/8/8/8/KR6 w - - 99 80", "fifty-move rule");
}

#[test]
fn tablebases_end_games_whose_result_they_know() {
    let Some(tables) = shared("syzygy") else {
        return;
    };
    let syzygy = format!("--syzygy={tables}");
    // A rook is won or lost at the first move, and bare kings are not reached by chance before.
    let rooks = "8/8/8/8/8/3k4/r7/1R1K4 w - - 0 1";
    check_termination("", &[&syzygy], rooks, "tablebase adjudication");
}

#[test]
fn a_sequential_test_stops_a_contest_that_is_decided() {
    let stage = Stage::default();
    let words = [
        "--engine=sparring:6",
        "--engine=sparring:2",
        "--each=nodes=2000",
        "--pairs=500",
        "--sprt=elo0=0 elo1=50",
    ];
    stage.play(&words).expect(0).expect_out("H1 accepted");
    let summary = stage.summary();
    assert!(summary["games"].as_u64().unwrap() < 200, "{summary}");
    assert_eq!(summary["sprt"]["state"], "accepted_h1", "{summary}");
}

#[test]
fn a_sequential_test_of_equals_goes_on_to_its_last_pair_or_accepts_h0() {
    let stage = Stage::default();
    let words = [
        "--engine=name=a cmd=sparring:3",
        "--engine=name=b cmd=sparring:3",
        "--each=nodes=200",
        "--pairs=20",
        "--sprt=elo0=0 elo1=20 preset=gain",
    ];
    stage.play(&words).expect(0);
    let summary = stage.summary();
    let sprt = &summary["sprt"];
    if sprt["state"] == "running" {
        assert_eq!(summary["pairs"], 20, "{summary}");
        assert!(sprt["expected_remaining_pairs"].is_f64(), "{summary}");
    } else {
        assert_eq!(sprt["state"], "accepted_h0", "{summary}");
    }
    assert_eq!([&sprt["rule"], &sprt["preset"]], ["curved", "gain"]);
    assert!(sprt["estimate"]["ci95"][1].is_f64(), "{summary}");
}

#[test]
fn results_go_to_standard_output_and_talk_to_standard_error() {
    let stage = Stage::default();
    let words = [
        "--engine=sparring:3",
        "--engine=sparring:1",
        "--each=nodes=100",
        "--pairs=2",
    ];
    let run = stage.play(&words).expect(0);
    assert_eq!(
        run.out
            .lines()
            .filter(|line| line.starts_with("game "))
            .count(),
        4,
        "{run:#?}"
    );
    assert!(run.out.contains("score"), "{run:#?}");
    assert!(!run.err.contains("game 1 of"), "{run:#?}");
    assert!(
        !run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'),
        "colour in a file: {run:#?}"
    );
}

#[test]
fn games_are_appended_and_other_results_replaced() {
    let stage = Stage::default();
    let words = [
        "--engine=sparring:3",
        "--engine=sparring:1",
        "--each=nodes=100",
        "--pairs=1",
    ];
    stage.play(&words).expect(0);
    stage.play(&words).expect(0);
    assert_eq!(stage.games().len(), 4);
    assert_eq!(stage.summary()["games"], 2);
}
