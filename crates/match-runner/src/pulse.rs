//! Whether we, or the whole machine, stood still.
//!
//! A thread that has nothing else to do wakes up again and again. When it comes much too late, and not
//! because it had to wait for a CPU, it was stopped (Ctrl-Z, SIGSTOP) or the machine was (a paused
//! virtual machine). The clocks of games went on meanwhile. During a suspension they stop, because
//! the system's monotonic clock does; it is told all the same.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use match_core::moment::Moment;
use rustix::time::{ClockId, clock_gettime};

use crate::schedstat;
use crate::wall::Wall;

/// How often it wakes up. It takes some 10 us of CPU time, a fifth of a thousandth of one CPU.
const PERIOD: Duration = Duration::from_millis(50);

/// How much later it may be before that means anything: interrupts and hypervisors take their time.
const TOLERANCE: Duration = Duration::from_millis(20);

/// What takes this long is told.
const WORTH_TELLING: Duration = Duration::from_secs(1);

/// Standstills that are remembered; a game is not longer than these are apart.
const GAPS_MAX: usize = 256;

/// How long somebody waits at most for the next beat. Without it the witness says nothing.
const CATCH_UP_MAX: Duration = Duration::from_secs(2);

/// The thread, from the outside.
#[derive(Debug)]
pub(crate) struct Pulse {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    wall: Wall,
    state: Mutex<State>,
    /// Rung for the thread to beat at once, or to end.
    wanted: Condvar,
    /// Rung after each beat.
    beaten: Condvar,
}

#[derive(Default)]
struct State {
    beats: u64,
    is_wanted: bool,
    is_over: bool,
    gaps: VecDeque<Gap>,
    listener: Option<Box<dyn Fn(String) + Send>>,
}

/// A time in which everything stood still for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gap {
    from: Moment,
    to: Moment,
    still: Duration,
}

impl Pulse {
    /// Starts the thread.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub(crate) fn start(wall: Wall) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            wall,
            state: Mutex::default(),
            wanted: Condvar::new(),
            beaten: Condvar::new(),
        });
        let thread = thread::Builder::new()
            .name("pulse".into())
            .stack_size(64 * 1024)
            .spawn({
                let shared = Arc::clone(&shared);
                move || shared.beat_until_it_is_over()
            })?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Whom to tell of long standstills and suspensions.
    pub(crate) fn listen(&self, listener: impl Fn(String) + Send + 'static) {
        self.shared.lock().listener = Some(Box::new(listener));
    }

    /// How long everything stood still since `from`, up to now.
    pub(crate) fn stood_still_since(&self, from: Moment) -> Duration {
        let mut state = self.shared.lock();
        let seen = state.beats;
        state.is_wanted = true;
        self.shared.wanted.notify_all();
        // What has just happened is known after the next beat.
        let (state, _) = self
            .shared
            .beaten
            .wait_timeout_while(state, CATCH_UP_MAX, |state| state.beats == seen)
            .unwrap_or_else(PoisonError::into_inner);
        let gaps = state.gaps.iter().filter(|gap| from < gap.to);
        gaps.map(|gap| gap.still.min(gap.to.since(from))).sum()
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.wanted.notify_all();
        if let Some(Err(payload)) = self.thread.take().map(JoinHandle::join)
            && !thread::panicking()
        {
            std::panic::resume_unwind(payload);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn beat_until_it_is_over(&self) {
        let mut last = Beat::take(self.wall);
        let mut state = self.lock();
        while !state.is_over {
            let (waited, _) = self
                .wanted
                .wait_timeout_while(state, PERIOD, |state| !state.is_wanted && !state.is_over)
                .unwrap_or_else(PoisonError::into_inner);
            state = waited;
            let beat = Beat::take(self.wall);
            state.note(&last, &beat);
            last = beat;
            self.beaten.notify_all();
        }
    }
}

/// What is looked at again and again.
#[derive(Clone, Copy, Debug)]
struct Beat {
    at: Moment,
    /// How long this thread has waited for a CPU so far, if the kernel tells.
    waited: Option<Duration>,
    /// How long the machine has been suspended so far.
    suspended: Duration,
}

impl Beat {
    fn take(wall: Wall) -> Self {
        let span = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
        // In this order the difference can only be too small.
        let boot = span(ClockId::Boottime);
        let suspended = boot.saturating_sub(span(ClockId::Monotonic));
        Self {
            waited: schedstat::of_this_thread().map(|times| times.waited),
            at: wall.now(),
            suspended,
        }
    }
}

impl State {
    fn note(&mut self, last: &Beat, beat: &Beat) {
        self.beats += 1;
        self.is_wanted = false;
        let waited = last.waited.zip(beat.waited);
        let waited = waited.map(|(before, after)| after.saturating_sub(before));
        if let Some(still) = standstill(beat.at.since(last.at), waited) {
            if self.gaps.len() == GAPS_MAX {
                self.gaps.pop_front();
            }
            self.gaps.push_back(Gap {
                from: last.at,
                to: beat.at,
                still,
            });
            if still >= WORTH_TELLING {
                self.tell(format!(
                    "arbiter was stopped, or the whole machine, for {:.1} s, and clocks went on",
                    still.as_secs_f64()
                ));
            }
        }
        let suspended = beat.suspended.saturating_sub(last.suspended);
        if suspended >= WORTH_TELLING {
            self.tell(format!(
                "the machine was suspended for {} s; clocks stood still meanwhile",
                suspended.as_secs()
            ));
        }
    }

    fn tell(&self, text: String) {
        if let Some(listener) = &self.listener {
            listener(text);
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("beats", &self.beats)
            .field("gaps", &self.gaps)
            .finish_non_exhaustive()
    }
}

/// How long everything stood still at most between two beats that are `apart`, during which the thread
/// `waited` for a CPU; nothing if that was no standstill, or nobody knows why the second came late.
fn standstill(apart: Duration, waited: Option<Duration>) -> Option<Duration> {
    let still = apart.saturating_sub(waited?);
    (still > PERIOD + TOLERANCE).then_some(still)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn coming_late_is_a_standstill_unless_there_was_no_cpu() {
        assert_eq!(standstill(ms(50), Some(ms(0))), None);
        assert_eq!(standstill(ms(70), Some(ms(0))), None);
        assert_eq!(standstill(ms(2050), Some(ms(3))), Some(ms(2047)));
        assert_eq!(standstill(ms(2050), Some(ms(2000))), None);
        assert_eq!(standstill(ms(2050), None), None);
    }

    #[test]
    fn a_standstill_counts_for_those_who_were_in_it() {
        let wall = Wall::start();
        let pulse = Pulse::start(wall).expect("a thread");
        let told = Arc::new(Mutex::new(Vec::new()));
        pulse.listen({
            let told = Arc::clone(&told);
            move |text| told.lock().expect("nobody panics").push(text)
        });
        let at = |seconds: u64| Moment::from_nanos(seconds * 1_000_000_000);
        let beat = |seconds, suspended| Beat {
            at: at(seconds),
            waited: Some(Duration::ZERO),
            suspended: Duration::from_secs(suspended),
        };
        pulse.shared.lock().note(&beat(1000, 0), &beat(1005, 3600));
        assert_eq!(pulse.stood_still_since(at(900)), Duration::from_secs(5));
        assert_eq!(pulse.stood_still_since(at(1003)), Duration::from_secs(2));
        assert_eq!(pulse.stood_still_since(at(1005)), Duration::ZERO);
        assert_eq!(
            *told.lock().expect("nobody panics"),
            [
                "arbiter was stopped, or the whole machine, for 5.0 s, and clocks went on",
                "the machine was suspended for 3600 s; clocks stood still meanwhile",
            ]
        );
    }
}
