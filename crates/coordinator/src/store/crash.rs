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

#[cfg(test)]
mod tests {
    use crate::{Store, StoreError};

    #[tokio::test]
    async fn a_write_that_panics_costs_no_other_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open_sqlite(folder.path()).await.expect("a store");
        let (bad, good) = tokio::join!(
            store.write(|_| Box::pin(async { Err::<(), _>(panics()) })),
            store.write(|_| Box::pin(async { Ok(1) })),
        );
        assert!(matches!(bad, Err(StoreError::Panicked)), "{bad:?}");
        assert_eq!(good.expect("it is stored"), 1);
        let later = store.write(|_| Box::pin(async { Ok(2) })).await;
        assert_eq!(later.expect("it is stored"), 2);
    }

    fn panics() -> StoreError {
        panic!("as a fault of ours would")
    }
}
