//! The coordinator's process. What is asked of it may be the last: it ends before or after the commit, is
//! started again with nothing but its folder, and whoever asked never hears.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::office::{Office, Settings};
use crate::store::crash::Point;
use crate::{ApprovalPolicy, Artifacts, Clock, Disk, Store};

/// 2026-01-01 in milliseconds.
const BEGIN: u64 = 1_767_225_600_000;

pub(super) struct Coordinator {
    folder: TempDir,
    clock: Arc<AtomicU64>,
    /// What its clock is off by, in milliseconds.
    skew: i64,
    process: Process,
}

/// What is gone when it ends. Fields are dropped in this order.
struct Process {
    office: Office,
    runtime: Runtime,
}

impl Coordinator {
    pub(super) fn start() -> Self {
        let memory = PathBuf::from("/dev/shm");
        let folder = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let folder = folder.expect("a folder");
        let clock = Arc::new(AtomicU64::new(BEGIN));
        let process = Process::start(&folder, &clock);
        Self {
            folder,
            clock,
            skew: 0,
            process,
        }
    }

    /// Ends, and is started again. Its clock shows `skew` more than it should by now.
    pub(super) fn restart(&mut self, now: u64, skew: i64) {
        self.skew = skew;
        self.set_clock(now);
        self.process = Process::start(&self.folder, &self.clock);
    }

    /// Lets the next write be the last of this life.
    pub(super) fn arm(&self, point: Point) {
        self.process.office.store().crash.arm(point);
    }

    pub(super) fn set_clock(&self, now: u64) {
        let shown = (BEGIN + now).saturating_add_signed(self.skew);
        self.clock.store(shown, Ordering::Relaxed);
    }

    /// The answer to a request, or nothing when it ended over it.
    pub(super) fn ask<T>(&self, request: impl AsyncFnOnce(Office) -> T) -> Option<T> {
        let Process { office, runtime } = &self.process;
        let crash = office.store().crash.clone();
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = crash.struck() => None,
                answer = request(office.clone()) => Some(answer),
            }
        })
    }

    /// What is so, asked by somebody who changes nothing.
    pub(super) fn look<T>(&self, look: impl AsyncFnOnce(&Office) -> T) -> T {
        let Process { office, runtime } = &self.process;
        runtime.block_on(look(office))
    }
}

impl Process {
    fn start(folder: &TempDir, clock: &Arc<AtomicU64>) -> Self {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let artifacts =
            Artifacts::open(folder.path().join("artifacts"), 1 << 20).expect("a folder");
        let settings = Settings::new(
            ApprovalPolicy::Nobody,
            Clock::Told(Arc::clone(clock)),
            Disk::new(folder.path().to_owned(), 0),
        );
        let office = runtime.block_on(async {
            let store = Store::open_sqlite(folder.path()).await.expect("a store");
            Office::new(store, artifacts, settings)
        });
        Self { office, runtime }
    }
}
