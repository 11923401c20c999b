//! What is kept of a game that ended by a fault, and when a contest with a broken engine ends.

use end_to_end::{Run, Stage};

/// Plays pairs of an engine with vices against a good one, without the usual output.
#[track_caller]
fn play(stage: &Stage, vices: &str, words: &[&str]) -> Run {
    let bad = format!("--engine=name=bad cmd=sparring args='--random {vices}'");
    let good = "--engine=name=good cmd=sparring args='--random --seed=1'";
    let contest = ["match", &bad, good, "--concurrency=1", "--each=tc=60+1"];
    stage.arbiter(&[&contest, words].concat())
}

/// The files of a folder on the stage, by name.
fn files(stage: &Stage, folder: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(stage.path(folder)) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_both_engines_said_last_is_written_down_for_every_fault() {
    let stage = Stage::default();
    let run = play(
        &stage,
        "--vice crash-on-go=3",
        &["--pairs=1", "--pgn=games.pgn", "--events=events.jsonl"],
    );
    run.expect(0)
        .expect_err("game 1: bad: what was said is in `games.faults/game-1.txt`")
        .expect_out("2 crashes (see `games.faults`)");
    assert_eq!(files(&stage, "games.faults"), ["game-1.txt", "game-2.txt"]);
    for (game, color) in [(1, "white"), (2, "black")] {
        let name = format!("games.faults/game-{game}.txt");
        let text = stage.read(&name);
        for part in [
            &format!("fault      bad ({color}): crash"),
            "bad: tc=60+1",
            "the process was killed by SIGABRT",
            "good: tc=60+1",
            "the process runs on",
            "  | thread 'main' panicked",
            "bad  > ucinewgame",
            "bad  > position ",
            "bad  > go wtime ",
            "bad  < bestmove ",
            "good < bestmove ",
            "good < readyok",
        ] {
            assert!(text.contains(part), "no `{part}` in {text}");
        }
        let last = text.lines().last().unwrap();
        assert!(last.contains("bad  > go wtime"), "{text}");
        let events = stage.events();
        let told = events.iter().find(|event| event["file"] == name.as_str());
        let told = told.unwrap_or_else(|| panic!("no event for {name}"));
        assert_eq!(
            (
                &told["event"],
                &told["game"],
                &told["engine"],
                &told["fault"]["kind"]
            ),
            (
                &"fault_recorded".into(),
                &game.into(),
                &"bad".into(),
                &"crash".into()
            )
        );
    }
}

#[test]
fn the_position_of_a_fault_can_be_set_up_again() {
    let stage = Stage::default();
    play(
        &stage,
        "--vice bestmove=e2e9",
        &["--pairs=1", "--faults=kept/here"],
    )
    .expect(0);
    let text = stage.read("kept/here/game-1.txt");
    let value = |label: &str| {
        let line = text.lines().find(|line| line.starts_with(label));
        line.unwrap_or_else(|| panic!("no `{label}` in {text}"))[label.len()..]
            .trim()
            .to_owned()
    };
    assert_eq!(value("fault"), "bad (white): illegal move `e2e9`");
    assert!(value("as UCI").starts_with("position fen "), "{text}");
    let moves = stage.arbiter(&["perft", "1", "--fen", &value("position")]);
    moves.expect(0);
}

#[test]
fn bytes_that_a_terminal_would_act_on_are_escaped() {
    let stage = Stage::default();
    let vices = "--vice latin1 --vice nul --vice crlf --vice illegal=2 --vice long-line=200000";
    play(&stage, vices, &["--pairs=1", "--pgn=games.pgn"]).expect(0);
    let text = stage.read("games.faults/game-2.txt");
    for part in [
        r"d\xfcstere",
        r"a\x00b\x00\r",
        "bytes left out]",
        "illegal move `e2e5`",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let odd = text
        .chars()
        .find(|&letter| letter != '\n' && letter.is_control());
    assert_eq!(odd, None, "{text}");
    assert!(text.len() < 100_000, "{}", text.len());
}

#[test]
fn without_a_fault_or_a_wish_nothing_is_written() {
    let stage = Stage::default();
    play(&stage, "", &["--pairs=1", "--pgn=games.pgn"]).expect(0);
    assert_eq!(stage.files(), ["games.journal", "games.pgn"]);
    play(
        &stage,
        "--vice illegal",
        &["--pairs=1", "--pgn=games.pgn", "--faults=off"],
    )
    .expect(0);
    play(&stage, "--vice illegal", &["--pairs=1"]).expect(0);
    assert_eq!(stage.files(), ["games.journal", "games.pgn"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_said_before_the_first_game() {
    let stage = Stage::default();
    stage.write("file", "");
    for folder in ["file", "file/deeper"] {
        play(&stage, "", &["--pairs=1", "--faults", folder])
            .expect(2)
            .expect_err(folder);
    }
}

#[test]
fn a_contest_of_an_engine_that_always_fails_is_stopped_on_request() {
    let stage = Stage::default();
    let words = [
        "--max-faults=3",
        "--pairs=50",
        "--pgn=games.pgn",
        "--summary=summary.json",
    ];
    let run = play(&stage, "--vice exit-on-go", &words);
    run.expect(3)
        .expect_err("stopped after 3 games: `bad` has 3 faults, and `max-faults` is 3")
        .expect_out("stopped      `bad` has 3 faults");
    assert_eq!(stage.summary()["engines"][0]["crashes"], 3);
    assert_eq!(stage.games().len(), 3);
}
