//! Where engines are found and where they run.

use std::fs;

use end_to_end::{STOCKFISH, Stage, engine};

/// A script that becomes the built-in engine.
const ENGINE: &str = "exec arbiter sparring \"$@\"";

#[track_caller]
fn check(stage: &Stage, first: &str) {
    let words = [
        "--engine",
        first,
        "--engine=name=other cmd=sparring:1",
        "--each=tc=1+1 nodes=50",
        "--pairs=1",
        "--concurrency=1",
    ];
    stage.play(&words).expect(0);
    assert_eq!(stage.games().len(), 2);
}

#[test]
fn a_program_and_its_folder_may_have_blanks_in_their_names() {
    let stage = Stage::default();
    let path = stage.write_script("dir with space/eng ine.sh", ENGINE);
    check(&stage, &format!("name=a cmd='{path}' args=--random"));
    let stage = Stage::default();
    stage.write_script("dir with space/eng ine.sh", ENGINE);
    check(
        &stage,
        "name=a cmd='dir with space/eng ine.sh' args=--random",
    );
}

#[test]
fn a_relative_program_is_found_in_its_folder_and_runs_there() {
    for folder in ["dir with space", "dir with space/"] {
        let stage = Stage::default();
        stage.write_script(
            "dir with space/eng ine.sh",
            &format!("pwd > where\n{ENGINE}"),
        );
        check(
            &stage,
            &format!("name=a cmd='./eng ine.sh' dir='{folder}' args=--random"),
        );
        let place = fs::canonicalize(stage.path("dir with space")).unwrap();
        assert_eq!(
            stage.read("dir with space/where").trim_end(),
            place.display().to_string()
        );
    }
}

#[test]
fn a_bare_name_is_looked_up_in_the_path() {
    if engine(STOCKFISH).is_some() {
        check(&Stage::default(), STOCKFISH);
    }
}

#[test]
fn arguments_are_split_as_a_shell_would_and_no_shell_sees_them() {
    let stage = Stage::default();
    let path = stage.write_script(
        "engine.sh",
        &format!("printf '%s\\n' \"$@\" > words\n{ENGINE}"),
    );
    check(
        &stage,
        &format!("name=a cmd={path} args='--random --name \"a $HOME;b\"'"),
    );
    assert_eq!(stage.read("words"), "--random\n--name\na $HOME;b\n");
}

#[test]
fn the_environment_of_an_engine_can_be_set() {
    let stage = Stage::default();
    let path = stage.write_script(
        "engine.sh",
        &format!("printf '%s' \"$FLAVOUR\" > flavour\n{ENGINE}"),
    );
    check(
        &stage,
        &format!("name=a cmd={path} args=--random env.FLAVOUR='sour cherry'"),
    );
    assert_eq!(stage.read("flavour"), "sour cherry");
}

#[test]
fn results_may_go_to_files_with_blanks_in_their_names() {
    let stage = Stage::default();
    let words = [
        "match",
        "--engine=sparring:1",
        "--engine=sparring:2",
        "--each=tc=1+1",
        "--pairs=1",
        "--pgn=file='my games.pgn'",
        "--summary=my summary.json",
    ];
    stage.arbiter(&words).expect(0);
    let files = ["my games.journal", "my games.pgn", "my summary.json"];
    assert_eq!(stage.files(), files);
}
