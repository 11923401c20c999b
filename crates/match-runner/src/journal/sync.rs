//! What was written reaches the disk, once a second and on a thread of its own.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// At most so much is lost when the power fails.
const PERIOD: Duration = Duration::from_secs(1);

/// Syncs a file while it is written.
#[derive(Debug)]
pub(super) struct Sync {
    shared: Arc<Shared>,
    /// Dropped to end the thread.
    alive: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    file: File,
    /// Whether anything was written since the last time.
    wanted: AtomicBool,
    failure: Mutex<Option<io::Error>>,
}

impl Sync {
    /// Starts the thread.
    ///
    /// # Errors
    /// When there is none to be had.
    pub(super) fn start(file: File) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            file,
            wanted: AtomicBool::new(false),
            failure: Mutex::default(),
        });
        let (alive, end) = mpsc::channel();
        let thread = thread::Builder::new().name("journal".into()).spawn({
            let shared = Arc::clone(&shared);
            move || {
                while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(PERIOD) {
                    shared.sync();
                }
            }
        })?;
        Ok(Self {
            shared,
            alive: Some(alive),
            thread: Some(thread),
        })
    }

    /// Has the file synced within a second.
    ///
    /// # Errors
    /// When it failed since the last time that anybody asked.
    pub(super) fn ask(&self) -> io::Result<()> {
        self.shared.wanted.store(true, Ordering::Release);
        self.shared.failure()
    }

    /// Syncs the file at once.
    ///
    /// # Errors
    /// When that fails, or failed before.
    pub(super) fn now(&self) -> io::Result<()> {
        self.shared.sync();
        self.shared.failure()
    }
}

impl Shared {
    fn sync(&self) {
        if self.wanted.swap(false, Ordering::AcqRel)
            && let Err(error) = self.file.sync_data()
        {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }

    fn failure(&self) -> io::Result<()> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take().map_or(Ok(()), Err)
    }
}

impl Drop for Sync {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(thread) = self.thread.take() {
            let _it_does_not_panic = thread.join();
        }
    }
}
