//! What refereeing costs: `cargo bench -p match-runner --bench overhead`.
//!
//! Two engines that answer at once (`sparring --random`) play a contest. Then the same two programs
//! are driven through the same games over bare blocking pipes, with no rules, no clocks and no
//! records: `position` and `go` in one write, then reads until `bestmove`. Both take turns, so that
//! whatever else the machine does befalls both. The ratio is the cost of a ply with the referee to
//! that without, in the middle one of all turns.
//!
//! With one slot everything is kept on one CPU. Of the three processes only one ever has something to
//! do, and whether the scheduler lets them wander over two CPUs costs either way of driving them more
//! than what is measured here.
//!
//! This binary is also its own launcher, guard and engine; nothing else need be built.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::env;
use std::process::{Command, ExitCode};

mod bare;
mod contest;
mod window;

use contest::Played;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use window::Cost;

/// Slots that are measured; 64 on two cores is a crowd.
const CONCURRENCIES: [usize; 4] = [1, 2, 8, 64];

/// Turns that the two take at each concurrency. Many short ones: a machine that does something else
/// for a second spoils two or three of them, and the middle one stays what it is.
const TURNS: u64 = 25;

/// Pairs of games in a turn.
const fn pairs(slots: usize) -> u64 {
    20 + 4 * slots as u64
}

/// The first word with which this binary measures memory; alone in its process.
const MEMORY: &str = "memory";

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    let first = words.next().unwrap_or_default();
    match first.to_str() {
        Some(match_runner::launch::SUBCOMMAND) => match_runner::launch::main(words),
        Some(match_runner::guard::SUBCOMMAND) => match_runner::guard::main(words),
        Some(contest::SPARRING) => sparring::main(words.filter_map(|word| word.into_string().ok())),
        Some(MEMORY) => memory(
            words
                .next()
                .and_then(|word| word.to_str()?.parse().ok())
                .unwrap_or(1),
        ),
        _ => compare(),
    }
}

fn compare() -> ExitCode {
    println!("         plies a second    ratio a ply     own CPU, us a ply");
    println!(
        "slots  refereed      bare   (quartiles)          refereed     bare     memory at most"
    );
    for slots in CONCURRENCIES {
        let turns: Vec<Turn> = (0..TURNS).map(|seed| Turn::take(slots, seed)).collect();
        let [low, ratio, high] = quartiles(&turns, |turn| turn.refereed.wall / turn.bare.wall);
        println!(
            "{slots:>5} {:>9.0} {:>9.0} {ratio:>6.2} ({low:.2} .. {high:.2}) {:>11.2} {:>8.2} {:>18}",
            1e6 / middle(&turns, |turn| turn.refereed.wall),
            1e6 / middle(&turns, |turn| turn.bare.wall),
            middle(&turns, |turn| turn.refereed.cpu),
            middle(&turns, |turn| turn.bare.cpu),
            memory_of(slots),
        );
    }
    ExitCode::SUCCESS
}

/// The same games with and without the referee.
struct Turn {
    refereed: Cost,
    bare: Cost,
}

impl Turn {
    fn take(slots: usize, seed: u64) -> Self {
        let allowed = sched_getaffinity(None).expect("everybody has CPUs");
        if slots == 1 {
            stay_on(&one_of(&allowed));
        }
        let Played { games, cost } = contest::play(slots, pairs(slots), seed);
        let bare = bare::play(&games, slots);
        stay_on(&allowed);
        Self {
            refereed: cost,
            bare,
        }
    }
}

/// The last of them: interrupts tend to go to the first.
fn one_of(cpus: &CpuSet) -> CpuSet {
    let last = (0..CpuSet::MAX_CPU).rfind(|&cpu| cpus.is_set(cpu));
    let mut one = CpuSet::new();
    one.set(last.expect("at least one"));
    one
}

/// Keeps this thread, and all threads and processes that it starts, on these CPUs.
fn stay_on(cpus: &CpuSet) {
    sched_setaffinity(None, cpus).expect("they are allowed");
}

fn middle(turns: &[Turn], of: impl Fn(&Turn) -> f64) -> f64 {
    quartiles(turns, of)[1]
}

/// The first quartile, the middle and the third quartile.
fn quartiles(turns: &[Turn], of: impl Fn(&Turn) -> f64) -> [f64; 3] {
    let mut values: Vec<f64> = turns.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}

/// The most memory that a process of its own needed for a contest, in which nothing is collected.
fn memory_of(slots: usize) -> String {
    let ourselves = env::current_exe().expect("this program is a file");
    let output = Command::new(ourselves)
        .args([MEMORY, &slots.to_string()])
        .output()
        .expect("it runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn memory(slots: usize) -> ExitCode {
    contest::play_quietly(slots, pairs(slots));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: f64 = peak
        .and_then(|peak| peak.trim().split(' ').next()?.parse().ok())
        .unwrap_or(f64::NAN);
    let allowed = 20.0 + 0.3 * slots as f64;
    println!("{:.1} MB of {allowed:.1}", kilobytes / 1024.0);
    ExitCode::SUCCESS
}
