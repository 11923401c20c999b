//! What would be another contest is refused, and nothing is touched.

use std::collections::BTreeMap;

use end_to_end::{Run, Stage};
use rustix::process::Signal;

use crate::resume::interrupt_after;

const WORDS: [&str; 4] = [
    "--engine=name=a cmd=sparring args=--random",
    "--each=tc=60+1",
    "--pairs=100000",
    "--concurrency=1",
];

const SECOND: &str = "--engine=name=b cmd=./second.sh";

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";

fn interrupted() -> Stage {
    let stage = Stage::default();
    stage.write("book.epd", BOOK);
    stage.write_script("second.sh", "exec arbiter sparring --random");
    let words = [&WORDS[..], &[SECOND, "--openings=book.epd"]].concat();
    interrupt_after(&stage, &words, 3);
    stage
}

fn files(stage: &Stage) -> BTreeMap<String, String> {
    let names = stage.files().into_iter();
    names
        .map(|name| (name.clone(), stage.read(&name)))
        .collect()
}

/// Must be refused with a message that contains all of `parts`, and change no file.
#[track_caller]
fn check(stage: &Stage, words: &[&str], parts: &[&str]) -> Run {
    let before = files(stage);
    let run = stage.arbiter(&[&["match"], words].concat()).expect(2);
    for part in parts {
        assert!(run.err.contains(part), "no `{part}` in {run:#?}");
    }
    assert_eq!(files(stage), before, "something was touched");
    run
}

#[test]
fn changed_settings_are_refused_with_their_difference() {
    let stage = interrupted();
    let resume = "--resume=games.journal";
    check(
        &stage,
        &[resume, "--pairs=20", "--seed=5"],
        &["pairs was `100000` and is `20`", "seed was `1` and is `5`"],
    );
    check(
        &stage,
        &[resume, "--each=tc=10"],
        &["engine.1.tc was `60+1` and is `10`", "engine.2.tc"],
    );
    check(
        &stage,
        &[resume, "--sprt=elo0=0 elo1=5"],
        &["sprt.elo1 was not set and is `5`"],
    );
    check(
        &stage,
        &[resume, "--pgn=other.pgn"],
        &["output.pgn.file was `games.pgn` and is `other.pgn`"],
    );
    check(
        &stage,
        &[
            resume,
            "--engine=name=a cmd=sparring",
            SECOND,
            "--each=tc=60+1",
        ],
        &["engine.1.args.1 was `--random` and is not set"],
    );
    stage.write(
        "other.toml",
        "[[engine]]\ncmd = 'x'\n[[engine]]\ncmd = 'y'\n[each]\nnodes = 1\n",
    );
    check(
        &stage,
        &[resume, "other.toml"],
        &["engine.1.cmd was `sparring` and is `x`"],
    );
    check(
        &stage,
        &[resume, "--journal=book.epd"],
        &["is not the journal that is to be resumed"],
    );
}

#[test]
fn another_book_or_another_program_is_refused() {
    let stage = interrupted();
    let resume = ["--resume=games.journal"];
    let script = stage.read("second.sh");
    stage.write("second.sh", script.clone() + "# rebuilt\n");
    check(
        &stage,
        &resume,
        &["engine `b` is not the program with which the contest began"],
    );
    stage.write("second.sh", script);
    stage.write("book.epd", BOOK.replace(" w ", " b "));
    check(
        &stage,
        &resume,
        &["the book is not the one with which the contest began: 1 openings with"],
    );
    stage.write("book.epd", BOOK.repeat(2));
    check(&stage, &resume, &[" and now 2 openings with SHA-256 "]);
}

#[test]
fn what_is_no_journal_is_not_touched() {
    let stage = interrupted();
    let journal = stage.read("games.journal");
    check(
        &stage,
        &["--resume=missing.journal"],
        &["failed to read the journal `missing.journal`"],
    );
    check(
        &stage,
        &["--resume=games.pgn"],
        &["`games.pgn` cannot be used: it is no journal of arbiter"],
    );
    stage.write(
        "games.journal",
        journal.replacen("\"version\":1", "\"version\":2", 1),
    );
    check(
        &stage,
        &["--resume=games.journal"],
        &["it has version 2", "reads version 1"],
    );
    let middle = journal.replacen("game_finished", "game\0finished", 1);
    stage.write("games.journal", middle);
    check(
        &stage,
        &["--resume=games.journal"],
        &["is damaged", "whole records follow it"],
    );
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    stage.write(
        "games.journal",
        [&lines[..3], &lines[4..]].concat().concat(),
    );
    check(
        &stage,
        &["--resume=games.journal"],
        &["line 4 has event 3 where event 2 is due"],
    );
    stage.write("games.journal", "");
    check(
        &stage,
        &["--resume=games.journal"],
        &["it is no journal of arbiter: it is empty"],
    );
}

#[test]
fn a_journal_is_never_overwritten_silently() {
    let stage = interrupted();
    let words = [
        &WORDS[..],
        &[SECOND, "--openings=book.epd", "--pgn=games.pgn"],
    ]
    .concat();
    check(
        &stage,
        &words,
        &[
            "`games.journal` is the journal of a contest of which ",
            " of 200000 games have been played",
            "hint: `arbiter match --resume games.journal` goes on with it",
        ],
    );
    let words = [&words[..], &["--journal=book.epd"]].concat();
    check(
        &stage,
        &words,
        &["`book.epd` is there already and is not touched"],
    );
}

#[test]
fn a_contest_is_never_played_by_two() {
    let stage = Stage::default();
    stage.write_script("second.sh", "exec arbiter sparring --random");
    let words = [&WORDS[..], &[SECOND]].concat();
    let running = stage.start_play(&words);
    stage.wait_until("games to be played", || stage.games().len() > 3);
    for words in [
        &["match", "--resume=games.journal"][..],
        &["match", WORDS[0], WORDS[1], SECOND, "--pgn=games.pgn"],
    ] {
        // The first is still alive, so survivors are not ours.
        let run = stage.arbiter(words);
        assert_eq!(run.code, Some(2), "{run:#?}");
        run.expect_err("the journal `games.journal` is in use");
    }
    running.signal(Signal::INT);
    running.finish().expect(130);
}
