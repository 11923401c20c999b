//! How many games this machine can play at a time without their disturbing each other, and on which CPUs.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::num::NonZeroUsize;

use match_core::cpu_list::CpuList;
use match_core::spec::{EngineSpec, Spec};
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

mod claims;
mod placement;
mod quota;
mod topology;

pub(crate) use claims::Claims;
pub use placement::{Placement, PlacementError, Wish, honest_slots};
pub use topology::{Core, Topology};

/// Decides where the games of `spec` are played, beside other arbiters. The CPUs are ours as long as the
/// claims live.
///
/// # Errors
/// When the CPUs that it asks for cannot be used.
pub(crate) fn place(spec: &Spec) -> Result<(Placement, Claims), PlacementError> {
    let threads = spec.engines.iter().map(EngineSpec::threads).max();
    let machine = here();
    let mut taken = claims::taken(&machine.allowed);
    loop {
        let wish = Wish {
            concurrency: spec.concurrency,
            threads: threads.unwrap_or(NonZeroUsize::MIN),
            placement: &spec.placement,
            taken: &taken,
        };
        let placement = Placement::decide(&machine, wish)?;
        match Claims::make(placement.own.iter().flat_map(CpuList::iter)) {
            Ok(claims) => return Ok((placement, claims)),
            // Somebody was quicker. There is one CPU less to choose from each time.
            Err(cpu) => taken = taken.iter().chain([cpu]).collect(),
        }
    }
}

/// This machine.
pub fn here() -> Topology {
    Topology::read(&|path| fs::read_to_string(path).ok(), allowed())
}

/// Keeps this thread, and all that it starts from now on, on `cpus`.
///
/// # Errors
/// When one of them is not there or not for us; the kernel would be content if any of them were.
pub fn stay_on(cpus: &CpuList) -> io::Result<()> {
    sched_setaffinity(None, &set_of(cpus)?)?;
    if allowed() == *cpus {
        Ok(())
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

/// Moves all threads of a process to `cpus`. It should have nothing to do meanwhile.
///
/// # Errors
/// When the CPUs are not there or not for us.
pub(crate) fn move_to(process: u32, cpus: &CpuList) -> io::Result<()> {
    let set = set_of(cpus)?;
    let mut moved = BTreeSet::new();
    // A thread that was not moved yet may start others, which are found in the next round.
    loop {
        let before = moved.len();
        for entry in fs::read_dir(format!("/proc/{process}/task"))?.flatten() {
            let thread = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok());
            let Some(thread) = thread.and_then(Pid::from_raw) else {
                continue;
            };
            if moved.insert(thread.as_raw_pid()) {
                match sched_setaffinity(Some(thread), &set) {
                    // It is gone.
                    Ok(()) | Err(Errno::SRCH) => {}
                    Err(errno) => return Err(errno.into()),
                }
            }
        }
        if moved.len() == before {
            return Ok(());
        }
    }
}

fn set_of(cpus: &CpuList) -> io::Result<CpuSet> {
    let mut set = CpuSet::new();
    for cpu in cpus.iter() {
        if cpu >= CpuSet::MAX_CPU {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        set.set(cpu);
    }
    Ok(set)
}

/// The CPUs on which this thread may run.
pub(crate) fn allowed() -> CpuList {
    match sched_getaffinity(None) {
        Ok(set) => (0..CpuSet::MAX_CPU)
            .filter(|&cpu| set.is_set(cpu))
            .collect(),
        // The machine may have more CPUs than the call's mask has bits.
        Err(_) => allowed_by_status().unwrap_or_else(|| CpuList::from_iter([0])),
    }
}

fn allowed_by_status() -> Option<CpuList> {
    let status = fs::read_to_string("/proc/thread-self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line?.parse().ok()
}
