//! On which CPUs engines run.

use end_to_end::{Run, Stage};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// An engine that writes down where it may run before it becomes the built-in one.
const TELLTALE: &str = "grep Cpus_allowed_list /proc/self/status >> placement.txt\n\
                        exec arbiter sparring --level 1";

fn allowed() -> Vec<usize> {
    let set = sched_getaffinity(None).expect("everybody has CPUs");
    (0..CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .collect()
}

/// Keeps this thread, and what it starts, on one CPU; gives its number.
fn stay_on_the_last() -> usize {
    let last = *allowed().last().expect("everybody has CPUs");
    let mut set = CpuSet::new();
    set.set(last);
    sched_setaffinity(None, &set).expect("it is allowed");
    last
}

#[track_caller]
fn play(stage: &Stage, words: &[&str]) -> Run {
    let cmd = format!(
        "--each=cmd={} nodes=100",
        stage.write_script("telltale", TELLTALE)
    );
    let engines = ["--engine=name=a", "--engine=name=b", &cmd, "--pairs=2"];
    stage.play(&[&engines, words].concat())
}

/// The CPUs of the engines that were started, each once.
fn placements(stage: &Stage) -> Vec<String> {
    let text = stage.read("placement.txt");
    let lists = text.lines().filter_map(|line| line.split_once('\t'));
    let mut lists: Vec<_> = lists.map(|(_, list)| list.trim().to_owned()).collect();
    lists.sort();
    lists.dedup();
    lists
}

#[test]
fn a_slot_has_a_cpu_of_its_own() {
    let stage = Stage::default();
    let run = play(&stage, &["--concurrency=1"]).expect(0);
    if run.err.contains("another arbiter plays") {
        eprintln!("SKIPPED: other tests play on all CPUs");
        return;
    }
    let lists = placements(&stage);
    assert_eq!(lists.len(), 1, "{lists:?}");
    let cpu: usize = lists[0].parse().expect("one CPU");
    assert!(allowed().contains(&cpu));
}

#[test]
fn only_cpus_that_are_ours_are_used() {
    let stage = Stage::default();
    let last = stay_on_the_last();
    play(&stage, &["--concurrency=1"]).expect(0);
    assert_eq!(placements(&stage), [last.to_string()]);
}

#[test]
fn more_games_than_cpus_are_not_pinned_and_that_is_said() {
    let stage = Stage::default();
    let last = stay_on_the_last();
    play(&stage, &["--concurrency=2"])
        .expect(0)
        .expect_err("2 at a time on 1 CPU: engines wait for each other and are not pinned");
    assert_eq!(placements(&stage), [last.to_string()]);
}

#[test]
fn cpus_that_are_not_there_or_not_ours_are_refused_before_anything_is_written() {
    let all = allowed();
    // It builds what is tested, for which one CPU would be little.
    drop(Stage::default());
    let last = stay_on_the_last();
    let mut lists = vec![("8000".to_owned(), "there is no CPU 8000".to_owned())];
    if let Some(other) = all.iter().find(|&&cpu| cpu != last) {
        let message = format!("CPU {other} is not for us: this process may use {last}");
        lists.push((format!("{other},{last}"), message));
    }
    for (list, message) in lists {
        let stage = Stage::default();
        play(&stage, &["--cpus", &list])
            .expect(2)
            .expect_err(&message);
        assert_eq!(stage.files(), ["telltale"]);
    }
}

#[test]
fn nobody_is_pinned_who_does_not_want_to() {
    let stage = Stage::default();
    play(&stage, &["--concurrency=1", "--no-pin"]).expect(0);
    let lists = placements(&stage);
    let status = std::fs::read_to_string("/proc/thread-self/status").expect("it is Linux");
    let ours = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    assert_eq!(lists, [ours.expect("we are placed too").trim()]);
}
