//! What a doctor says of machines, this one and others.

use std::num::NonZeroUsize;
use std::time::Duration;

use match_core::cpu_list::CpuList;
use match_runner::cores::{Core, Topology};
use match_runner::doctor::{Depth, Facts, Mark, Memory, WakeUps, gather, judge};
use match_runner::sandbox::Support;

fn cpus(text: &str) -> CpuList {
    text.parse().expect("a list")
}

/// A desktop with four cores, on which nothing else runs.
fn desktop() -> Facts {
    let cores = (0..4).map(|cpu| Core {
        kind: 0,
        package: 0,
        cpus: vec![cpu],
    });
    let wake_ups = (0..4).map(|cpu| WakeUps {
        cpu,
        count: 1000,
        median: Duration::from_micros(3),
        p99: Duration::from_micros(20),
        max: Duration::from_micros(90),
        longest_gap: Duration::from_micros(50),
    });
    Facts {
        topology: Topology {
            present: cpus("0-3"),
            online: cpus("0-3"),
            allowed: cpus("0-3"),
            cores: cores.collect(),
            quota: None,
        },
        model: Some("Fast 5000".to_owned()),
        is_virtual: false,
        governors: vec![("performance".to_owned(), cpus("0-3"))],
        boost: Some(false),
        load: Some(0.1),
        busy: Some(0.01),
        stolen: Some(0.0),
        pressure: Some(0.0),
        open_files: (Some(1024), Some(524_288)),
        memory: Some(Memory {
            total: 16 << 30,
            available: 12 << 30,
        }),
        clocksource: Some("tsc".to_owned()),
        resolution: Duration::from_nanos(1),
        clock_cost: Duration::from_nanos(20),
        wake_ups: wake_ups.collect(),
        tells_waiting: true,
        sandbox: Support {
            landlock: Some(6),
            notification: true,
        },
    }
}

/// What is not `ok`, as `mark topic`, for engines of `threads` threads; and how many games are honest.
#[track_caller]
fn check(facts: &Facts, threads: usize, concurrency: usize, want: &[&str]) {
    let diagnosis = judge(facts, NonZeroUsize::new(threads).expect("not 0"));
    let odd = diagnosis
        .findings
        .iter()
        .filter(|finding| finding.mark != Mark::Ok);
    let odd: Vec<String> = odd
        .inspect(|finding| assert!(finding.advice.is_some(), "{finding:?}"))
        .map(|finding| format!("{} {}", finding.mark.name(), finding.topic))
        .collect();
    assert_eq!(odd, want, "{:#?}", diagnosis.findings);
    assert_eq!(
        diagnosis.fit,
        !odd.iter().any(|finding| finding.starts_with("bad"))
    );
    assert_eq!(diagnosis.concurrency.get(), concurrency);
}

#[test]
fn a_quiet_desktop_is_fit() {
    check(&desktop(), 1, 4, &[]);
    check(&desktop(), 3, 1, &[]);
}

#[test]
fn a_laptop_that_saves_power_makes_noise() {
    let mut laptop = desktop();
    laptop.governors = vec![("powersave".to_owned(), cpus("0-3"))];
    laptop.boost = Some(true);
    for core in &mut laptop.topology.cores[2..] {
        core.kind = 1;
    }
    check(
        &laptop,
        1,
        4,
        &["warn cores", "warn frequency", "warn boost"],
    );
}

#[test]
fn a_busy_machine_is_not_fit() {
    let mut build_server = desktop();
    build_server.busy = Some(0.07);
    build_server.pressure = Some(0.02);
    check(&build_server, 1, 4, &["warn load"]);
    build_server.busy = Some(0.6);
    check(&build_server, 1, 4, &["bad load"]);
}

#[test]
fn a_virtual_machine_that_is_robbed_of_its_cpus_is_not_fit() {
    let mut cloud = desktop();
    cloud.is_virtual = true;
    cloud.stolen = Some(0.02);
    cloud.wake_ups[2].p99 = Duration::from_millis(2);
    check(&cloud, 1, 4, &["warn steal", "warn wake-up"]);
    cloud.stolen = Some(0.2);
    cloud.wake_ups[1].p99 = Duration::from_millis(12);
    cloud.wake_ups[1].longest_gap = Duration::from_millis(40);
    check(&cloud, 1, 4, &["bad steal", "bad wake-up", "bad jitter"]);
}

#[test]
fn a_container_is_told_what_it_may_use() {
    let mut container = desktop();
    container.topology.quota = Some(1.5);
    container.memory = Some(Memory {
        total: 512 << 20,
        available: 200 << 20,
    });
    container.open_files = (Some(100), Some(100));
    check(
        &container,
        1,
        1,
        &["warn limits", "warn memory", "warn files"],
    );
    container.memory = Some(Memory {
        total: 512 << 20,
        available: 100 << 20,
    });
    check(
        &container,
        2,
        1,
        &["bad limits", "bad memory", "warn files"],
    );
}

#[test]
fn a_clock_that_is_coarse_or_slow_is_seen() {
    let mut old = desktop();
    old.clocksource = Some("hpet".to_owned());
    old.clock_cost = Duration::from_nanos(1200);
    check(&old, 1, 4, &["warn clock"]);
    old.clocksource = Some("jiffies".to_owned());
    old.resolution = Duration::from_millis(4);
    check(&old, 1, 4, &["bad clock"]);
}

#[test]
fn what_could_not_be_found_out_is_left_out() {
    let mut unknown = desktop();
    unknown.governors.clear();
    unknown.boost = None;
    (unknown.busy, unknown.load, unknown.pressure) = (None, None, None);
    unknown.memory = None;
    unknown.wake_ups.clear();
    unknown.tells_waiting = false;
    check(&unknown, 1, 4, &["warn blame"]);
    let topics = judge(&unknown, NonZeroUsize::MIN).findings;
    let topics: Vec<_> = topics.iter().map(|finding| finding.topic).collect();
    assert_eq!(topics, ["cores", "clock", "files", "blame", "sandbox"]);
}

#[test]
fn this_machine_is_examined() {
    let facts = gather(Depth::Quick);
    assert!(!facts.topology.cores.is_empty());
    assert_eq!(facts.wake_ups.len(), facts.topology.allowed.len().min(64));
    assert!(
        facts
            .wake_ups
            .iter()
            .all(|all| all.count > 0 && all.median <= all.max)
    );
    let diagnosis = judge(&facts, NonZeroUsize::MIN);
    assert!(diagnosis.concurrency.get() <= facts.topology.cores.len());
}
