//! Which slot plays on which CPUs, on machines described by what their kernels tell.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use match_core::cpu_list::CpuList;
use match_core::spec::{Concurrency, PlacementSpec};
use match_runner::cores::{Placement, PlacementError, Topology, Wish};

/// A machine as its kernel describes it.
#[derive(Default)]
struct Machine {
    files: BTreeMap<String, String>,
    allowed: CpuList,
    taken: CpuList,
}

impl Machine {
    /// Of which nothing is known but the CPUs that we may use.
    fn unknown(allowed: &str) -> Self {
        Self::default().allowing(allowed)
    }

    /// Of `packages` sockets with `cores` each; the second hardware threads are numbered after all first ones.
    fn new(packages: usize, cores: usize, smt: usize) -> Self {
        let all = packages * cores;
        let mut machine = Self::default().allowing(&format!("0-{}", all * smt - 1));
        for cpu in 0..all * smt {
            let core = cpu % all;
            let siblings: Vec<String> = (0..smt).map(|n| (core + n * all).to_string()).collect();
            machine = machine
                .topology(cpu, "thread_siblings_list", &siblings.join(","))
                .topology(cpu, "physical_package_id", &(core / cores).to_string());
        }
        let all = format!("0-{}\n", all * smt - 1);
        machine
            .file("/sys/devices/system/cpu/present", &all)
            .file("/sys/devices/system/cpu/online", &all)
    }

    fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    fn topology(self, cpu: usize, name: &str, text: &str) -> Self {
        self.file(
            &format!("/sys/devices/system/cpu/cpu{cpu}/topology/{name}"),
            &format!("{text}\n"),
        )
    }

    fn allowing(mut self, cpus: &str) -> Self {
        self.allowed = cpus.parse().expect("a list");
        self
    }

    fn read(&self) -> Topology {
        Topology::read(&|path| self.files.get(path).cloned(), self.allowed.clone())
    }

    fn decide(&self, slots: &str, threads: usize, cpus: &str) -> Result<Placement, PlacementError> {
        let placement = PlacementSpec {
            cpus: (!cpus.is_empty()).then(|| cpus.parse().expect("a list")),
            pin: true,
        };
        let wish = Wish {
            concurrency: slots.parse::<Concurrency>().expect("a concurrency"),
            threads: NonZeroUsize::new(threads).expect("not 0"),
            placement: &placement,
            taken: &self.taken,
        };
        Placement::decide(&self.read(), wish)
    }

    /// The CPUs of each slot, `free` when they have none of their own, and what is said about it.
    #[track_caller]
    fn check(&self, slots: &str, threads: usize, want: &str, notes: &[&str]) {
        let placement = self
            .decide(slots, threads, "")
            .expect("no list, no mistake");
        check(&placement, want, notes);
    }
}

#[track_caller]
fn check(placement: &Placement, want: &str, notes: &[&str]) {
    let own: Vec<String> = placement.own.iter().map(ToString::to_string).collect();
    let found = match own.is_empty() {
        true => format!("free {}", placement.slots),
        false => own.join(" | "),
    };
    assert_eq!(found, want);
    assert_eq!(placement.notes.len(), notes.len(), "{:#?}", placement.notes);
    for (note, part) in placement.notes.iter().zip(notes) {
        assert!(note.contains(part), "no `{part}` in `{note}`");
    }
}

#[test]
fn a_laptop_with_smt_has_a_slot_a_core_and_the_core_of_the_first_cpu_comes_last() {
    let laptop = Machine::new(1, 4, 2);
    laptop.check("auto", 1, "1 | 2 | 3 | 0", &[]);
    laptop.check("2", 1, "1 | 2", &[]);
    laptop.check("2", 2, "1-2 | 0,3", &[]);
    laptop.check("auto", 4, "0-3", &[]);
}

#[test]
fn siblings_are_shared_when_all_cores_are_taken_and_not_before() {
    let laptop = Machine::new(1, 4, 2);
    let shared = "some share a core and slow each other down; `--concurrency 4`";
    laptop.check("6", 1, "1 | 2 | 3 | 0 | 5 | 6", &[shared]);
    laptop.check("3", 2, "1-2 | 0,3 | 5-6", &["`--concurrency 2`"]);
    laptop.check(
        "9",
        1,
        "free 9",
        &["engines wait for each other and are not pinned; `--concurrency 4`"],
    );
    // One engine with as many threads as there are hardware threads has them all.
    laptop.check(
        "1",
        8,
        "0-7",
        &["1 at a time with 8 threads on 4 cores with 8 hardware threads"],
    );
    laptop.check(
        "auto",
        16,
        "free 1",
        &["1 at a time with 16 threads on 8 CPUs"],
    );
}

#[test]
fn a_slot_stays_on_a_socket_and_sockets_are_loaded_alike() {
    let server = Machine::new(2, 6, 2);
    server.check("4", 1, "1 | 6 | 2 | 7", &[]);
    server.check("auto", 4, "1-4 | 6-9", &[]);
    server.check(
        "3",
        4,
        "1-4 | 6-9 | 0,5,10-11",
        &["1 of 3 slots are spread over several sockets"],
    );
    server.check("auto", 5, "1-5 | 6-10", &[]);
    server.check(
        "auto",
        12,
        "0-11",
        &["1 of 1 slots are spread over several sockets"],
    );
    let twelve = server.decide("auto", 1, "").expect("no list, no mistake");
    assert_eq!(twelve.slots.get(), 12);
}

#[test]
fn an_arm_server_without_ids_has_as_many_cores_as_cpus() {
    let text = (0..4).map(|cpu| format!("processor\t: {cpu}\nBogoMIPS\t: 50.00\n\n"));
    let server = Machine::unknown("0-3").file("/proc/cpuinfo", &text.collect::<String>());
    server.check("auto", 1, "1 | 2 | 3 | 0", &[]);
    // Newer kernels have the files and say -1.
    let mut server = Machine::unknown("0-1");
    for cpu in 0..2 {
        server = server
            .topology(cpu, "physical_package_id", "-1")
            .topology(cpu, "core_id", "-1");
    }
    server.check("auto", 1, "1 | 0", &[]);
}

#[test]
fn cpuinfo_tells_what_the_topology_does_not() {
    let text = (0..4).map(|cpu| {
        format!(
            "processor\t: {cpu}\nphysical id\t: 0\ncore id\t\t: {}\nflags\t\t: a b\n\n",
            cpu / 2
        )
    });
    let machine = Machine::unknown("0-3").file("/proc/cpuinfo", &text.collect::<String>());
    machine.check("auto", 1, "2 | 0", &[]);
}

#[test]
fn a_container_uses_its_own_cpus_only() {
    let container = Machine::new(1, 16, 1).allowing("9-11");
    container.check("auto", 1, "9 | 10 | 11", &[]);
    container.check("1", 1, "9", &[]);
    // Of two hardware threads one may be ours and the other not.
    Machine::new(1, 4, 2)
        .allowing("1,4-5")
        .check("auto", 1, "1 | 4", &[]);
    Machine::unknown("9-11").check("auto", 1, "9 | 10 | 11", &[]);
}

#[test]
fn fast_cores_come_first_and_a_slot_has_cores_of_one_kind() {
    let hybrid = Machine::new(1, 6, 1).file("/sys/devices/cpu_atom/cpus", "2-5\n");
    hybrid.check("1", 1, "1", &[]);
    hybrid.check("3", 1, "1 | 0 | 2", &["1 of 3 slots play on slower cores"]);
    hybrid.check(
        "auto",
        2,
        "0-1 | 2-3 | 4-5",
        &["2 of 3 slots play on slower cores"],
    );
    hybrid.check("auto", 3, "2-4", &[]);
    let mut phone = Machine::unknown("0-3");
    for (cpu, capacity) in ["400", "400", "1024", "1000"].into_iter().enumerate() {
        phone = phone.file(
            &format!("/sys/devices/system/cpu/cpu{cpu}/cpu_capacity"),
            capacity,
        );
    }
    phone.check("2", 1, "2 | 3", &[]);
    phone.check(
        "auto",
        2,
        "2-3 | 0-1",
        &["1 of 2 slots play on slower cores"],
    );
}

#[test]
fn a_quota_bounds_what_is_honest() {
    let group = |machine: Machine, quota: &str| {
        machine
            .file("/proc/self/cgroup", "0::/a/b\n")
            .file("/sys/fs/cgroup/a/cpu.max", quota)
    };
    let container = group(Machine::new(1, 4, 1), "150000 100000\n");
    container.check("auto", 1, "1", &[]);
    container.check("2", 1, "1 | 2", &["the control group may use 1.5 CPUs (its quota): engines will be held up; `--concurrency 1`"]);
    group(Machine::new(1, 4, 1), "250000 100000\n").check("auto", 1, "1 | 2", &[]);
    group(Machine::new(1, 4, 1), "max 100000\n").check("auto", 1, "1 | 2 | 3 | 0", &[]);
    let first_version = Machine::new(1, 4, 1)
        .file("/proc/self/cgroup", "2:cpu,cpuacct:/x\n1:memory:/y\n")
        .file("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "300000")
        .file("/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000");
    first_version.check("auto", 1, "1 | 2 | 3", &[]);
    // Inside a container the path may be the host's; the mount itself is the group then.
    let container = Machine::new(1, 4, 1)
        .file("/proc/self/cgroup", "0::/docker/1234\n")
        .file("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    container.check("auto", 1, "1 | 2", &[]);
}

#[test]
fn a_list_of_cpus_is_kept_to_and_checked() {
    let machine = Machine::new(1, 4, 2)
        .allowing("0-2,4-6")
        .file("/sys/devices/system/cpu/online", "0-6");
    check(
        &machine.decide("auto", 1, "1,5-6").expect("allowed"),
        "1 | 6",
        &[],
    );
    check(
        &machine.decide("2", 1, "0-2").expect("allowed"),
        "1 | 2",
        &[],
    );
    let crowd = machine.decide("4", 1, "1-2").expect("allowed");
    check(&crowd, "free 4", &["4 at a time on 2 CPUs"]);
    assert_eq!(crowd.of(3).map(ToString::to_string).as_deref(), Some("1-2"));
    for (cpus, message) in [
        ("0,8", "there is no CPU 8: this machine has 0-7"),
        (
            "3",
            "CPU 3 is not for us: this process may use 0-2,4-6 (affinity or cpuset)",
        ),
        ("7", "CPU 7 is switched off: 0-6 are on"),
    ] {
        let error = machine.decide("1", 1, cpus).expect_err("not allowed");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn nobody_is_pinned_who_does_not_want_to() {
    let placement = PlacementSpec {
        cpus: None,
        pin: false,
    };
    let wish = Wish {
        concurrency: Concurrency::Auto,
        threads: NonZeroUsize::MIN,
        placement: &placement,
        taken: &CpuList::default(),
    };
    let placement = Placement::decide(&Machine::new(1, 4, 1).read(), wish).expect("no list");
    check(&placement, "free 4", &[]);
    assert_eq!(placement.of(0), None);
}

#[test]
fn cores_on_which_another_arbiter_plays_are_left_to_it() {
    let mut laptop = Machine::new(1, 4, 2);
    laptop.taken = "1,6".parse().expect("a list");
    laptop.check("auto", 1, "3 | 0", &[]);
    laptop.check("2", 1, "3 | 0", &[]);
    let shared = "some games share a core with those of another arbiter";
    laptop.check("3", 1, "5 | 2 | 3", &[shared]);
    let unpinned = "engines are not pinned: another arbiter plays on CPUs 1,6";
    laptop.check("7", 1, "free 7", &[unpinned, "7 at a time on 4 cores"]);
    laptop.taken = "0-7".parse().expect("a list");
    laptop.check("auto", 1, "free 1", &["another arbiter plays on CPUs 0-7"]);
}
