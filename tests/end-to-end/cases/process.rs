//! Processes, exit codes and what is written.

use end_to_end::Stage;
use rustix::process::Signal;

/// The words of two random movers, the first with arguments and a limit.
fn engines(args: &str) -> [String; 3] {
    [
        format!("--engine=name=a cmd=sparring args='--random {args}'"),
        "--engine=name=b cmd=sparring args='--random --seed=1'".to_owned(),
        "--each=tc=60+1".to_owned(),
    ]
}

#[test]
fn h10_a_contest_that_was_not_played_to_its_end_does_not_end_with_0() {
    let check = |args: &str, words: &[&str], code: i32, why: &str| {
        let stage = Stage::default();
        let engines = engines(args);
        let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
        let run = stage.play(&[&engines, words].concat()).expect(code);
        let last = run.err.lines().last().unwrap_or_default();
        assert!(
            run.err.contains("error: ") && run.err.contains(why),
            "{run:#?}"
        );
        assert!(
            last.contains(why) || last.starts_with("hint:") || last.starts_with("  "),
            "{run:#?}"
        );
    };
    check("--vice die-on-uci", &[], 3, "`a`");
    check(
        "--vice no-uciok",
        &["--patience=startup=0.3"],
        3,
        "no answer to `uci`",
    );
    check("", &["--openings=nowhere.epd"], 2, "nowhere.epd");
    check("", &["--engine=cmd=./nothing"], 2, "./nothing");
    check("--vice crash-on-go", &["--max-faults=1"], 3, "max-faults");
    let stage = Stage::default();
    let engines = engines("--vice mute");
    let running = stage.start_play(&engines);
    stage.wait_until("a game", || {
        stage.read("events.jsonl").contains("game_started")
    });
    running.signal(Signal::INT);
    let run = running.finish().expect(130);
    assert!(
        run.err.lines().last().unwrap().contains("interrupted"),
        "{run:#?}"
    );
}

#[test]
fn h12_lines_of_many_slots_are_whole() {
    let stage = Stage::default();
    let engines = engines("--vice unasked-bestmove");
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let words = [
        "--pairs=64",
        "--concurrency=64",
        "--max-moves=3",
        "--patience=startup=100 ping=100",
    ];
    let run = stage.play(&[&engines[..], &words].concat()).expect(0);
    // Reading them checks that each is an object.
    let events = stage.events();
    assert!(
        events
            .iter()
            .enumerate()
            .all(|(seq, event)| event["seq"] == seq)
    );
    assert_eq!(stage.games().len(), 128);
    let games = run.out.lines().filter(|line| line.starts_with("game "));
    assert_eq!(games.clone().count(), 128, "{}", run.out);
    for line in games {
        assert_eq!(line.matches("game ").count(), 1, "{line}");
    }
    for line in run.err.lines() {
        assert!(line.matches("warning: ").count() <= 1, "{line}");
    }
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
}

#[test]
fn h13_who_crashed_is_started_again_and_nobody_else() {
    let stage = Stage::default();
    let script = |name: &str| {
        let text = format!("echo $$ >> pids-{name}; exec arbiter sparring --random \"$@\"");
        stage.write_script(name, &text)
    };
    let [bad, good] =
        ["bad", "good"].map(|name| format!("--engine=name={name} cmd={}", script(name)));
    let bad = format!("{bad} args='--vice crash-on-go=3'");
    stage
        .play(&[
            &bad,
            &good,
            "--each=tc=60+1",
            "--pairs=3",
            "--concurrency=1",
        ])
        .expect(0);
    let summary = stage.summary();
    assert_eq!(
        (&summary["games"], &summary["engines"][0]["crashes"]),
        (&6.into(), &6.into())
    );
    assert_eq!(summary["engines"][1]["wins"], 6, "{summary}");
    let starts = |name: &str| stage.read(&format!("pids-{name}")).lines().count();
    assert_eq!((starts("bad"), starts("good")), (6, 1));
}
