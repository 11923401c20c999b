//! What is different on a terminal. `script` of util-linux lends one.

use std::process::{Command, Stdio};

use crate::bench::Bench;

/// What a terminal shows of `arbiter` with the words of `line`; nothing where there is no `script`.
fn shown(line: &str, settings: &[(&str, &str)]) -> Option<String> {
    let bench = Bench::new();
    let mut script = Command::new("script");
    script.args([
        "-qec",
        &format!("{} {line}", env!("CARGO_BIN_EXE_arbiter")),
        "/dev/null",
    ]);
    script
        .current_dir(bench.path())
        .stdin(Stdio::null())
        .env("TERM", "xterm");
    script.env_remove("NO_COLOR").envs(settings.iter().copied());
    let Ok(done) = script.output() else {
        eprintln!("SKIPPED: there is no `script`");
        return None;
    };
    Some(String::from_utf8(done.stdout).unwrap())
}

const PLAY: &str =
    "match --engine sparring:3 --engine sparring:2 --each nodes=100 --pairs 2 --no-pin";

#[test]
fn a_bar_stands_in_for_the_lines_of_games() {
    let Some(screen) = shown(PLAY, &[]) else {
        return;
    };
    assert!(screen.contains("/4, "), "{screen}");
    assert!(!screen.contains("game 1 of 4"), "{screen}");
    assert!(screen.contains("pentanomial  ["), "{screen}");
}

#[test]
fn lines_may_be_had_on_a_terminal_too() {
    let Some(screen) = shown(&format!("{PLAY} --progress plain"), &[]) else {
        return;
    };
    assert!(screen.contains("game 1 of 4"), "{screen}");
    assert!(!screen.contains("/4, "), "{screen}");
}

#[test]
fn colour_can_be_declined() {
    let (Some(colored), Some(plain)) = (shown("match", &[]), shown("match", &[("NO_COLOR", "1")]))
    else {
        return;
    };
    assert!(
        colored.starts_with("\u{1b}[1;31merror:\u{1b}[0m no engine"),
        "{colored:?}"
    );
    assert!(plain.starts_with("error: no engine"), "{plain:?}");
}
