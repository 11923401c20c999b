//! Whatever befalls the files of a contest, the journal mends them; and what cannot be written is said.

use end_to_end::{Run, Running, Stage};
use rustix::process::Signal;

const WORDS: [&str; 5] = [
    "--engine=name=a cmd=sparring args=--random",
    "--engine=name=b cmd=sparring args='--random --seed 2'",
    "--each=tc=60+1",
    "--pairs=150",
    "--concurrency=2",
];

/// A game of somebody else.
const FOREIGN: &str = "[Event \"a friendly game\"]\n[White \"x\"]\n[Result \"*\"]\n\n1. e4 *\n\n";

/// A contest that was killed in the middle.
fn killed() -> Stage {
    let stage = Stage::default();
    stage.write("games.pgn", FOREIGN);
    let running = stage.start_play(&WORDS);
    stage.wait_until("games to be played", || stage.games().len() > 20);
    running.signal(Signal::KILL);
    running.finish();
    stage
}

#[track_caller]
fn resume(stage: &Stage) -> Run {
    let run = stage
        .arbiter(&["match", "--resume", "games.journal"])
        .expect(0);
    check_whole(stage);
    run
}

/// All games of the contest are everywhere, once, and the game of somebody else is untouched.
#[track_caller]
fn check_whole(stage: &Stage) {
    let games = stage.games();
    let rounds: std::collections::BTreeSet<_> = games
        .iter()
        .map(|game| game.tag("Round").to_owned())
        .collect();
    let ours = games
        .iter()
        .filter(|game| game.tag("Event") == "arbiter match")
        .count();
    assert_eq!(
        (ours, rounds.len() - usize::from(rounds.contains(""))),
        (300, 300)
    );
    assert_eq!(stage.summary()["games"], 300);
    let events = stage.events();
    let seqs = events.iter().map(|event| event["seq"].as_u64().unwrap());
    assert!(seqs.eq(0..events.len() as u64), "event numbers have a gap");
    let finished = events
        .iter()
        .filter(|event| event["event"] == "game_finished");
    assert_eq!(finished.filter(|event| event["result"] != "*").count(), 300);
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
}

fn cut(stage: &Stage, file: &str, bytes: usize) {
    let text = stage.read(file);
    stage.write(file, &text.as_bytes()[..text.len() - bytes]);
}

#[test]
fn torn_ends_are_cut_off_and_named() {
    for bytes in [1, 60] {
        let stage = killed();
        for file in ["games.journal", "games.pgn", "events.jsonl"] {
            cut(&stage, file, bytes);
        }
        let run = resume(&stage)
            .expect_err("warning: the end of `games.journal` was torn, ")
            .expect_err(" it is cut off")
            .expect_err("warning: `games.pgn`: a torn game at its end is cut off");
        assert!(stage.read("games.pgn").starts_with(FOREIGN), "{run:#?}");
    }
}

#[test]
fn what_other_files_lack_is_written_from_the_journal() {
    let stage = killed();
    std::fs::remove_file(stage.path("games.pgn")).unwrap();
    std::fs::remove_file(stage.path("events.jsonl")).unwrap();
    resume(&stage)
        .expect_err(" games that it lacked written from the journal")
        .expect_err(" events that it lacked written from the journal");

    // A finished contest is mended too.
    std::fs::remove_file(stage.path("games.pgn")).unwrap();
    std::fs::remove_file(stage.path("summary.json")).unwrap();
    resume(&stage).expect_err("`games.pgn`: 300 games that it lacked");
}

#[test]
fn games_of_others_in_the_same_file_are_left_alone() {
    let stage = killed();
    let pgn = stage.read("games.pgn") + FOREIGN;
    stage.write("games.pgn", &pgn);
    resume(&stage);
    assert!(stage.read("games.pgn").starts_with(&pgn));
}

#[test]
fn what_is_not_in_the_journal_has_not_happened() {
    // As after a power failure that PGN and events survived and the journal did not. An earlier contest
    // between the same engines, and a later one, have games of the same rounds in the same file.
    let stage = Stage::default();
    stage
        .play(&[&WORDS[..3], &["--pairs=5"]].concat())
        .expect(0);
    let earlier = stage.read("games.pgn");
    let running = stage.start_play(&WORDS);
    stage.wait_until("games to be played", || stage.games().len() > 40);
    running.signal(Signal::KILL);
    running.finish();
    let journal = stage.read("games.journal");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let lost = lines.len() - 13;
    stage.write("games.journal", lines[..lost].concat() + "{\"seq\":");
    let games = lines[lost..]
        .iter()
        .filter(|line| line.contains(",\"pgn\":"))
        .count();
    assert!(0 < games);
    let pgn = stage.read("games.pgn");
    let year = |game: &str| game.replace("[GameEndTime \"20", "[GameEndTime \"21");
    let later = year(pgn.rsplit("[Event ").next().unwrap());
    stage.write("games.pgn", format!("{pgn}[Event {later}"));

    let run = stage
        .arbiter(&["match", "--resume", "games.journal"])
        .expect(0);
    run.expect_err(" that the journal lacks cut out")
        .expect_err("`events.jsonl`: ")
        .expect_err(" that are not in the journal are cut off");
    let now = stage.read("games.pgn");
    assert!(now.starts_with(&earlier) && now.contains(&later));
    assert_eq!(stage.games().len(), 10 + 300 + 1);
    assert_eq!(stage.summary()["games"], 300);
}

#[test]
fn a_pgn_that_is_deleted_under_way_is_noticed_and_can_be_had_again() {
    let stage = Stage::default();
    stage.write("games.pgn", FOREIGN);
    let running = stage.start_play(&WORDS);
    stage.wait_until("games to be played", || stage.games().len() > 20);
    std::fs::remove_file(stage.path("games.pgn")).unwrap();
    running
        .finish()
        .expect(4)
        .expect_err("failed to write `games.pgn`: it was deleted while it was being written")
        .expect_err("match --resume games.journal` goes on with this contest");
    resume(&stage);
}

/// Plays in a shell that says what a process may have.
#[track_caller]
fn play_within(stage: &Stage, limits: &str, words: &str) -> Run {
    let mut command = stage.command("sh");
    command
        .arg("-c")
        .arg(format!("{limits}; exec arbiter match \"$@\" {words}"))
        .arg("sh");
    command.args(WORDS);
    Running::start(stage, command).finish()
}

/// Games and what was counted agree, whatever could not be written.
#[track_caller]
fn check_count(stage: &Stage, run: &Run) {
    let games = stage.games().len();
    assert!(0 < games && games < 300, "{run:#?}");
    assert_eq!(stage.summary()["games"], games, "{run:#?}");
    assert!(
        run.err
            .contains(&format!("after {games} games: failed to write")),
        "{run:#?}"
    );
}

#[test]
fn files_that_may_not_grow_stop_a_contest_and_lose_no_game() {
    // 512 or 1024 bytes each: the journal, which grows fastest, has no more room after some games.
    let files = "--pgn games.pgn --summary summary.json --events events.jsonl";
    let stage = Stage::default();
    let run = play_within(&stage, "ulimit -f 400", files).expect(4);
    let run = run.expect_err("failed to write `games.journal`: File too large");
    check_count(&stage, &run);
    resume(&stage);

    // Without a journal what stands in the PGN is what counts.
    let stage = Stage::default();
    let words = "--pgn games.pgn --summary summary.json --no-journal";
    let run = play_within(&stage, "ulimit -f 200", words).expect(4);
    check_count(&stage, &run);
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
}

#[test]
fn a_full_disk_stops_a_contest_and_the_journal_keeps_its_games() {
    let stage = Stage::default();
    let words = [
        &["match"],
        &WORDS[..],
        &["--pgn=/dev/full", "--journal=games.journal"],
    ]
    .concat();
    let run = stage.arbiter(&words).expect(4);
    run.expect_err("failed to write `/dev/full`: No space left on device");
    // Of files that are no files there is nothing to mend.
    stage
        .arbiter(&["match", "--resume=games.journal"])
        .expect(4)
        .expect_err("failed to write `/dev/full`");
}

#[test]
fn where_no_file_can_be_made_nothing_is_started() {
    let stage = Stage::default();
    for journal in ["/proc/games.journal", "missing/games.journal"] {
        let journal = format!("--journal={journal}");
        let run = stage.arbiter(&[&["match", &journal], &WORDS[..]].concat());
        assert!(matches!(run.code, Some(2 | 4)), "{run:#?}");
        run.expect_err("failed to write the journal `");
    }
    assert!(stage.files().is_empty());
}
