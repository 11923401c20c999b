//! `arbiter match`: what it shows and what it leaves. Faults of engines, signals and clocks are the
//! end-to-end suite's.

use serde_json::Value;

use crate::bench::Bench;

const PLAY: &str = "match --engine 'sparring:4 name=new' --engine 'sparring:2 name=old' --each nodes=100 --concurrency 1 --no-pin";

#[test]
fn without_a_terminal_there_is_a_line_a_game_and_a_report() {
    let done = Bench::new().run(&format!("{PLAY} --pairs 2")).expect(0);
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines[0].starts_with("game 1 of 4: new "), "{done:#?}");
    assert!(lines[1].starts_with("game 2 of 4: old "), "{done:#?}");
    assert!(lines[3].ends_with(" plies"), "{done:#?}");
    for label in [
        "games",
        "score",
        "elo",
        "nelo",
        "los",
        "pentanomial",
        "endings",
        "faults",
    ] {
        let begins = |line: &&str| line.split_whitespace().next() == Some(label);
        assert_eq!(
            lines.iter().filter(|line| begins(line)).count(),
            1,
            "{label} in {done:#?}"
        );
    }
    assert_eq!(done.err, "4 games of new against old, 1 at a time\n");
}

#[test]
fn quiet_leaves_the_report_alone() {
    let done = Bench::new()
        .run(&format!("{PLAY} --pairs 1 --quiet"))
        .expect(0);
    assert!(done.out.starts_with("games "), "{done:#?}");
    assert_eq!(done.err, "");
}

#[test]
fn what_was_not_said_is_noted() {
    let line = format!("{PLAY} --sprt 'elo0=0 elo1=400 model=logistic'");
    let done = Bench::new().run(&line).expect(0);
    assert!(done.err.contains("note: "), "{done:#?}");
    assert!(
        done.out.contains("H1 accepted") || done.out.contains("H0 accepted"),
        "{done:#?}"
    );
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let file = "pairs = 3\nseed = 1\nconcurrency = 1\n\
        [each]\nnodes = 50\n[[engine]]\ncmd = \"sparring:2\"\n[[engine]]\ncmd = \"sparring:1\"\n";
    let bench = Bench::new().with("contest.toml", file);
    let mut command = bench.command();
    command.args([
        "match",
        "contest.toml",
        "--pairs",
        "1",
        "--events",
        "events.jsonl",
    ]);
    command.env("ARBITER_CONCURRENCY", "2");
    assert!(command.output().unwrap().status.success());
    let events = bench.read("events.jsonl");
    let first: Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["games"], &first["slots"]),
        (&Value::from(2), &Value::from(2)),
        "{first}"
    );
}

#[test]
fn three_engines_get_a_table_and_a_cross_table() {
    let line = "match --engine sparring:3 --engine sparring:2 --engine sparring:1 --each nodes=60 --pairs 1";
    let done = Bench::new().run(line).expect(0);
    let row = |start: &str| {
        done.out
            .lines()
            .filter(|line| line.starts_with(start))
            .count()
    };
    assert_eq!(row("standings"), 1, "{done:#?}");
    assert_eq!(row("points against"), 1, "{done:#?}");
    assert_eq!(row("1 sparring-"), 2, "{done:#?}");
}

#[test]
fn a_match_in_which_nobody_reads_the_lines_goes_on() {
    let bench = Bench::new();
    let mut command = bench.command();
    command.args(shlex::split(&format!("{PLAY} --pairs 3 --summary summary.json")).unwrap());
    let mut child = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    let summary: Value = serde_json::from_str(&bench.read("summary.json")).unwrap();
    assert_eq!(summary["games"], 6);
}

#[test]
fn the_games_pass_our_own_check() {
    let bench = Bench::new();
    let line = "match --engine sparring:3 --engine sparring:2 --each nodes=60 --pairs 5 --pgn";
    bench
        .run(&format!("{line} 'games.pgn nodes=true pv=true'"))
        .expect(0);
    bench
        .run(&format!("{line} chess960.pgn --variant chess960"))
        .expect(0);
    let done = bench.run("pgn check games.pgn chess960.pgn").expect(0);
    assert_eq!(done.out, "20 games, 0 with errors\n");
}
