//! Which CPUs there are, which of them share a core, a socket and a speed: read from the kernel's texts.

use std::collections::{BTreeMap, BTreeSet};

use match_core::cpu_list::CpuList;

use super::quota::quota;

const CPUS: &str = "/sys/devices/system/cpu";

/// Where the kernel lists the small cores of Intel's hybrid processors.
const SMALL_CORES: [&str; 2] = [
    "/sys/devices/cpu_atom/cpus",
    "/sys/devices/cpu_lowpower/cpus",
];

/// A core is of a slower kind when it has less than this share of the fastest one's capacity or clock.
/// Cores of one kind differ by a few per cent, because some are allowed a higher boost.
const SAME_KIND: f64 = 0.85;

/// The CPUs of a machine as far as we may use them.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// CPUs that the machine has, those that are switched off included.
    pub present: CpuList,
    /// Those that are switched on.
    pub online: CpuList,
    /// Those on which this process may run (affinity and cpuset).
    pub allowed: CpuList,
    /// The cores of the allowed CPUs; those of one socket and kind stand together.
    pub cores: Vec<Core>,
    /// How many CPUs' time the control group may use, if it has a quota.
    pub quota: Option<f64>,
}

/// A physical core.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Core {
    /// The kind of core: 0 is the fastest, the next slower is 1.
    pub kind: usize,
    /// The socket.
    pub package: usize,
    /// Its hardware threads that we may use, ascending, at least one.
    pub cpus: Vec<usize>,
}

impl Topology {
    /// What `read` tells, which gives the text of a file by its path, of a machine on whose `allowed`
    /// CPUs we may run.
    ///
    /// A CPU of which nothing is told, as in some containers and on some ARM servers, is a core of its
    /// own in the one socket that there is.
    pub fn read(read: &dyn Fn(&str) -> Option<String>, allowed: CpuList) -> Self {
        let list = |name: &str| read(name)?.parse::<CpuList>().ok();
        let cpuinfo = cpuinfo(&read("/proc/cpuinfo").unwrap_or_default());
        let kinds = kinds(read, &allowed);
        let mut cores: BTreeMap<CoreKey, Core> = BTreeMap::new();
        for cpu in allowed.iter() {
            let place = Place::of(read, &cpuinfo, cpu);
            let core = cores.entry(place.core).or_insert_with(|| Core {
                kind: kinds[&cpu],
                package: place.package,
                cpus: Vec::new(),
            });
            core.cpus.push(cpu);
        }
        let mut cores: Vec<Core> = cores.into_values().collect();
        cores.sort();
        Self {
            present: list(&format!("{CPUS}/present")).unwrap_or_else(|| allowed.clone()),
            online: list(&format!("{CPUS}/online")).unwrap_or_else(|| allowed.clone()),
            allowed,
            cores,
            quota: quota(read),
        }
    }

    /// This machine without the CPUs that are not in `cpus`.
    #[must_use]
    pub fn confined_to(&self, cpus: &CpuList) -> Self {
        let mut cores = self.cores.clone();
        for core in &mut cores {
            core.cpus.retain(|&cpu| cpus.contains(cpu));
        }
        cores.retain(|core| !core.cpus.is_empty());
        Self {
            allowed: self
                .allowed
                .iter()
                .filter(|&cpu| cpus.contains(cpu))
                .collect(),
            cores,
            ..self.clone()
        }
    }

    /// This machine without the cores of which one of `cpus` is a hardware thread.
    #[must_use]
    pub fn without_cores_of(&self, cpus: &CpuList) -> Self {
        let others = self
            .cores
            .iter()
            .filter(|core| !core.cpus.iter().any(|&cpu| cpus.contains(cpu)));
        self.confined_to(&others.flat_map(|core| core.cpus.iter().copied()).collect())
    }

    /// How many sockets our cores are on.
    pub fn packages(&self) -> usize {
        let packages: BTreeSet<usize> = self.cores.iter().map(|core| core.package).collect();
        packages.len()
    }

    /// How many kinds of core we may use.
    pub fn kinds(&self) -> usize {
        let kinds: BTreeSet<usize> = self.cores.iter().map(|core| core.kind).collect();
        kinds.len()
    }
}

/// What makes two CPUs one core.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CoreKey {
    /// The list of hardware threads of which it is one.
    Siblings(CpuList),
    /// The number of the core in its socket.
    Numbered { package: usize, core: usize },
    /// Nothing is known.
    Alone(usize),
}

struct Place {
    core: CoreKey,
    package: usize,
}

impl Place {
    fn of(read: &dyn Fn(&str) -> Option<String>, cpuinfo: &CpuInfo, cpu: usize) -> Self {
        let file = |name: &str| read(&format!("{CPUS}/cpu{cpu}/topology/{name}"));
        // Machines without the notion say -1.
        let number = |name: &str| file(name)?.trim().parse::<usize>().ok();
        let told = cpuinfo.get(&cpu).copied().unwrap_or_default();
        let package = number("physical_package_id").or(told.package);
        // The second name is that of kernels before 5.0.
        let siblings = file("core_cpus_list").or_else(|| file("thread_siblings_list"));
        let siblings = siblings.and_then(|list| list.parse::<CpuList>().ok());
        let core = match (siblings, number("core_id").or(told.core), package) {
            (Some(list), ..) if list.contains(cpu) => CoreKey::Siblings(list),
            (_, Some(core), Some(package)) => CoreKey::Numbered { package, core },
            _ => CoreKey::Alone(cpu),
        };
        Self {
            core,
            package: package.unwrap_or(0),
        }
    }
}

/// What `/proc/cpuinfo` tells of a CPU's place.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    package: Option<usize>,
    core: Option<usize>,
}

type CpuInfo = BTreeMap<usize, Told>;

/// `physical id` and `core id` by `processor`; ARM and many virtual machines have none.
fn cpuinfo(text: &str) -> CpuInfo {
    let mut all = CpuInfo::new();
    let mut current = None;
    for (key, value) in text.lines().filter_map(|line| line.split_once(':')) {
        let value = value.trim().parse::<usize>().ok();
        match (key.trim(), current) {
            ("processor", _) => current = value,
            ("physical id", Some(cpu)) => all.entry(cpu).or_default().package = value,
            ("core id", Some(cpu)) => all.entry(cpu).or_default().core = value,
            _ => {}
        }
    }
    all
}

/// The kind of each CPU's core.
fn kinds(read: &dyn Fn(&str) -> Option<String>, cpus: &CpuList) -> BTreeMap<usize, usize> {
    let small: CpuList = SMALL_CORES
        .iter()
        .filter_map(|file| read(file)?.parse::<CpuList>().ok())
        .flat_map(|list| list.iter().collect::<Vec<_>>())
        .collect();
    if !small.is_empty() {
        let kind = |cpu| usize::from(small.contains(cpu));
        return cpus.iter().map(|cpu| (cpu, kind(cpu))).collect();
    }
    let speeds = speeds(read, cpus, "cpu_capacity")
        .or_else(|| speeds(read, cpus, "cpufreq/cpuinfo_max_freq"))
        .unwrap_or_else(|| cpus.iter().map(|cpu| (cpu, 1.0)).collect());
    let mut sorted: Vec<f64> = speeds.values().copied().collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut fastest_of_kind: Vec<f64> = Vec::new();
    for speed in sorted {
        if fastest_of_kind
            .last()
            .is_none_or(|fastest| speed < SAME_KIND * fastest)
        {
            fastest_of_kind.push(speed);
        }
    }
    let kind = |speed: f64| {
        fastest_of_kind
            .iter()
            .rposition(|&fastest| speed <= fastest)
    };
    speeds
        .into_iter()
        .map(|(cpu, speed)| (cpu, kind(speed).unwrap_or(0)))
        .collect()
}

/// A figure of every CPU; nothing if one has none.
fn speeds(
    read: &dyn Fn(&str) -> Option<String>,
    cpus: &CpuList,
    name: &str,
) -> Option<BTreeMap<usize, f64>> {
    let speed = |cpu: usize| {
        let text = read(&format!("{CPUS}/cpu{cpu}/{name}"))?;
        text.trim().parse::<f64>().ok().filter(|&speed| speed > 0.0)
    };
    cpus.iter().map(|cpu| Some((cpu, speed(cpu)?))).collect()
}
