//! Whose fault it is that an engine was late: its own, or the host's.
//!
//! A host is to blame when it withheld from the engine at least the time by which it was late. What
//! is withheld must be proved, and an engine must not be able to make the proof itself:
//!
//! - A thread that waits for a CPU waits because somebody else runs there. If that can be the engine's
//!   own threads, beyond the CPUs that it has for as many as its option `Threads` says, it is the
//!   engine's affair. [`waited_for_others`] takes the longest time off that they can have been in the way.
//! - While everything stands still (a stopped arbiter, a paused virtual machine), nobody is to blame
//!   for anything.
//! - What an engine does not use of the time that it has is its own affair: one that sleeps or hangs
//!   has waited for nothing.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::fault::Fault;

/// What a thread of an engine did during a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadTime {
    /// How long it ran.
    pub ran: Duration,
    /// How long it could have run and had no CPU.
    pub waited: Duration,
}

/// What is known of a move that was not made in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// How long the engine has had for the move, up to the fault.
    pub had: Duration,
    /// How long it went on without an answer after the fault; nothing if it answered.
    pub silent: Duration,
    /// How long one of its threads waited for a CPU on which none of its own was in the way.
    pub waited: Duration,
    /// The same of the thread of ours that listened to it.
    pub delayed: Duration,
    /// How long everything stood still.
    pub stood_still: Duration,
    /// How long its opponent ran meanwhile, whose turn it was not.
    pub opponent_ran: Duration,
}

/// An opponent that runs for longer than this share of another's move is mentioned.
const OPPONENT_SHARE: u32 = 10;

impl Evidence {
    /// How much of the engine's time is proved to have been withheld.
    ///
    /// Its own waiting and ours may be for the same CPU at the same time, so only the longer counts.
    /// Who is stopped does not wait, so that comes on top.
    pub fn withheld(&self) -> Duration {
        self.waited.max(self.delayed) + self.stood_still
    }

    /// If the host is to blame for `fault`, how, in a line.
    ///
    /// For a time loss it is when it withheld at least the time by which the engine was late, an
    /// answer that never came being as late as we listened. A stall has no measure of being late: the
    /// host is to blame when it withheld half of the time or more. Crashes and illegal moves are the
    /// engine's alone.
    pub fn excuse(&self, fault: &Fault) -> Option<String> {
        let is_excused = match fault {
            Fault::TimeLoss { over } => self.withheld() >= *over + self.silent,
            Fault::Stall { .. } => self.withheld() * 2 >= self.had + self.silent,
            Fault::Crash | Fault::IllegalMove { .. } => false,
        };
        (is_excused && !self.withheld().is_zero()).then(|| self.tell(fault))
    }

    fn tell(&self, fault: &Fault) -> String {
        let mut reasons = Vec::new();
        if !self.waited.max(self.delayed).is_zero() {
            let (who, time) = match self.delayed > self.waited {
                true => ("arbiter", self.delayed),
                false => ("the engine", self.waited),
            };
            reasons.push(format!("{who} waited {} ms for a CPU", milliseconds(time)));
        }
        if !self.stood_still.is_zero() {
            let time = milliseconds(self.stood_still);
            reasons.push(format!(
                "arbiter or the whole machine stood still for {time} ms"
            ));
        }
        if !self.opponent_ran.is_zero() && self.opponent_ran * OPPONENT_SHARE >= self.had {
            let time = milliseconds(self.opponent_ran);
            reasons.push(format!(
                "its opponent ran for {time} ms though it was not its turn"
            ));
        }
        format!("{fault}, and meanwhile {}", reasons.join(", "))
    }
}

/// Rounded down: no more is claimed than is proved.
const fn milliseconds(time: Duration) -> u128 {
    time.as_millis()
}

/// How long at least one of an engine's `threads` waited for a CPU while not all `cpus` CPUs that the
/// engine has were taken by its own threads.
pub fn waited_for_others(threads: &[ThreadTime], cpus: NonZeroUsize) -> Duration {
    let waits = threads.iter().enumerate().map(|(place, thread)| {
        let others = threads
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != place);
        let ran = others.map(|(_, other)| other.ran).collect();
        waited_behind(thread.waited, ran, cpus)
    });
    waits.max().unwrap_or_default()
}

/// What is left of a wait when an engine's threads, which `ran` for so long each, were in its way for
/// as long as they can have been.
pub fn waited_behind(wait: Duration, ran: Vec<Duration>, cpus: NonZeroUsize) -> Duration {
    wait.saturating_sub(longest_all_busy(ran, cpus))
}

/// The longest time for which threads that `ran` for so long each can have kept all CPUs busy at once.
///
/// No thread can be on two CPUs at a time. The k threads that ran longest can fill k CPUs for as long
/// as one likes, but the others must fill the rest, which bounds it; that the least of these bounds
/// can be reached is shown by wrapping the others round (McNaughton, Management Science 6, 1959).
fn longest_all_busy(mut ran: Vec<Duration>, cpus: NonZeroUsize) -> Duration {
    ran.sort_unstable_by(|a, b| b.cmp(a));
    let rest_after = |count: usize| ran.iter().skip(count).sum::<Duration>();
    let bounds = (0..cpus.get()).map(|filled| {
        let left = u32::try_from(cpus.get() - filled).unwrap_or(u32::MAX);
        rest_after(filled) / left
    });
    bounds.min().unwrap_or_default()
}
