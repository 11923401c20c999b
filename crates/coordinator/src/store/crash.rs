//! A process that ends in the middle of a write, for tests that want to see what is left then.

use std::future::pending;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

/// Where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// Everything was written, and the transaction is open.
    BeforeCommit,
    /// It is on the disk, and nobody was told.
    AfterCommit,
}

/// The end of a process, at most one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crash(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    due: Mutex<Option<Point>>,
    struck: Notify,
}

impl Crash {
    /// The next write that comes to `point` is the last.
    pub(crate) fn arm(&self, point: Point) {
        *self.0.due.lock().expect("nobody panics with it") = Some(point);
    }

    /// The writer is at `point`: nothing comes after this if it was to end here.
    pub(super) async fn strike(&self, point: Point) {
        let is_due = *self.0.due.lock().expect("nobody panics with it") == Some(point);
        if is_due {
            self.0.struck.notify_one();
            pending::<()>().await;
        }
    }

    /// Waits for the end.
    pub(crate) async fn struck(&self) {
        self.0.struck.notified().await;
    }
}
