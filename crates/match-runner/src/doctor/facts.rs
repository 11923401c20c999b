//! What is known of a machine.

use std::time::Duration;

use match_core::cpu_list::CpuList;

use crate::cores::Topology;
use crate::sandbox::Support;

/// A machine. What could not be found out is absent.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Its CPUs.
    pub topology: Topology,
    /// The name of its processor.
    pub model: Option<String>,
    /// Whether it is a virtual machine.
    pub is_virtual: bool,
    /// Frequency governors of our CPUs; none where the frequency is not ours to govern.
    pub governors: Vec<(String, CpuList)>,
    /// Whether cores may run faster than their base frequency for a while.
    pub boost: Option<bool>,
    /// Processes that ran or wanted to, on average over the last minute.
    pub load: Option<f64>,
    /// How much of our CPUs' time others took while we listened, 0 to 1.
    pub busy: Option<f64>,
    /// How much of our CPUs' time the hypervisor gave to other machines while we were busy, 0 to 1.
    pub stolen: Option<f64>,
    /// For how much of the last ten seconds something waited for a CPU, 0 to 1.
    pub pressure: Option<f64>,
    /// How many files a process may have open: now, and at most; absent for no limit.
    pub open_files: (Option<u64>, Option<u64>),
    /// Memory.
    pub memory: Option<Memory>,
    /// What the system measures time with.
    pub clocksource: Option<String>,
    /// The smallest step of the clock.
    pub resolution: Duration,
    /// What reading the clock costs.
    pub clock_cost: Duration,
    /// How threads woke up, by CPU.
    pub wake_ups: Vec<WakeUps>,
    /// Whether the kernel tells how long a thread waited for a CPU.
    pub tells_waiting: bool,
    /// What a sandbox could use.
    pub sandbox: Support,
}

/// Memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// All of it.
    pub total: u64,
    /// What can be had without swapping.
    pub available: u64,
}

/// How late a thread on one CPU was that slept until a given time, again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WakeUps {
    /// Which CPU.
    pub cpu: usize,
    /// How often.
    pub count: usize,
    /// The middle one.
    pub median: Duration,
    /// One of a hundred was later.
    pub p99: Duration,
    /// The latest.
    pub max: Duration,
    /// The longest time for which a thread that was busy there did not run.
    pub longest_gap: Duration,
}
