//! Events that no reporter has heard yet, and the brake on games that make them faster than they can be
//! written.
//!
//! On a machine that is far too busy the thread of the reporters gets little of it, and events would
//! pile up. Then slots wait before they begin a game; a game that runs waits for nobody.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// With so many events unheard no game is begun. The largest, a finished game, takes some ten
/// kilobytes.
const EVENTS_MAX: usize = 256;

/// A slot that waits looks for orders so often.
const GLANCE: Duration = Duration::from_millis(50);

/// How many events wait.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    events: AtomicUsize,
    waiting: Mutex<()>,
    eased: Condvar,
}

impl Backlog {
    /// One more event waits.
    pub(crate) fn grow(&self) {
        self.events.fetch_add(1, Ordering::Relaxed);
    }

    /// One was heard.
    pub(crate) fn shrink(&self) {
        if self.events.fetch_sub(1, Ordering::Relaxed) == EVENTS_MAX {
            let _waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            self.eased.notify_all();
        }
    }

    /// Waits until a game may begin, or until there is something else to do.
    pub(crate) fn wait(&self, is_called: impl Fn() -> bool) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while self.events.load(Ordering::Relaxed) >= EVENTS_MAX && !is_called() {
            let woken = self.eased.wait_timeout(waiting, GLANCE);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn a_slot_waits_while_too_much_is_unheard_and_for_its_orders_only() {
        let backlog = Backlog::default();
        backlog.wait(|| false);
        (0..EVENTS_MAX).for_each(|_| backlog.grow());
        backlog.wait(|| true);
        let (begun, begins) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                backlog.wait(|| false);
                begun.send(()).expect("somebody listens");
            });
            assert!(begins.recv_timeout(2 * GLANCE).is_err(), "it did not wait");
            backlog.shrink();
            begins.recv().expect("it begins");
        });
    }
}
