//! Bad input gets one clear error and exit code 2, and nothing is half-written.

use end_to_end::Stage;

/// A contest of random movers, one pair.
const PLAYERS: [&str; 6] = [
    "match",
    "--engine=name=a cmd=sparring args=--random",
    "--engine=name=b cmd=sparring args=--random",
    "--each=tc=1+1",
    "--pairs=1",
    "--concurrency=1",
];

/// The files that would be written.
const FILES: [&str; 3] = ["--pgn=g.pgn", "--summary=s.json", "--events=e.jsonl"];

#[track_caller]
fn check_refused(stage: &Stage, words: &[&str], parts: &[&str]) {
    let before = stage.files();
    let run = stage.arbiter(words).expect(2);
    for part in parts {
        assert!(run.err.contains(part), "no `{part}` in {run:#?}");
    }
    assert!(run.err.starts_with("error: "), "{run:#?}");
    assert_eq!(run.out, "", "{run:#?}");
    assert_eq!(stage.files(), before, "something was written");
}

/// Refused is a good contest with one more word.
#[track_caller]
fn check_word(word: &str, parts: &[&str]) {
    let words = [&PLAYERS[..], &FILES, &[word]].concat();
    check_refused(&Stage::default(), &words, parts);
}

/// Refused is a contest as TOML, with the line named.
#[track_caller]
fn check_toml(text: &str, parts: &[&str]) {
    let stage = Stage::default();
    stage.write("bad.toml", text);
    check_refused(
        &stage,
        &[&["match", "bad.toml"], &FILES[..]].concat(),
        parts,
    );
}

#[test]
fn words_that_are_wrong() {
    check_word("--openings=nowhere.epd", &["`nowhere.epd`"]);
    check_word("--openings=order=backwards", &["backwards", "random"]);
    check_word("--resign=count=0", &["0"]);
    check_word("--draw=scores=1", &["scores", "`score`"]);
    check_word("--sprt=elo0=5 elo1=1", &["elo1"]);
    check_word("--variant=chess959", &["chess959", "chess960"]);
    check_word("--syzygy=nowhere", &["nowhere"]);
    check_word("--flag-policy=never", &["never", "bare-king"]);
    check_word("--speed=9", &["--speed"]);
    check_word("--engine=cmd=./no/such/program", &["./no/such/program"]);
    check_word("--engine=cmd=sparring:11", &["sparring:11", "10"]);
    check_word(
        "--engine=cmd=sparring:3 option.Hash=0",
        &["Hash", "1 to 4096"],
    );
    check_word("--engine=cmd=sparring:3 tc=fast", &["tc=fast"]);
    check_word("--engine=cmd=sparring:3 st=0", &["st=0"]);
    check_word("--engine=cmd=cat dir=/nowhere/at/all", &["/nowhere/at/all"]);
}

#[test]
fn too_few_engines() {
    let one = ["match", "--engine=sparring:1", "--each=tc=1"];
    check_refused(&Stage::default(), &one, &["one engine", "hint: "]);
    check_refused(&Stage::default(), &["match"], &["engine", "hint: "]);
}

#[test]
fn engines_without_a_limit() {
    let words = ["match", "--engine=sparring:1", "--engine=sparring:2"];
    check_refused(&Stage::default(), &words, &["no limit", "hint: "]);
}

#[test]
fn a_file_that_is_not_there() {
    check_refused(
        &Stage::default(),
        &["match", "nowhere.toml"],
        &["`nowhere.toml`"],
    );
    check_refused(
        &Stage::default(),
        &["pgn", "check", "nowhere.pgn"],
        &["`nowhere.pgn`"],
    );
    check_refused(
        &Stage::default(),
        &["perft", "--suite", "nowhere.epd"],
        &["`nowhere.epd`"],
    );
}

#[test]
fn a_contest_that_does_not_read() {
    let engines = "[each]\ntc = \"1+1\"\n[[engine]]\ncmd = \"sparring:1\"\n[[engine]]\ncmd = \"sparring:2\"\n";
    check_toml(
        &format!("pairs = 1\npears = 2\n{engines}"),
        &["bad.toml:2", "pears", "pairs"],
    );
    check_toml(&format!("pairs = 0\n{engines}"), &["bad.toml:1"]);
    check_toml("pairs = \n", &["bad.toml:1"]);
    check_toml(
        &format!("pairs = 1\n{engines}tc = \"1+\"\n"),
        &["bad.toml:8", "1+"],
    );
    check_toml(&format!("{engines}[[engine]]\nname = \"c\"\n"), &["cmd"]);
}

#[test]
fn a_book_without_an_opening() {
    let stage = Stage::default();
    stage.write("bad.epd", "# nothing\n\nnot a position\n");
    let words = [&PLAYERS[..], &FILES, &["--openings=bad.epd"]].concat();
    check_refused(&stage, &words, &["bad.epd", "line 3"]);
}

#[test]
fn a_bad_entry_of_a_book_is_named_and_skipped() {
    let stage = Stage::default();
    let book =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nkk6/8/8/8/8/8/8/K7 w - - 0 1\n";
    stage.write("half.epd", book);
    let words = [&PLAYERS[..], &FILES, &["--openings=half.epd"]].concat();
    stage.arbiter(&words).expect(0).expect_err("line 2");
}

#[test]
fn a_file_that_cannot_be_written_is_said_before_the_first_game() {
    for file in ["--pgn", "--summary", "--events"] {
        let words = [&PLAYERS[..], &[file, "nowhere/at/all"]].concat();
        check_refused(&Stage::default(), &words, &["nowhere/at/all"]);
    }
}

#[test]
fn positions_and_depths_that_are_wrong() {
    check_refused(
        &Stage::default(),
        &["perft", "3", "--fen", "8/8/8/8 w - - 0 1"],
        &["`--fen`"],
    );
    check_refused(&Stage::default(), &["perft", "deep"], &["deep"]);
    check_refused(&Stage::default(), &["perft"], &["DEPTH"]);
    check_refused(&Stage::default(), &["sparring", "--level=0"], &["1 to 10"]);
}

#[test]
fn an_option_that_the_engine_lacks_is_a_warning_with_a_near_name() {
    let stage = Stage::default();
    let near = "--engine=name=c cmd=sparring:1 option.Hsh=4";
    let words = [&PLAYERS[..], &[near, "--each=tc=1+1 nodes=50"]].concat();
    let words: Vec<_> = words
        .into_iter()
        .filter(|&word| word != "--each=tc=1+1")
        .collect();
    stage
        .arbiter(&words)
        .expect(0)
        .expect_err("did you mean `Hash`");
}
