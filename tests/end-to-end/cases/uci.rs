//! What engines say badly, and what they are told.

use std::cell::Cell;
use std::time::Duration;

use end_to_end::Stage;

use super::{contest, expect_no_fault, heard};

#[test]
fn c03_odd_options_spoil_no_good_one() {
    let stage = Stage::default();
    let engine = "option.Hash=32 'option.No Default=true' option.Style=SOLID";
    let run = contest(&stage, "--vice odd-options", engine, &["--pairs=1"]);
    run.expect(0).expect_err("Bad Spin");
    let told: Vec<String> = (heard(&stage).into_iter())
        .filter(|line| line.starts_with("setoption"))
        .collect();
    // The engine has declared `Hash` and `hash`; each has one setting, and one only.
    let want = [
        "setoption name hash value 32",
        "setoption name No Default value true",
        "setoption name Style value Solid",
    ];
    assert_eq!(told, want);
    expect_no_fault(&stage);
}

#[test]
fn c05_only_a_button_is_set_without_a_value() {
    let stage = Stage::default();
    let engine = "'option.Push me=' option.Hash=4 option.UCI_Variant=chess";
    contest(&stage, "--vice odd-options", engine, &["--pairs=1"]).expect(0);
    let heard = heard(&stage);
    let settings = heard.iter().filter(|line| line.starts_with("setoption"));
    for line in settings {
        let has_value = line.contains(" value ") && !line.ends_with(" value ");
        assert_eq!(has_value, line != "setoption name Push me", "{line}");
    }
    assert!(
        heard.iter().any(|line| line == "setoption name Push me"),
        "{heard:?}"
    );
}

#[test]
fn c06_talk_before_uci_is_no_answer_to_it() {
    for vices in [
        "--vice banner",
        "--vice early-uciok",
        "--vice noise",
        "--vice banner --vice early-uciok",
    ] {
        let stage = Stage::default();
        contest(&stage, vices, "option.Hash=8", &["--pairs=1"]).expect(0);
        let heard = heard(&stage);
        assert_eq!(heard[0], "uci", "{vices}");
        assert!(
            heard.contains(&"setoption name Hash value 8".to_owned()),
            "{vices}: an option that comes after a premature `uciok` is lost"
        );
        expect_no_fault(&stage);
    }
}

#[test]
fn c07_bytes_that_are_no_text_spoil_no_file() {
    let stage = Stage::default();
    let args = "--vice latin1 --vice nul --vice \"bestmove=e2\u{9}\u{1b}[31m\"";
    contest(&stage, args, "", &["--pairs=1"]).expect(0);
    // That they are UTF-8, and JSON where they should be, is checked by reading them.
    for text in [
        stage.read("games.pgn"),
        stage.read("summary.json"),
        stage.read("events.jsonl"),
    ] {
        let odd = text
            .chars()
            .find(|&letter| letter != '\n' && letter.is_control());
        assert_eq!(odd, None, "{text}");
    }
    assert_eq!(stage.events().last().unwrap()["event"], "contest_finished");
    assert_eq!(stage.games().len(), 2);
}

#[test]
fn c09_a_glued_readyok_is_none_and_waited_for_as_long_as_was_said() {
    let stage = Stage::default();
    let words = ["--pairs=1", "--patience=ping=0.5"];
    contest(&stage, "--vice glued-ready=2", "", &words).expect(0);
    assert_eq!(stage.summary()["engines"][0]["stalls"], 2);
    let events = stage.events();
    let at = |name: &str| {
        let event = events.iter().find(|event| event["event"] == name);
        event.unwrap()["at"].as_f64().unwrap()
    };
    let waited = at("game_finished") - at("game_started");
    assert!((0.5..3.0).contains(&waited), "{waited}");
    let run = contest(
        &Stage::default(),
        "--vice glued-ready",
        "",
        &["--patience=startup=0.5"],
    );
    let run = run.expect(3).expect_err("no answer to `isready`");
    assert!(run.took < Duration::from_secs(10), "{run:?}");
}

#[test]
fn c10_a_bestmove_in_pieces_is_joined() {
    let stage = Stage::default();
    let args = "--vice partial --vice leading-space --vice trailing-space --vice tabs --vice crlf";
    contest(&stage, args, "", &["--pairs=1"]).expect(0);
    expect_no_fault(&stage);
}

/// What the comments of the odd engine's moves begin with; a game of five moves.
fn comments(vice: &str) -> Vec<String> {
    let stage = Stage::default();
    contest(
        &stage,
        &format!("--vice {vice}"),
        "",
        &["--pairs=1", "--max-moves=5"],
    )
    .expect(0);
    expect_no_fault(&stage);
    let games = stage.games();
    let ours = games.iter().flat_map(|game| {
        let first = usize::from(game.tag("White") != "odd");
        let black_begins = usize::from(game.tag("FEN").contains(" b "));
        let comments = game
            .text
            .split('{')
            .skip(1)
            .skip(first ^ black_begins)
            .step_by(2);
        let comments = comments.filter(|comment| !comment.starts_with("book"));
        comments.map(|comment| comment.split([' ', ',', '}']).next().unwrap().to_owned())
    });
    ours.collect()
}

#[track_caller]
fn check_comments(vice: &str, is_right: impl Fn(&str) -> bool) {
    let comments = comments(vice);
    assert!(8 <= comments.len(), "{vice}: {comments:?}");
    for comment in &comments {
        assert!(is_right(comment), "{vice}: {comments:?}");
    }
}

#[test]
fn c13_to_c18_scores_are_those_that_were_meant() {
    check_comments("pv-mid", |comment| comment == "+0.17/5");
    check_comments("bound-last", |comment| comment.starts_with("+0.10/"));
    check_comments("multipv", |comment| comment.starts_with("+0.20/"));
    // Time alone, or with it the depth, and no score that nobody gave.
    let is_silent = |comment: &str| !comment.contains(['+', '-', 'M']);
    for vice in [
        "mate0",
        "no-info",
        "no-score",
        "bounds-only",
        "mate-bound",
        "huge-score",
        "float-score",
    ] {
        check_comments(vice, is_silent);
    }
}

#[test]
fn b31_the_last_comment_says_why_behind_a_comma() {
    let stage = Stage::default();
    // One move mates.
    stage.write("book.epd", "7k/8/6K1/8/8/8/8/5Q2 b - - 0 1\n");
    let words = ["--pairs=1", "--max-moves=1", "--openings=book.epd"];
    contest(&stage, "--vice score=123", "", &words).expect(0);
    let with_reason = |text: &str| {
        let comments = text.split('{').skip(1);
        let last = comments
            .last()
            .and_then(|rest| rest.split('}').next())
            .unwrap()
            .to_owned();
        let (numbers, reason) = last.split_once(", ").unwrap_or_else(|| panic!("{last}"));
        assert!(numbers.ends_with('s') && !numbers.contains(','), "{last}");
        assert!(!reason.trim().is_empty(), "{last}");
    };
    let games = stage.games();
    assert_eq!(games.len(), 2);
    games.iter().for_each(|game| with_reason(&game.text));
    assert!(games[1].text.contains("{+1.23/9 "), "{}", games[1].text);
}

#[test]
fn c19_getting_ready_is_on_no_clock() {
    let stage = Stage::default();
    let args = "--vice slow-uciok=500 --vice slow-newgame=2000 --vice slow-ready=500";
    let words = ["--pairs=1", "--max-moves=3"];
    contest(&stage, args, "tc=1+1 timemargin=400", &words).expect(0);
    expect_no_fault(&stage);
    for game in stage
        .events()
        .iter()
        .filter(|event| event["event"] == "game_finished")
    {
        let spent = game["spent"].as_array().unwrap();
        assert!(
            spent.iter().all(|spent| spent.as_f64().unwrap() < 1.4),
            "{game}"
        );
    }
    let heard = heard(&stage);
    assert!(
        heard.iter().filter(|line| *line == "ucinewgame").count() == 2,
        "{heard:?}"
    );
}

#[test]
fn c26_chess960_is_only_for_those_who_know_it() {
    let stage = Stage::default();
    contest(&stage, "", "", &["--pairs=1"]).expect(0);
    let told = |line: &String| line.contains("UCI_Chess960 value true");
    assert!(!heard(&stage).iter().any(told));
    contest(&stage, "--vice no-chess960", "", &["--pairs=1"]).expect(0);
    expect_no_fault(&stage);
    let stage = Stage::default();
    let words = ["--pairs=1", "--variant=chess960"];
    contest(&stage, "--vice no-chess960", "", &words)
        .expect(2)
        .expect_err("UCI_Chess960");
    assert!(!stage.path("games.pgn").exists());
    contest(&stage, "", "", &words).expect(0);
    assert!(heard(&stage).iter().any(told));
}

#[test]
fn c27_start_and_moves_are_in_step() {
    for fen in [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 4 11",
        "4k2r/8/8/8/3Pp3/8/8/R3K3 b Qk d3 0 7",
    ] {
        let stage = Stage::default();
        stage.write("book.epd", format!("{fen}\n"));
        contest(&stage, "", "", &["--pairs=2", "--openings=book.epd"]).expect(0);
        expect_no_fault(&stage);
        let heard = heard(&stage);
        let positions: Vec<_> = heard
            .iter()
            .filter(|line| line.starts_with("position"))
            .collect();
        assert!(4 < positions.len());
        for position in positions {
            assert!(
                position.starts_with(&format!("position fen {fen}")),
                "{position}"
            );
        }
        for game in stage.games() {
            assert_eq!(game.tag("FEN"), fen);
        }
    }
}

/// The most memory in KiB that arbiter takes for a pair against an engine with a vice.
fn memory_peak(vice: &str, limit: &str) -> u64 {
    let stage = Stage::default();
    let odd = format!("--engine=name=odd {limit} cmd=sparring args='--random --vice {vice}'");
    let good = "--engine=name=good tc=60+1 cmd=sparring args='--random --seed=4'";
    let running = stage.start_play(&[&odd, good, "--pairs=1", "--concurrency=1", "--max-moves=8"]);
    let peak = Cell::new(0);
    stage.wait_until("the end", || {
        peak.set(running.memory_peak().max(peak.get()));
        stage.read("events.jsonl").contains("contest_finished")
    });
    running.finish().expect(0);
    assert_eq!(stage.games().len(), 2, "{vice}");
    peak.get()
}

#[test]
fn c28_a_flood_takes_no_memory() {
    for (vice, limit) in [
        ("endless=2", "tc=2"),
        ("endless-line=2", "tc=2"),
        ("flood=20000", "tc=60+1"),
        ("long-line=1000000", "tc=60+1"),
        ("stderr-flood=30000000", "tc=60+1"),
        ("long-id", "tc=60+1"),
        ("many-options", "tc=60+1"),
    ] {
        let peak = memory_peak(vice, limit);
        assert!((1..60_000).contains(&peak), "{vice}: {peak} KiB");
    }
}

#[test]
fn c29_stderr_is_drained_and_never_taken_for_an_answer() {
    let stage = Stage::default();
    let program = stage.write_script(
        "loud",
        "for word in uciok readyok 'bestmove a1a1'; do echo $word >&2; done\n\
         exec arbiter sparring --random --vice stderr-flood \"$@\"",
    );
    let loud = format!("--engine=name=loud cmd={program}");
    let good = "--engine=name=good cmd=sparring args='--random --seed=4'";
    stage
        .play(&[
            &loud,
            good,
            "--each=tc=60+1",
            "--pairs=1",
            "--concurrency=1",
        ])
        .expect(0);
    expect_no_fault(&stage);
}

#[test]
fn c30_uci_is_said_once_and_isready_never_during_a_search() {
    let stage = Stage::default();
    contest(&stage, "", "", &["--pairs=2"]).expect(0);
    let heard = heard(&stage);
    assert_eq!(heard.iter().filter(|line| *line == "uci").count(), 1);
    let after_go = heard.windows(2).filter(|lines| lines[0].starts_with("go"));
    for lines in after_go {
        assert_ne!(lines[1], "isready", "after {}", lines[0]);
    }
}

#[test]
fn c31_an_engine_that_does_not_quit_changes_nothing() {
    for (vices, most) in [
        ("--vice ignore-quit", 4),
        ("--vice ignore-quit --vice ignore-eof --vice ignore-term", 5),
        ("--vice slow-quit=60000", 5),
        ("--vice abort-on-quit", 4),
    ] {
        let stage = Stage::default();
        let odd = format!("--engine=name=odd cmd=sparring args='--random {vices}'");
        let good = "--engine=name=good cmd=sparring args='--random --seed=4'";
        let words = [
            &odd,
            good,
            "--each=tc=60+1",
            "--pairs=1",
            "--max-moves=3",
            "--concurrency=1",
        ];
        let run = stage.play(&words).expect(0);
        assert!(run.took < Duration::from_secs(most), "{vices}: {run:?}");
        expect_no_fault(&stage);
    }
}

#[test]
fn c32_an_end_is_seen_at_once_without_a_clock_too() {
    let play = |vice: &str, words: &[&str]| {
        let stage = Stage::default();
        let odd =
            format!("--engine=name=odd nodes=5000 cmd=sparring args='--random --vice {vice}'");
        let good = "--engine=name=good nodes=5000 cmd=sparring args='--random --seed=4'";
        let always = [&odd, good, "--pairs=1", "--concurrency=1"];
        let run = stage.play(&[&always, words].concat());
        (stage, run)
    };
    for vice in [
        "crash-on-go=2",
        "exit-on-go=2",
        "die-on-newgame",
        "exit-after-bestmove",
    ] {
        let (stage, run) = play(vice, &[]);
        let run = run.expect(0);
        assert_eq!(stage.summary()["engines"][0]["crashes"], 2, "{vice}");
        assert!(
            run.took < Duration::from_secs(15),
            "{vice}: long before the watchdog: {run:?}"
        );
    }
    let (stage, run) = play("hang=2", &["--patience=watchdog=0.5"]);
    run.expect(0);
    assert_eq!(stage.summary()["engines"][0]["stalls"], 2);
    let (_, run) = play("die-on-uci", &[]);
    run.expect(3);
}
