//! The thread that prepares and plays a lease.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use fleet_api::{Failure, Grant};
use fleet_core::agent::Input;
use match_core::event::StopReason;
use match_runner::{Finished, Interrupts, Prepared};

use crate::keeper::{self, Collector, Faults};
use crate::prepare::{Workshop, chain};
use crate::spool::Spool;

/// The most that is told of what went wrong.
const TROUBLE_CHARS_MAX: usize = 16 * 1024;

/// A lease in other hands, from the outside.
#[derive(Debug)]
pub(crate) struct Player {
    begin: Sender<()>,
    interrupts: Interrupts,
    plies: Arc<Mutex<Arc<AtomicU64>>>,
    thread: JoinHandle<()>,
}

/// What a player works with.
struct Play {
    grant: Grant,
    workshop: Arc<Workshop>,
    spool: Arc<Spool>,
    interrupts: Interrupts,
    begin: Receiver<()>,
    plies: Arc<Mutex<Arc<AtomicU64>>>,
    tell: Box<dyn Fn(Input) + Send + Sync>,
}

impl Player {
    /// Prepares `grant`, says so, and plays it when [`Player::play`] is called. `tell` hears
    /// [`Input::Prepared`], [`Input::Kept`] and at last [`Input::Ended`].
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub(crate) fn start(
        grant: Grant,
        workshop: Arc<Workshop>,
        spool: Arc<Spool>,
        tell: impl Fn(Input) + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let (begin, orders) = mpsc::channel();
        let interrupts = Interrupts::new();
        let plies = Arc::default();
        let play = Play {
            grant,
            workshop,
            spool,
            interrupts: interrupts.clone(),
            begin: orders,
            plies: Arc::clone(&plies),
            tell: Box::new(tell),
        };
        let thread = thread::Builder::new()
            .name("player".into())
            .spawn(move || {
                // A bug in one lease is not the end of the worker, and must not leave it waiting.
                let played = panic::catch_unwind(AssertUnwindSafe(|| play.run()));
                let bug = |_| ("a bug: the player panicked".to_owned(), None);
                let (trouble, failure) = played.unwrap_or_else(bug);
                let trouble = bounded(&trouble);
                (play.tell)(Input::Ended { trouble, failure });
            })?;
        Ok(Self {
            begin,
            interrupts,
            plies,
            thread,
        })
    }

    /// Plays what is prepared.
    pub(crate) fn play(&self) {
        let _it_may_be_over = self.begin.send(());
    }

    /// Stops at once; once more kills what does not.
    pub(crate) fn stop(&self) {
        self.interrupts.interrupt();
    }

    /// Plies played so far.
    pub(crate) fn plies(&self) -> u64 {
        let plies = self.plies.lock().unwrap_or_else(PoisonError::into_inner);
        plies.load(Ordering::Relaxed)
    }

    /// Whether it has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.thread.is_finished()
    }
}

impl Play {
    /// Says what went wrong, or nothing.
    fn run(&self) -> (String, Option<Failure>) {
        let (prepared, nps) = match self.workshop.prepare(&self.grant, &self.interrupts) {
            Ok(prepared) => prepared,
            Err(error) if error.is_interrupted() => return (String::new(), None),
            Err(error) => return (chain(&error), error.failure()),
        };
        *self.plies.lock().unwrap_or_else(PoisonError::into_inner) = prepared.plies();
        (self.tell)(Input::Prepared);
        loop {
            match self
                .begin
                .recv_timeout(std::time::Duration::from_millis(50))
            {
                Ok(()) => return (self.play(prepared, nps), None),
                Err(mpsc::RecvTimeoutError::Timeout) if self.interrupts.count() == 0 => {}
                Err(_) => return (String::new(), None),
            }
        }
    }

    fn play(&self, prepared: Prepared, nps: Option<u64>) -> String {
        let (pairs, finished) = mpsc::channel();
        let faults = Faults::default();
        let (grant, spool, tell) = (&self.grant, &*self.spool, &self.tell);
        let (played, kept) = thread::scope(|scope| {
            // It owns the receiver: when it fails the contest hears of it.
            let keeper = scope.spawn(move || {
                keeper::keep((&grant.test, &grant.lease), spool, &finished, |segment| {
                    tell(Input::Kept(segment))
                })
            });
            let collector = Collector::new(pairs, faults.clone(), nps);
            let played = prepared.run(vec![Box::new(collector)]);
            (played, keeper.join())
        });
        let mut troubles = faults.take();
        match kept {
            Ok(Ok(())) => {}
            Ok(Err(error)) => troubles.push(format!("results cannot be kept: {error}")),
            Err(payload) => panic::resume_unwind(payload),
        }
        troubles.extend(why(played));
        troubles.join("\n")
    }
}

/// Why a lease was not played to its end, if nobody has stopped it.
fn why(played: Finished) -> Option<String> {
    match played.stopped? {
        StopReason::Decided | StopReason::Interrupted | StopReason::Killed => None,
        StopReason::TooManyFaults(text)
        | StopReason::EngineUnusable(text)
        | StopReason::HostUnfit(text)
        | StopReason::ReporterFailed(text) => Some(text),
    }
}

/// The beginning and the end of a text that may be long.
fn bounded(text: &str) -> String {
    let chars = text.chars().count();
    if chars <= TROUBLE_CHARS_MAX {
        return text.to_owned();
    }
    let half = TROUBLE_CHARS_MAX / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(chars - half).collect();
    format!("{head}\n[...]\n{tail}")
}
