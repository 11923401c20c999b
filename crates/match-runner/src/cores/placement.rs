//! Which slot plays on which CPUs.
//!
//! Of the two engines of a slot one thinks at a time, and the slot's thread only works while neither
//! does: all three belong on the same core, where no wake-up has to cross to another CPU. An engine
//! with several threads gets as many cores. Other slots' games must not be on these: two hardware
//! threads of a core share its caches and its units, and what one does costs the other up to half its
//! speed, now more and now less.

use std::num::NonZeroUsize;

use match_core::cpu_list::CpuList;
use match_core::spec::{Concurrency, PlacementSpec};
use thiserror::Error;

use super::topology::{Core, Topology};

/// What is wished for.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// How many games at a time.
    pub concurrency: Concurrency,
    /// The most threads that an engine uses.
    pub threads: NonZeroUsize,
    /// On which CPUs.
    pub placement: &'a PlacementSpec,
    /// CPUs to which another arbiter has pinned games.
    pub taken: &'a CpuList,
}

/// Who plays where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// How many games at a time.
    pub slots: NonZeroUsize,
    /// The CPUs of each slot; empty when slots have none of their own.
    pub own: Vec<CpuList>,
    /// The CPUs to which all keep when slots have none of their own.
    pub common: Option<CpuList>,
    /// What somebody should know about it; a line each.
    pub notes: Vec<String>,
}

/// A list of CPUs that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// The machine has no such CPU.
    #[error("there is no CPU {cpu}: this machine has {present}")]
    Absent {
        /// Which.
        cpu: usize,
        /// Those that there are.
        present: CpuList,
    },
    /// It is switched off.
    #[error("CPU {cpu} is switched off: {online} are on")]
    Offline {
        /// Which.
        cpu: usize,
        /// Those that are on.
        online: CpuList,
    },
    /// This process is kept off it.
    #[error("CPU {cpu} is not for us: this process may use {allowed} (affinity or cpuset)")]
    Forbidden {
        /// Which.
        cpu: usize,
        /// Those that are.
        allowed: CpuList,
    },
}

impl Placement {
    /// Decides.
    ///
    /// - `auto` is as many slots as have cores of their own on one socket and of one kind, bounded by
    ///   the control group's quota, and at least one.
    /// - Hardware threads of one core go to two slots only when all cores are taken.
    /// - When there are not even hardware threads for all, nobody is pinned: the scheduler shares CPUs
    ///   out more evenly than any list that is fixed beforehand.
    /// - Cores on which another arbiter has pinned games are left to it.
    ///
    /// # Errors
    /// For CPUs that are not there or not for us.
    pub fn decide(topology: &Topology, wish: Wish<'_>) -> Result<Self, PlacementError> {
        let machine = match &wish.placement.cpus {
            Some(cpus) => {
                check(topology, cpus)?;
                topology.confined_to(cpus)
            }
            None => topology.clone(),
        };
        let threads = wish.threads.get();
        let left = machine.without_cores_of(wish.taken);
        let slots = match wish.concurrency {
            Concurrency::Slots(slots) => slots,
            Concurrency::Auto => honest_slots(&left, threads),
        };
        let wanted = slots.get().saturating_mul(threads);
        let mut placement = Self {
            slots,
            own: Vec::new(),
            common: wish.placement.cpus.clone(),
            notes: Vec::new(),
        };
        if wish.placement.pin && wanted <= machine.allowed.len() {
            placement.pin(&machine, wanted, wish);
        }
        placement.tell_of_crowd(&machine, wanted, threads);
        Ok(placement)
    }

    /// The CPUs to which `slot` keeps; nothing if it may go anywhere.
    pub fn of(&self, slot: usize) -> Option<&CpuList> {
        self.own.get(slot).or(self.common.as_ref())
    }

    /// Pins slots to cores that nobody has, or else to CPUs that nobody has, or not at all.
    fn pin(&mut self, machine: &Topology, wanted: usize, wish: Wish<'_>) {
        let threads = wish.threads.get();
        let (taken, free): (Vec<_>, Vec<_>) = machine
            .allowed
            .iter()
            .partition(|&cpu| wish.taken.contains(cpu));
        let others = CpuList::from_iter(taken);
        let left = machine.without_cores_of(&others);
        if others.is_empty() || wanted <= left.cores.len() {
            self.give_cpus(&left, threads);
        } else if wanted <= free.len() {
            self.give_cpus(&machine.confined_to(&CpuList::from_iter(free)), threads);
            self.notes.push(format!(
                "some games share a core with those of another arbiter, which plays on CPUs {others}"
            ));
        } else {
            self.notes.push(format!(
                "engines are not pinned: another arbiter plays on CPUs {others}, and games will disturb \
                 each other"
            ));
        }
    }

    /// Gives every slot as many CPUs as its engines have threads. There are enough.
    fn give_cpus(&mut self, machine: &Topology, threads: usize) {
        let mut pool = Pool::new(machine);
        let mut slow = 0;
        let mut split = 0;
        for _ in 0..self.slots.get() {
            let taken = pool.take(threads);
            slow += usize::from(taken.kind > machine.cores[0].kind);
            split += usize::from(taken.is_split);
            self.own.push(taken.cpus);
        }
        if slow > 0 && slow < self.slots.get() {
            self.notes.push(format!(
                "{slow} of {} slots play on slower cores: both engines of a game have the same, but \
                 games differ (`--cpus` chooses cores)",
                self.slots
            ));
        }
        if split > 0 && machine.packages() > 1 {
            self.notes.push(format!(
                "{split} of {} slots are spread over several sockets: no socket has {threads} free cores",
                self.slots
            ));
        }
    }

    fn tell_of_crowd(&mut self, machine: &Topology, wanted: usize, threads: usize) {
        let (slots, cores, cpus) = (self.slots, machine.cores.len(), machine.allowed.len());
        let honest = honest_slots(machine, threads);
        let each = match threads {
            1 => String::new(),
            _ => format!(" with {threads} threads"),
        };
        let advice = match honest < slots {
            true => format!("; `--concurrency {honest}` is what they bear"),
            false => String::new(),
        };
        if wanted > cpus {
            self.notes.push(format!(
                "{slots} at a time{each} on {}: engines wait for each other and are not pinned{advice}",
                count(cpus, "CPU")
            ));
        } else if wanted > cores {
            self.notes.push(format!(
                "{slots} at a time{each} on {} with {cpus} hardware threads: some share a core and slow \
                 each other down{advice}",
                count(cores, "core")
            ));
        } else if let Some(quota) = machine.quota
            && (wanted as f64) > quota
        {
            self.notes.push(format!(
                "{slots} at a time{each}, and the control group may use {quota} CPUs (its quota): \
                 engines will be held up{advice}"
            ));
        }
    }
}

/// How many games at a time do not disturb each other.
pub fn honest_slots(machine: &Topology, threads: usize) -> NonZeroUsize {
    let fitting = |key: fn(&Core) -> (usize, usize)| -> usize {
        let groups = machine.cores.chunk_by(|a, b| key(a) == key(b));
        groups.map(|group| group.len() / threads).sum()
    };
    let slots = match fitting(|core| (core.kind, core.package)) {
        0 => machine.cores.len() / threads,
        slots => slots,
    };
    let by_quota = machine
        .quota
        .map_or(usize::MAX, |cpus| cpus as usize / threads);
    NonZeroUsize::new(slots.min(by_quota)).unwrap_or(NonZeroUsize::MIN)
}

/// Whether all of `cpus` are there and for us.
fn check(topology: &Topology, cpus: &CpuList) -> Result<(), PlacementError> {
    let Some(cpu) = cpus.iter().find(|&cpu| !topology.allowed.contains(cpu)) else {
        return Ok(());
    };
    Err(if !topology.present.contains(cpu) {
        let present = topology.present.clone();
        PlacementError::Absent { cpu, present }
    } else if !topology.online.contains(cpu) {
        let online = topology.online.clone();
        PlacementError::Offline { cpu, online }
    } else {
        let allowed = topology.allowed.clone();
        PlacementError::Forbidden { cpu, allowed }
    })
}

/// CPUs that nobody has yet.
struct Pool {
    cores: Vec<Free>,
}

/// A core and what of it is taken.
struct Free {
    core: Core,
    taken: usize,
}

/// What cores have in common: kind and socket, or less.
type Grouping = fn(&Core) -> (usize, usize);

struct Choice {
    /// How many have taken a CPU of the most crowded of these cores before.
    sharing: usize,
    /// A core more than once if it must give more than one CPU.
    places: Vec<usize>,
}

struct Taken {
    cpus: CpuList,
    /// The slowest.
    kind: usize,
    is_split: bool,
}

impl Pool {
    fn new(machine: &Topology) -> Self {
        let mut cores: Vec<Free> = machine
            .cores
            .iter()
            .map(|core| Free {
                core: core.clone(),
                taken: 0,
            })
            .collect();
        // Interrupts tend to go to the first CPU: its core comes last among its like.
        cores.sort_by_key(|free| {
            (
                free.core.kind,
                free.core.package,
                free.core.cpus.contains(&0),
            )
        });
        Self { cores }
    }

    /// Takes `threads` CPUs: of cores that have given least; of one kind and socket if possible, or of
    /// one socket, or wherever they are; on the socket that has most to give.
    fn take(&mut self, threads: usize) -> Taken {
        const GROUPINGS: [Grouping; 3] = [
            |core| (core.kind, core.package),
            |core| (0, core.package),
            |_| (0, 0),
        ];
        let choices = GROUPINGS
            .into_iter()
            .filter_map(|grouping| self.choose(threads, grouping));
        // Of equals the first, which is the least scattered.
        let choice = choices.min_by_key(|choice| choice.sharing);
        let places = choice
            .expect("there are as many CPUs as are asked for")
            .places;
        let cores = || places.iter().map(|&place| &self.cores[place].core);
        let kind = cores().map(|core| core.kind).max().unwrap_or(0);
        let is_split = cores().any(|core| core.package != self.cores[places[0]].core.package);
        let cpus = places.iter().map(|&place| {
            let free = &mut self.cores[place];
            free.taken += 1;
            free.core.cpus[free.taken - 1]
        });
        Taken {
            cpus: cpus.collect(),
            kind,
            is_split,
        }
    }

    /// The best group's cores that give a CPU each, if there is a group that has so many.
    fn choose(&self, threads: usize, grouping: Grouping) -> Option<Choice> {
        let mut groups: Vec<(usize, usize)> =
            self.cores.iter().map(|free| grouping(&free.core)).collect();
        groups.sort_unstable();
        groups.dedup();
        let choices = groups.into_iter().filter_map(|group| {
            // A free CPU of each core with the number of those that must be taken before it.
            let mut free: Vec<(usize, usize)> = (self.cores.iter().enumerate())
                .filter(|(_, free)| grouping(&free.core) == group)
                .flat_map(|(place, free)| {
                    (free.taken..free.core.cpus.len()).map(move |n| (n, place))
                })
                .collect();
            free.sort_unstable();
            let sharing = free.get(threads - 1)?.0;
            let left = free.iter().filter(|&&(taken, _)| taken == sharing).count();
            let places = free[..threads].iter().map(|&(_, place)| place).collect();
            let (kind, _) = group;
            Some((kind, left, Choice { sharing, places }))
        });
        let best =
            choices.min_by_key(|(kind, left, choice)| (choice.sharing, *kind, usize::MAX - left));
        best.map(|(.., choice)| choice)
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
