//! What an engine tries in a sandbox is refused, the contest says so, and good engines play on.

use end_to_end::{ETHEREAL, Run, STOCKFISH, Stage, engine, say_aloud};
use rustix::process::Signal;

/// Plays a pair of the built-in engine with `vices` and more `words` against a good one.
#[track_caller]
fn play(stage: &Stage, vices: &str, words: &str, flags: &[&str]) -> Run {
    let bad = format!("--engine=name=bad {words} cmd=sparring args='--random {vices}'");
    let good = "--engine=name=good cmd=sparring args='--random --seed=1'";
    let common = ["--each=tc=60+1", "--pairs=1", "--concurrency=1"];
    stage.play(&[&[&bad, good], &common[..], flags].concat())
}

/// A sandbox, or nothing where the kernel has none; then that is what is said.
#[track_caller]
fn sandbox(stage: &Stage) -> Option<&'static [&'static str]> {
    let run = play(stage, "", "", &["--sandbox"]);
    if run.code == Some(2) && run.err.contains("the kernel lacks") {
        say_aloud(&format!("SKIPPED: {}", run.err));
        return None;
    }
    run.expect(0);
    Some(&["--sandbox"])
}

#[test]
fn what_leads_outside_is_refused_and_said() {
    let stage = Stage::default();
    let Some(flags) = sandbox(&stage) else { return };
    let elsewhere = tempfile::tempdir().expect("a folder");
    let secret = elsewhere.path().join("secret");
    std::fs::write(&secret, "secret").expect("a file");
    let (secret, new) = (secret.display(), elsewhere.path().join("new"));
    let vices = format!(
        "--vice read-file={secret} --vice write-file={} --vice connect=127.0.0.1:1",
        new.display()
    );
    let run = play(&stage, &vices, "", flags)
        .expect(0)
        .expect_err(&format!("bad: its sandbox kept it from reading `{secret}`"))
        .expect_err(&format!("kept it from writing `{}`", new.display()))
        .expect_err("kept it from opening a socket (IPv4)");
    assert_eq!(run.err.matches("kept it from").count(), 3, "{}", run.err);
    assert!(!new.exists());
    assert!(stage.read("events.jsonl").contains("kept it from reading"));
    let summary = stage.summary();
    assert_eq!(summary["games"], 2, "{summary}");
}

#[test]
fn what_an_environment_loads_first_is_loaded_inside() {
    let stage = Stage::default();
    let Some(flags) = sandbox(&stage) else { return };
    let elsewhere = tempfile::tempdir().expect("a folder");
    let proof = elsewhere.path().join("proof");
    let source = format!(
        "#include <stdio.h>\n__attribute__((constructor)) void first(void) {{\n\
         FILE *f = fopen(\"{}\", \"w\"); if (f) fclose(f); }}\n",
        proof.display()
    );
    stage.write("engine/first.c", source);
    let mut cc = stage.command("cc");
    cc.args([
        "-shared",
        "-fPIC",
        "-o",
        "engine/first.so",
        "engine/first.c",
    ]);
    assert!(cc.status().expect("there is a compiler").success());
    // It does not play: all that matters is what happens before.
    let engine = stage.write_script("engine/engine", "exit 1");
    let library = stage.path("engine/first.so");
    let words = [
        &format!("--engine=cmd={engine} env.LD_PRELOAD={}", library.display()),
        "--engine=sparring",
        "--each=nodes=1",
        "--pairs=1",
        flags[0],
    ];
    let run = stage.play(&words);
    assert!(!proof.exists(), "{run:#?}");
    assert!(run.err.contains("kept it from writing"), "{run:#?}");
}

#[test]
fn without_a_sandbox_nothing_is_refused() {
    let stage = Stage::default();
    let run = play(&stage, "--vice write-file=here", "", &[]).expect(0);
    assert!(!run.err.contains("sandbox"), "{}", run.err);
    assert_eq!(stage.read("here"), "sparring was here\n");
}

#[test]
fn what_is_allowed_is_not_refused() {
    let stage = Stage::default();
    let Some(flags) = sandbox(&stage) else { return };
    let tables = tempfile::tempdir().expect("a folder");
    let table = tables.path().join("KQvK.rtbw");
    std::fs::write(&table, "").expect("a file");
    let vice = format!("--vice read-file={}", table.display());
    let tables = tables.path().display();
    for words in [
        format!("sandbox=read={tables}"),
        format!("sandbox=write={tables}"),
        format!("option.SyzygyPath={tables}"),
        "sandbox=off".to_owned(),
    ] {
        let run = play(&stage, &vice, &words, flags).expect(0);
        assert!(!run.err.contains("kept it from"), "{words}: {}", run.err);
    }
    play(&stage, "", "sandbox=read=/not/there", flags)
        .expect(2)
        .expect_err("`read=/not/there` of the sandbox cannot be used");
}

#[test]
fn an_engine_that_wants_more_memory_than_it_may_have_crashes_and_the_bound_is_named() {
    let stage = Stage::default();
    if sandbox(&stage).is_none() {
        return;
    }
    play(
        &stage,
        "--vice eat-memory=1000",
        "sandbox=memory=200MiB",
        &[],
    )
    .expect(0)
    .expect_err("its sandbox allows 200 MiB of memory");
    assert_eq!(stage.summary()["engines"][0]["crashes"], 2);
}

#[test]
fn nobody_leaves_the_process_group_of_a_sandboxed_engine() {
    let stage = Stage::default();
    let Some(flags) = sandbox(&stage) else { return };
    play(&stage, "--vice fork-away", "", flags)
        .expect(3)
        .expect_err("its sandbox kept it from leaving its process group");
    play(&stage, "--vice fork", "", flags).expect(0);
    play(&stage, "--vice fork", "sandbox=processes=1", &[])
        .expect(3)
        .expect_err("its sandbox kept it from having more than 1 processes");
}

#[test]
fn real_engines_play_in_a_sandbox_as_outside() {
    let stage = Stage::default();
    if sandbox(&stage).is_none() {
        return;
    }
    let (Some(stockfish), Some(ethereal)) = (engine(STOCKFISH), engine(ETHEREAL)) else {
        return;
    };
    let words = [
        &format!("--engine=cmd={stockfish} option.Threads=2 option.Hash=32"),
        &format!("--engine=cmd={ethereal} option.Hash=32"),
        "--each=tc=2+0.02",
        "--pairs=1",
        "--concurrency=1",
        "--sandbox",
    ];
    let run = stage.play(&words).expect(0);
    assert!(!run.err.contains("kept it from"), "{}", run.err);
    let summary = stage.summary();
    for engine in summary["engines"].as_array().expect("a list") {
        assert_eq!(engine["crashes"], 0, "{summary}");
        assert_eq!(engine["stalls"], 0, "{summary}");
    }
}

#[test]
fn what_leaves_the_process_group_is_killed_with_its_engine_and_told() {
    let stage = Stage::default();
    let flags = ["--each=restart=on"];
    play(&stage, "--vice fork-away", "", &flags)
        .expect(0)
        .expect_err("bad left a process behind, `sleep 3600`, 2 times; they were killed");
}

#[test]
fn nothing_survives_the_sudden_death_of_arbiter_in_a_sandbox_or_outside() {
    let has_sandbox = sandbox(&Stage::default()).is_some();
    let cases = [("fork-away", "off"), ("fork", "on")];
    for (vice, sandbox) in cases.into_iter().take(1 + usize::from(has_sandbox)) {
        let stage = Stage::default();
        let bad = format!("--engine=name=x sandbox={sandbox} cmd=sparring args='--vice {vice}'");
        let words = [
            &bad,
            "--engine=sparring:10",
            "--each=st=20",
            "--concurrency=1",
        ];
        let running = stage.start_play(&words);
        stage.wait_until("a game to be under way", || {
            stage.read("events.jsonl").contains("game_started")
        });
        running.signal(Signal::KILL);
        running.finish();
        stage.wait_until("everything to be gone", || stage.survivors().is_empty());
    }
}
