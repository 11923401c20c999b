//! Asks this machine.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use match_core::cpu_list::CpuList;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_getres, clock_gettime};

use super::facts::{Facts, Memory, WakeUps};
use super::latency;
use crate::cores::{self, Topology};
use crate::{sandbox, schedstat};

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Two seconds.
    Whole,
    /// A fifth of a second; rare delays are not seen.
    Quick,
}

/// CPUs that are measured; with more, threads would disturb each other.
const MEASURED_MAX: usize = 64;

/// Asks and measures.
pub fn gather(depth: Depth) -> Facts {
    let topology = cores::here();
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let info = |key: &str| {
        let lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        lines
            .into_iter()
            .find(|(name, _)| name.trim() == key)
            .map(|(_, value)| value.trim().to_owned())
    };
    let files = getrlimit(Resource::Nofile);
    let measured = Measured::take(&topology, depth);
    Facts {
        model: info("model name"),
        is_virtual: info("flags")
            .is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
        governors: governors(&topology.allowed),
        boost: boost(),
        load: text("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
        busy: measured.busy,
        stolen: measured.stolen,
        pressure: text("/proc/pressure/cpu").and_then(|text| pressure(&text)),
        open_files: (files.current, files.maximum),
        memory: text("/proc/meminfo").and_then(|text| memory(&text)),
        clocksource: text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        resolution: Duration::try_from(clock_getres(ClockId::Monotonic)).unwrap_or_default(),
        clock_cost: clock_cost(),
        wake_ups: measured.wake_ups,
        tells_waiting: schedstat::of_this_thread().is_some(),
        sandbox: sandbox::support(),
        topology,
    }
}

fn text(path: &str) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

struct Measured {
    busy: Option<f64>,
    stolen: Option<f64>,
    wake_ups: Vec<WakeUps>,
}

impl Measured {
    fn take(topology: &Topology, depth: Depth) -> Self {
        let span = match depth {
            Depth::Whole => Duration::from_secs(1),
            Depth::Quick => Duration::from_millis(100),
        };
        let cpus: CpuList = topology.allowed.iter().take(MEASURED_MAX).collect();
        let times = || text("/proc/stat").map(|text| CpuTimes::read(&text, &cpus));
        let at_rest = times();
        let late = latency::wake_ups(&cpus, span);
        let between = times();
        let gaps: BTreeMap<_, _> = latency::longest_gaps(&cpus, span).into_iter().collect();
        let at_last = times();
        let gap = |cpu| gaps.get(&cpu).copied().unwrap_or_default();
        Self {
            busy: at_rest
                .zip(between)
                .and_then(|(from, to)| to.since(from).busy()),
            stolen: between
                .zip(at_last)
                .and_then(|(from, to)| to.since(from).stolen()),
            wake_ups: (late.into_iter())
                .map(|(cpu, late)| latency::digest(cpu, &late, gap(cpu)))
                .collect(),
        }
    }
}

/// What some CPUs did so far, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CpuTimes {
    all: u64,
    idle: u64,
    stolen: u64,
}

impl CpuTimes {
    /// `cpuN user nice system idle iowait irq softirq steal guest guest_nice`; guests are users too.
    fn read(stat: &str, cpus: &CpuList) -> Self {
        let mut times = Self::default();
        for line in stat.lines() {
            let mut words = line.split_ascii_whitespace();
            let cpu = words
                .next()
                .and_then(|word| word.strip_prefix("cpu")?.parse().ok());
            if !cpu.is_some_and(|cpu| cpus.contains(cpu)) {
                continue;
            }
            let ticks: Vec<u64> = words.take(8).filter_map(|word| word.parse().ok()).collect();
            let tick = |place: usize| ticks.get(place).copied().unwrap_or(0);
            times.all += ticks.iter().sum::<u64>();
            times.idle += tick(3) + tick(4);
            times.stolen += tick(7);
        }
        times
    }

    fn since(self, earlier: Self) -> Self {
        Self {
            all: self.all.saturating_sub(earlier.all),
            idle: self.idle.saturating_sub(earlier.idle),
            stolen: self.stolen.saturating_sub(earlier.stolen),
        }
    }

    fn busy(self) -> Option<f64> {
        (self.all > 0).then(|| 1.0 - self.idle as f64 / self.all as f64)
    }

    fn stolen(self) -> Option<f64> {
        (self.all > 0).then(|| self.stolen as f64 / self.all as f64)
    }
}

/// The CPUs of each governor.
fn governors(cpus: &CpuList) -> Vec<(String, CpuList)> {
    let mut governors: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for cpu in cpus.iter() {
        let file = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor");
        if let Some(governor) = text(&file) {
            governors.entry(governor).or_default().push(cpu);
        }
    }
    let lists = governors
        .into_iter()
        .map(|(governor, cpus)| (governor, cpus.into_iter().collect()));
    lists.collect()
}

fn boost() -> Option<bool> {
    let switch = |path: &str, on: &str| text(path).map(|text| text == on);
    switch("/sys/devices/system/cpu/intel_pstate/no_turbo", "0")
        .or_else(|| switch("/sys/devices/system/cpu/cpufreq/boost", "1"))
}

/// `some avg10=1.04 avg60=...`.
fn pressure(text: &str) -> Option<f64> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let average = some
        .split(' ')
        .find_map(|word| word.strip_prefix("avg10="))?;
    Some(average.parse::<f64>().ok()? / 100.0)
}

fn memory(text: &str) -> Option<Memory> {
    let bytes = |key: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(key))?;
        Some(
            value
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<u64>()
                .ok()?
                * 1024,
        )
    };
    Some(Memory {
        total: bytes("MemTotal:")?,
        available: bytes("MemAvailable:")?,
    })
}

fn clock_cost() -> Duration {
    const READS: u32 = 10_000;
    let begun = Instant::now();
    for _ in 0..READS {
        black_box(clock_gettime(ClockId::Monotonic));
    }
    begun.elapsed() / READS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_tables_are_read() {
        let stat = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 10 0 5 80 3 0 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\n\
                    cpu2 100 0 0 0 0 0 0 0 0 0\nintr 1 2 3\n";
        let times = CpuTimes::read(stat, &CpuList::from_iter([0, 1]));
        let want = CpuTimes {
            all: 108,
            idle: 85,
            stolen: 2,
        };
        assert_eq!(times, want);
        let psi =
            "some avg10=12.50 avg60=1.51 avg300=6.96 total=8973050670\nfull avg10=0.00 total=0\n";
        assert_eq!(pressure(psi), Some(0.125));
        let meminfo = "MemTotal:        4026532 kB\nMemFree:  1 kB\nMemAvailable:    1024 kB\n";
        let want = Memory {
            total: 4_026_532 * 1024,
            available: 1 << 20,
        };
        assert_eq!(memory(meminfo), Some(want));
    }
}
