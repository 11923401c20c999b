//! How many games this machine can play at a time without their disturbing each other.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use match_core::spec::{Concurrency, EngineSpec};
use rustix::thread::{CpuSet, sched_getaffinity};

/// The number of slots: as asked for, or as many as physical cores we may use divided by the most
/// threads that one engine uses, at least one. Of the two engines of a slot only one thinks at a time.
pub(crate) fn slots(concurrency: Concurrency, engines: &[EngineSpec]) -> NonZeroUsize {
    let threads = engines
        .iter()
        .map(threads)
        .max()
        .unwrap_or(NonZeroUsize::MIN);
    match concurrency {
        Concurrency::Slots(slots) => slots,
        Concurrency::Auto => NonZeroUsize::new(usable(Path::new("/"), &allowed()).get() / threads)
            .unwrap_or(NonZeroUsize::MIN),
    }
}

/// What the option `Threads` says.
fn threads(engine: &EngineSpec) -> NonZeroUsize {
    let value = engine
        .options
        .iter()
        .rfind(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    value
        .and_then(|(_, value)| value.trim().parse().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// The CPUs on which we may run.
fn allowed() -> Vec<usize> {
    match sched_getaffinity(None) {
        Ok(set) => (0..CpuSet::MAX_CPU)
            .filter(|&cpu| set.is_set(cpu))
            .collect(),
        // More CPUs than the call's mask has bits.
        Err(_) => (0..available_parallelism().map_or(1, NonZeroUsize::get)).collect(),
    }
}

/// Physical cores among the `allowed` CPUs, or fewer if the control group has a quota. `root` is `/`.
fn usable(root: &Path, allowed: &[usize]) -> NonZeroUsize {
    let cores: BTreeSet<String> = allowed.iter().map(|&cpu| siblings(root, cpu)).collect();
    let quota = quota(root).map_or(usize::MAX, |cpus| cpus as usize);
    NonZeroUsize::new(cores.len().min(quota)).unwrap_or(NonZeroUsize::MIN)
}

/// The name of a CPU's core: the list of its hardware threads. A CPU of which the kernel tells nothing,
/// as in some containers and on some ARM servers, is a core of its own.
fn siblings(root: &Path, cpu: usize) -> String {
    let file = root.join(format!(
        "sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
    ));
    fs::read_to_string(file).map_or_else(|_| cpu.to_string(), |list| list.trim().to_owned())
}

/// The tightest quota of our control group and those above it, in CPUs.
fn quota(root: &Path) -> Option<f64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let mounts = root.join("sys/fs/cgroup");
    let limits = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        if controllers.is_empty() {
            tightest(&mounts, path, quota_v2)
        } else if controllers.split(',').any(|name| name == "cpu") {
            tightest(&mounts.join(controllers), path, quota_v1)
        } else {
            None
        }
    });
    limits.min_by(f64::total_cmp)
}

/// The least of what `read` finds from `path` up to the mount. Inside a container the path may be that
/// of the host, which is not there; the mount itself then is our group.
fn tightest(mount: &Path, path: &str, read: fn(&Path) -> Option<f64>) -> Option<f64> {
    let folders = Path::new(path).ancestors().map(|folder| mount.join(folder));
    folders
        .filter_map(|folder: PathBuf| read(&folder))
        .min_by(f64::total_cmp)
}

fn quota_v2(folder: &Path) -> Option<f64> {
    let text = fs::read_to_string(folder.join("cpu.max")).ok()?;
    let (quota, period) = text.trim().split_once(' ')?;
    ratio(quota, period)
}

fn quota_v1(folder: &Path) -> Option<f64> {
    let read = |name| fs::read_to_string(folder.join(name)).ok();
    ratio(&read("cpu.cfs_quota_us")?, &read("cpu.cfs_period_us")?)
}

/// `max` and `-1` mean that there is no quota.
fn ratio(quota: &str, period: &str) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|&value| value > 0.0);
    Some(number(quota)? / number(period)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine described by files.
    struct Machine(tempfile::TempDir);

    impl Machine {
        fn new(files: &[(&str, &str)]) -> Self {
            let root = tempfile::tempdir().expect("a folder");
            for (path, text) in files {
                let path = root.path().join(path);
                fs::create_dir_all(path.parent().expect("a file is in a folder"))
                    .expect("a folder");
                fs::write(path, text).expect("a file");
            }
            Self(root)
        }

        #[track_caller]
        fn check(&self, allowed: &[usize], want: usize) {
            assert_eq!(usable(self.0.path(), allowed).get(), want);
        }
    }

    const SMT: [(&str, &str); 4] = [
        (
            "sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
            "0,2\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/topology/thread_siblings_list",
            "1,3\n",
        ),
        (
            "sys/devices/system/cpu/cpu2/topology/thread_siblings_list",
            "0,2\n",
        ),
        (
            "sys/devices/system/cpu/cpu3/topology/thread_siblings_list",
            "1,3\n",
        ),
    ];

    #[test]
    fn two_hardware_threads_are_one_core() {
        let machine = Machine::new(&SMT);
        machine.check(&[0, 1, 2, 3], 2);
        machine.check(&[1, 3], 1);
        machine.check(&[0, 1], 2);
    }

    #[test]
    fn a_cpu_of_which_nothing_is_told_is_a_core() {
        Machine::new(&[]).check(&[9, 10, 11], 3);
        Machine::new(&[]).check(&[], 1);
    }

    #[test]
    fn the_tightest_quota_of_the_groups_above_us_counts() {
        let group = ("proc/self/cgroup", "0::/a/b\n");
        let none = ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        Machine::new(&[group, none]).check(&[0, 1, 2, 3], 4);
        Machine::new(&[group, none, ("sys/fs/cgroup/a/cpu.max", "250000 100000\n")])
            .check(&[0, 1, 2, 3], 2);
        Machine::new(&[group, ("sys/fs/cgroup/cpu.max", "50000 100000\n")]).check(&[0, 1, 2, 3], 1);
    }

    #[test]
    fn the_first_version_of_control_groups_is_read_too() {
        let group = ("proc/self/cgroup", "2:cpu,cpuacct:/x\n1:memory:/y\n");
        let quota = ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "300000");
        let period = ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000");
        Machine::new(&[group, quota, period]).check(&[0, 1, 2, 3], 3);
        Machine::new(&[
            group,
            ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "-1"),
            period,
        ])
        .check(&[0, 1], 2);
    }
}
