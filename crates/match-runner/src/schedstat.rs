//! What the scheduler tells of threads: how long they ran, and how long they could have and had no CPU.
//!
//! A wait is added when it is over, that is when the thread runs again.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use match_core::blame::ThreadTime;
use rustix::time::{ClockId, clock_gettime};

/// The unit of times in `stat`: `USER_HZ`, 100 a second on every architecture that Rust runs on.
const TICK: Duration = Duration::from_millis(10);

/// Processes that are looked at of those that an engine started, and threads of each.
const FAMILY_MAX: usize = 64;
const THREADS_MAX: usize = 1024;

/// Of the thread that calls this; nothing where the kernel does not tell.
pub(crate) fn of_this_thread() -> Option<ThreadTime> {
    parse(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// `RAN WAITED SLICES`, in nanoseconds.
fn parse(text: &str) -> Option<ThreadTime> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let mut time = || Some(Duration::from_nanos(numbers.next()?.ok()?));
    Some(ThreadTime {
        ran: time()?,
        waited: time()?,
    })
}

/// The threads of a process and of the processes that it started and is still the parent of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Family {
    threads: BTreeMap<u32, Thread>,
    /// What the process used in all, with threads and children that are gone; in whole ticks.
    used: Duration,
    /// Ticks since the machine started.
    taken: u64,
}

#[derive(Clone, Copy, Debug)]
struct Thread {
    process: u32,
    times: ThreadTime,
}

impl Family {
    /// How things are now.
    pub(crate) fn read(process: u32) -> Self {
        let now = Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap_or_default();
        let mut family = Self {
            threads: BTreeMap::new(),
            used: Stat::of(&format!("/proc/{process}/stat"))
                .map_or(Duration::ZERO, |stat| stat.used),
            taken: (now.as_millis() / TICK.as_millis()) as u64,
        };
        let mut waiting = vec![process];
        let mut seen = 0;
        while let Some(process) = waiting.pop()
            && seen < FAMILY_MAX
        {
            seen += 1;
            family.read_process(process, &mut waiting);
        }
        family
    }

    fn read_process(&mut self, process: u32, children: &mut Vec<u32>) {
        let Ok(entries) = fs::read_dir(format!("/proc/{process}/task")) else {
            return;
        };
        for entry in entries.flatten().take(THREADS_MAX) {
            let Some(thread) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            let file = |name: &str| fs::read_to_string(entry.path().join(name)).unwrap_or_default();
            if let Some(times) = parse(&file("schedstat")) {
                self.threads.insert(thread, Thread { process, times });
            }
            let born = file("children");
            children.extend(
                born.split_ascii_whitespace()
                    .filter_map(|id| id.parse::<u32>().ok()),
            );
        }
    }

    /// Adds a later reading; of threads that are gone by then the last one counts.
    pub(crate) fn update(&mut self, later: &Self) {
        self.threads.extend(&later.threads);
        self.used = self.used.max(later.used);
    }

    /// What each thread did from `earlier` on, at most `span` ago.
    ///
    /// A thread that was not there then and began before can have waited at any time: its waiting does
    /// not count, and its running as far as there was time for it. Threads that have come and gone are
    /// taken for one that ran for as long as they did together, two ticks aside, and did not wait.
    pub(crate) fn since(&self, earlier: &Self, span: Duration) -> Vec<ThreadTime> {
        let mut times: Vec<ThreadTime> = (self.threads.iter())
            .map(|(id, thread)| {
                let now = thread.times;
                match earlier.threads.get(id) {
                    Some(before) => ThreadTime {
                        ran: now.ran.saturating_sub(before.times.ran),
                        waited: now.waited.saturating_sub(before.times.waited),
                    },
                    None if thread.began(*id) >= Some(earlier.taken) => now,
                    None => ThreadTime {
                        ran: now.ran.min(span),
                        waited: Duration::ZERO,
                    },
                }
            })
            .collect();
        let seen: Duration = times.iter().map(|time| time.ran).sum();
        let used = self.used.saturating_sub(earlier.used);
        let unseen = used.saturating_sub(seen + 2 * TICK);
        if !unseen.is_zero() {
            times.push(ThreadTime {
                ran: unseen,
                waited: Duration::ZERO,
            });
        }
        times
    }
}

impl Thread {
    /// In ticks since the machine started.
    fn began(&self, id: u32) -> Option<u64> {
        let stat = Stat::of(&format!("/proc/{}/task/{id}/stat", self.process))?;
        Some(stat.began)
    }
}

/// What is of use in a `stat`.
struct Stat {
    used: Duration,
    began: u64,
}

impl Stat {
    fn of(path: &str) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        // The name, in brackets, can have anything in it; what follows begins with the third field.
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        // utime, stime, and those of children that were waited for.
        let used: u64 = [14, 15, 16, 17].into_iter().filter_map(field).sum();
        Some(Self {
            used: TICK * u32::try_from(used).unwrap_or(u32::MAX),
            began: field(22)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_thread_of_ours_is_seen_to_run() {
        let process = std::process::id();
        let before = Family::read(process);
        let own = of_this_thread().expect("this kernel tells");
        let mut after = before.clone();
        let mut work = 0_u64;
        while of_this_thread().expect("it still does").ran < own.ran + Duration::from_millis(20) {
            work = std::hint::black_box(work + 1);
        }
        after.update(&Family::read(process));
        let times = after.since(&before, Duration::from_secs(60));
        let most = times.iter().map(|time| time.ran).max();
        assert!(most >= Some(Duration::from_millis(20)), "{times:?}");
    }

    #[test]
    fn a_thread_that_nobody_had_seen_does_not_testify_for_itself() {
        let thread = |ran, waited| Thread {
            process: 0,
            times: ThreadTime {
                ran: Duration::from_millis(ran),
                waited: Duration::from_millis(waited),
            },
        };
        let earlier = Family {
            threads: BTreeMap::from([(1, thread(100, 10))]),
            ..Family::default()
        };
        let later = Family {
            threads: BTreeMap::from([(1, thread(150, 40)), (2, thread(9000, 9000))]),
            used: Duration::from_millis(400),
            taken: 0,
        };
        let times = later.since(&earlier, Duration::from_millis(200));
        let ms = |time: Duration| time.as_millis();
        let times: Vec<_> = times
            .iter()
            .map(|time| (ms(time.ran), ms(time.waited)))
            .collect();
        assert_eq!(times, [(50, 30), (200, 0), (130, 0)]);
    }
}
