//! A host that withholds an engine's time: whose fault is a late move then?

use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use end_to_end::{Run, Stage};
use rustix::process::Signal;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::Value;

/// How often a game was void through the host's fault, and what is said of each.
fn voids(stage: &Stage) -> Vec<String> {
    let events = stage.events();
    let verdicts = events.iter().map(|event| &event["verdict"]);
    let spoilt = verdicts.filter(|verdict| verdict["reason"] == "host");
    spoilt.map(|verdict| verdict["text"].to_string()).collect()
}

fn time_losses(summary: &Value) -> u64 {
    let engines = summary["engines"].as_array().unwrap();
    engines
        .iter()
        .map(|engine| engine["time_losses"].as_u64().unwrap())
        .sum()
}

/// Stops everything for two seconds while an engine thinks that may be half a second late.
#[track_caller]
fn play_and_stop_everything(stage: &Stage, host_blame: &str) -> Run {
    let listener = stage.write_script("listener", "tee -a heard | arbiter sparring --level 10");
    let cmd = format!("--each=cmd={listener} st=0.4 timemargin=500");
    let words = [
        "--engine=name=a",
        "--engine=name=b",
        &cmd,
        "--pairs=1",
        "--max-moves=2",
    ];
    let blame = ["--concurrency=1", "--host-blame", host_blame];
    let running = stage.start_play(&[&words[..], &blame].concat());
    stage.wait_until("an engine to think", || {
        stage.read("heard").contains("\ngo ")
    });
    // Into the middle of the move: `go` is read before whoever wrote it has looked at the clock.
    thread::sleep(Duration::from_millis(100));
    stage.signal_all(Signal::STOP);
    // Not to wait for anything: this is how long the machine stands still.
    thread::sleep(Duration::from_secs(2));
    stage.signal_all(Signal::CONT);
    running.finish()
}

#[test]
fn a_game_in_which_everything_stood_still_is_void_and_played_again() {
    let stage = Stage::default();
    play_and_stop_everything(&stage, "on")
        .expect(0)
        .expect_err("void, and will be played again")
        .expect_err("arbiter was stopped, or the whole machine, for");
    let summary = stage.summary();
    assert_eq!(summary["games"], 2, "{summary}");
    assert!(summary["void_games"].as_u64().unwrap() >= 1, "{summary}");
    assert_eq!(time_losses(&summary), 0, "{summary}");
    let voids = voids(&stage);
    assert!(voids[0].contains("stood still for"), "{voids:?}");
    let games = stage.games();
    assert_eq!(games.len(), 2);
    assert!(
        games
            .iter()
            .all(|game| game.tag("Termination") != "time forfeit")
    );
}

#[test]
fn a_late_engine_has_lost_when_hosts_are_not_to_be_blamed() {
    let stage = Stage::default();
    play_and_stop_everything(&stage, "off").expect(0);
    let summary = stage.summary();
    assert_eq!(summary["void_games"], 0, "{summary}");
    assert!(time_losses(&summary) >= 1, "{summary}");
}

/// Busy loops on the CPU on which this thread, and what it starts, is kept from now on.
struct Crowd(Vec<Child>);

impl Crowd {
    fn gather() -> Self {
        let allowed = sched_getaffinity(None).expect("everybody has CPUs");
        let mut one = CpuSet::new();
        one.set(
            (0..CpuSet::MAX_CPU)
                .rfind(|&cpu| allowed.is_set(cpu))
                .unwrap(),
        );
        sched_setaffinity(None, &one).expect("it is allowed");
        let busy = || {
            Command::new("sh")
                .args(["-c", "ulimit -t 60; while :; do :; done"])
                .spawn()
        };
        Self((0..8).map(|_| busy().expect("there is a shell")).collect())
    }

    fn disperse(&mut self) {
        for mut one in self.0.drain(..) {
            one.kill().expect("it is our child");
            one.wait().expect("it is our child");
        }
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.disperse();
    }
}

/// Engines that think for a twentieth of a second and may not be late at all.
const PUNCTUAL: [&str; 5] = [
    "--engine=name=a",
    "--engine=name=b",
    "--each=cmd=sparring st=0.05",
    "--concurrency=1",
    "--max-moves=20",
];

#[test]
fn a_game_in_which_an_engine_was_starved_is_void_and_played_again() {
    let stage = Stage::default();
    let mut crowd = Crowd::gather();
    let running = stage.start_play(&[&PUNCTUAL[..], &["--pairs=1", "--max-voids=1000"]].concat());
    stage.wait_until("a void game", || !voids(&stage).is_empty());
    crowd.disperse();
    running.finish().expect(0).expect_err("for a CPU");
    let summary = stage.summary();
    assert_eq!(summary["games"], 2, "{summary}");
    assert!(summary["void_games"].as_u64().unwrap() >= 1, "{summary}");
    let voids = voids(&stage);
    assert!(
        voids[0].contains(" waited ") && voids[0].contains(" ms for a CPU"),
        "{voids:?}"
    );
}

#[test]
fn a_starved_engine_has_lost_when_hosts_are_not_to_be_blamed() {
    let stage = Stage::default();
    let _crowd = Crowd::gather();
    stage
        .play(&[&PUNCTUAL[..], &["--pairs=1", "--host-blame=off"]].concat())
        .expect(0);
    let summary = stage.summary();
    assert_eq!(summary["void_games"], 0, "{summary}");
    assert!(time_losses(&summary) >= 1, "{summary}");
}

#[test]
fn a_host_that_spoils_too_many_games_ends_the_contest_with_advice() {
    let stage = Stage::default();
    let _crowd = Crowd::gather();
    let words = ["--pairs=100", "--max-voids=2"];
    stage
        .play(&[&PUNCTUAL[..], &words].concat())
        .expect(4)
        .expect_err("the host spoilt 3 of ")
        .expect_err("stop what else runs here");
    assert_eq!(stage.summary()["void_games"], 3);
}

#[test]
fn an_engine_that_crowds_its_cpu_itself_is_not_excused() {
    let stage = Stage::default();
    let crowd = "ulimit -t 60\nfor n in $(seq 16); do (while :; do :; done) & done\n\
                 arbiter sparring\nkill $(jobs -p)";
    let crowd = stage.write_script("crowd", crowd);
    // The other engine, which suffers too, has no clock to lose by.
    let words = [
        "--engine=name=a cmd=sparring nodes=50",
        &format!("--engine=name=b cmd={crowd} st=0.05"),
        "--concurrency=1",
    ];
    let few = [
        "--max-moves=20",
        "--pairs=1",
        "--patience=quit=0.2",
        "--max-voids=1000",
    ];
    stage.play(&[&words[..], &few].concat()).expect(0);
    // On a crowded machine some games may be void all the same: strangers run on that CPU too.
    let summary = stage.summary();
    let losses = summary["engines"][1]["time_losses"].as_u64().unwrap();
    assert!(losses >= 1, "{summary}");
}
