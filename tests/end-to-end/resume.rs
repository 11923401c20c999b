//! A contest is gone on with where it was interrupted.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use end_to_end::Stage;
use rustix::process::Signal;

const RANDOM: [&str; 3] = [
    "--engine=name=a cmd=sparring args=--random",
    "--engine=name=b cmd=sparring args='--random --seed 2'",
    "--each=tc=60+1",
];

/// Pairs, openings and colours of all games.
fn fixtures(stage: &Stage) -> BTreeSet<[String; 4]> {
    let games = stage.games();
    let tags = ["Round", "FEN", "White", "Black"];
    let fixtures: BTreeSet<_> = games
        .iter()
        .map(|game| tags.map(|name| game.tag(name).to_owned()))
        .collect();
    assert_eq!(fixtures.len(), games.len(), "a game is there twice");
    fixtures
}

/// Five openings.
const BOOK: &str = "\
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -
rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -
rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -
rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq -
";

/// Ends a contest with Ctrl-C after some games.
pub(crate) fn interrupt_after(stage: &Stage, words: &[&str], games: usize) -> end_to_end::Run {
    let running = stage.start_play(words);
    stage.wait_until("games to be played", || stage.games().len() >= games);
    running.signal(Signal::INT);
    running.finish().expect(130)
}

/// Case H04.
#[test]
fn after_ctrl_c_a_contest_is_resumed_with_all_its_settings() {
    let settings = [
        "--pairs=400",
        "--seed=9",
        "--concurrency=1",
        "--openings=file=book.epd order=random start=3",
        "--event=an event",
        "--max-moves=50",
    ];
    let words = [&RANDOM[..], &settings].concat();
    let undisturbed = Stage::default();
    undisturbed.write("book.epd", BOOK);
    undisturbed.play(&words).expect(0);

    let stage = Stage::default();
    stage.write("book.epd", BOOK);
    let run = interrupt_after(&stage, &words, 5);
    assert!(
        run.err
            .contains(" match --resume games.journal` goes on with this contest"),
        "{run:#?}"
    );
    assert!(
        run.err
            .trim_end()
            .lines()
            .last()
            .unwrap()
            .starts_with("error: interrupted after ")
    );
    let played = stage.games().len();
    assert!((5..800).contains(&played));
    let run = stage
        .arbiter(&["match", "--resume", "games.journal"])
        .expect(0);
    assert!(
        run.err
            .contains(&format!("resumed: {played} of 800 games have been played")),
        "{run:#?}"
    );
    assert_eq!(fixtures(&stage), fixtures(&undisturbed));
    assert_eq!(stage.summary()["games"], 800);
    assert_eq!(stage.summary()["void_games"], 0);
    assert!(
        stage
            .games()
            .iter()
            .all(|game| game.tag("Event") == "an event")
    );
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);

    // Once it is finished there is nothing to resume, and that is no error.
    let pgn = stage.read("games.pgn");
    let summary = stage.summary();
    let run = stage
        .arbiter(&["match", "--resume", "games.journal"])
        .expect(0);
    assert!(
        run.err
            .contains("is finished: nothing is left to be played"),
        "{run:#?}"
    );
    assert!(
        run.out.contains("games        800, 400 complete pairs"),
        "{run:#?}"
    );
    assert_eq!(stage.read("games.pgn"), pgn);
    assert_eq!(stage.summary(), summary);
}

/// Case H03.
#[test]
fn a_contest_of_thinkers_is_interrupted_at_once_and_can_be_resumed() {
    let stage = Stage::default();
    let words = [
        "--engine=sparring:10",
        "--engine=name=other cmd=sparring",
        "--each=st=20",
    ];
    let mut running = stage.start_play(&words);
    for _ in 0..2 {
        let started = stage.events().len();
        stage.wait_until("a game to be under way", || {
            let last = stage.events().last().map(|event| event["event"].clone());
            stage.events().len() > started && last.is_some_and(|event| event == "game_started")
        });
        let begun = Instant::now();
        running.signal(Signal::INT);
        let run = running.finish().expect(130);
        assert!(begun.elapsed() < Duration::from_secs(2), "{run:#?}");
        assert!(
            run.err.contains(" match --resume games.journal`"),
            "{run:#?}"
        );
        running = stage.start(&["match", "--resume", "games.journal"]);
    }
    running.signal(Signal::KILL);
    running.finish();
}

/// Case H10.
#[test]
fn whatever_keeps_a_contest_from_its_end_is_the_last_thing_said() {
    let check = |words: &[&str], code: i32, reason: &str| {
        let stage = Stage::default();
        let run = stage.play(words).expect(code);
        let told = run
            .err
            .lines()
            .any(|line| line.starts_with("error: ") && line.contains(reason));
        assert!(told, "{run:#?}");
    };
    let dies = "--engine=name=dies cmd=sparring args='--vice die-on-uci'";
    check(
        &[dies, "--engine=sparring", "--each=nodes=1"],
        3,
        "engine `dies` did not start",
    );
    check(
        &[RANDOM[0], RANDOM[1], RANDOM[2], "--openings=missing.epd"],
        2,
        "failed to read the book `missing.epd`: No such file",
    );
    let stage = Stage::default();
    let words = [&RANDOM[..], &["--pairs=100000", "--concurrency=1"]].concat();
    let run = interrupt_after(&stage, &words, 1);
    assert!(
        run.err
            .trim_end()
            .lines()
            .last()
            .unwrap()
            .contains("interrupted after "),
        "{run:#?}"
    );
}

#[test]
fn a_contest_is_resumed_from_any_folder_with_what_may_be_changed() {
    let stage = Stage::default();
    std::fs::create_dir(stage.path("below")).unwrap();
    let words = [&RANDOM[..], &["--pairs=200", "--concurrency=1"]].concat();
    interrupt_after(&stage, &words, 3);
    let repeated = [
        "match",
        "--resume=../games.journal",
        RANDOM[0],
        RANDOM[1],
        RANDOM[2],
        "--pairs=200",
        "--pgn=games.pgn",
        "--concurrency=2",
        "--patience=quit=1",
    ];
    let mut command = stage.command("arbiter");
    command.current_dir(stage.path("below")).args(repeated);
    let run = end_to_end::Running::start(&stage, command)
        .finish()
        .expect(0);
    assert!(
        run.err.contains("400 games of a against b, 2 at a time"),
        "{run:#?}"
    );
    assert_eq!(fixtures(&stage).len(), 400);
}

#[test]
fn without_a_pgn_there_is_a_journal_only_when_asked_for() {
    let stage = Stage::default();
    let words = [&["match"], &RANDOM[..], &["--pairs=2"]].concat();
    stage.arbiter(&words).expect(0);
    assert!(stage.files().is_empty(), "{:?}", stage.files());
    stage
        .arbiter(&[&words[..], &["--journal=here.jsonl"]].concat())
        .expect(0);
    assert_eq!(stage.files(), ["here.jsonl"]);
    stage
        .arbiter(&[&words[..], &["--pgn=x.pgn", "--no-journal"]].concat())
        .expect(0);
    assert_eq!(stage.files(), ["here.jsonl", "x.pgn"]);
    stage.write("config.toml", "[output]\npgn = 'y.pgn'\njournal = 'none'\n");
    stage
        .arbiter(&[&words[..], &["config.toml"]].concat())
        .expect(0);
    assert_eq!(
        stage.files(),
        ["config.toml", "here.jsonl", "x.pgn", "y.pgn"]
    );
    // Nothing has to be kept of a contest that is finished.
    let run = stage
        .arbiter(&[&words[..], &["--journal=here.jsonl"]].concat())
        .expect(0);
    assert!(
        run.err
            .contains("`here.jsonl` was the journal of a finished contest"),
        "{run:#?}"
    );
}
