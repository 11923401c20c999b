//! How late threads wake up, and for how long a busy one is held up: measured.

use std::thread;
use std::time::{Duration, Instant};

use match_core::cpu_list::CpuList;
use rustix::event::Timespec;
use rustix::thread::{clock_nanosleep_absolute, set_current_timer_slack};
use rustix::time::{ClockId, clock_gettime};

use super::facts::WakeUps;
use crate::cores;

/// How often a thread sleeps and wakes up.
const PERIOD: Duration = Duration::from_millis(1);

/// Sleeps and wakes up on all of `cpus` at the same time, for so long; returns the lateness of each
/// wake-up, sorted, by CPU. CPUs on which no thread can be placed are left out.
pub(super) fn wake_ups(cpus: &CpuList, span: Duration) -> Vec<(usize, Vec<Duration>)> {
    on_each(cpus, || {
        // The default lets the kernel be 50 us late to save power; no timer of a slot has it.
        let _it_shows_in_the_figures = set_current_timer_slack(std::num::NonZeroU64::new(1));
        let mut late = Vec::new();
        let end = now() + span;
        let mut due = now() + PERIOD;
        while due < end {
            if clock_nanosleep_absolute(ClockId::Monotonic, &timespec(due)).is_ok() {
                late.push(now().saturating_sub(due));
            }
            due = now().max(due) + PERIOD;
        }
        late.sort_unstable();
        late
    })
}

/// Keeps all of `cpus` busy at the same time, for so long; returns the longest time for which each
/// thread did not run.
pub(super) fn longest_gaps(cpus: &CpuList, span: Duration) -> Vec<(usize, Duration)> {
    on_each(cpus, || {
        let end = Instant::now() + span;
        let mut last = Instant::now();
        let mut longest = Duration::ZERO;
        while last < end {
            let now = Instant::now();
            longest = longest.max(now - last);
            last = now;
        }
        longest
    })
}

/// What came out on a CPU.
pub(super) fn digest(cpu: usize, late: &[Duration], longest_gap: Duration) -> WakeUps {
    let quantile = |share: f64| {
        let place = (late.len() as f64 * share) as usize;
        late.get(place.min(late.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    WakeUps {
        cpu,
        count: late.len(),
        median: quantile(0.5),
        p99: quantile(0.99),
        max: quantile(1.0),
        longest_gap,
    }
}

fn on_each<T: Send>(cpus: &CpuList, measure: impl Fn() -> T + Sync) -> Vec<(usize, T)> {
    let measure = &measure;
    thread::scope(|scope| {
        let started = cpus.iter().map(|cpu| {
            let placed = move || {
                cores::stay_on(&CpuList::from_iter([cpu])).ok()?;
                Some(measure())
            };
            (cpu, thread::Builder::new().spawn_scoped(scope, placed))
        });
        // All are started before the first is waited for.
        let started: Vec<_> = started.collect();
        let ended = started.into_iter().filter_map(|(cpu, thread)| {
            let result = thread.ok()?.join().expect("measuring does not panic");
            Some((cpu, result?))
        });
        ended.collect()
    })
}

fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::Monotonic)).unwrap_or_default()
}

fn timespec(moment: Duration) -> Timespec {
    crate::wall::timespec(moment)
}
