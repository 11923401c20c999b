//! Ctrl-C, counted: the first time stops a contest, the second kills it.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// Where requests to stop arrive and where they are listened to. Clones are the same thing.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    count: u32,
    listener: Option<Box<dyn Fn() + Send>>,
}

impl Interrupts {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets SIGINT, SIGTERM and SIGHUP interrupt, from now to the end of this process. Engines that
    /// end are ours to ask for their status, even if we were started with SIGCHLD ignored.
    ///
    /// # Errors
    /// When the operating system refuses the handlers or the thread that waits for them.
    pub fn catch_signals(&self) -> io::Result<()> {
        signal_hook::flag::register(SIGCHLD, Arc::default())?;
        // A file that may not grow (`ulimit -f`) is an error like a full disk, and no reason to die.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let interrupts = self.clone();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for _ in signals.forever() {
                    interrupts.interrupt();
                }
            })?;
        Ok(())
    }

    /// One request to stop.
    pub fn interrupt(&self) {
        let mut state = self.state();
        state.count += 1;
        if let Some(listener) = &state.listener {
            listener();
        }
    }

    /// How many requests there have been.
    pub fn count(&self) -> u32 {
        self.state().count
    }

    /// Calls `listener`, and nobody else any more, at every request from now on. Returns how many
    /// there have been before.
    pub(crate) fn listen(&self, listener: impl Fn() + Send + 'static) -> u32 {
        let mut state = self.state();
        state.listener = Some(Box::new(listener));
        state.count
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // A listener that panicked left a count that is still right.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}
