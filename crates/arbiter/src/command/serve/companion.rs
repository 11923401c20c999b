//! The worker beside a coordinator: a process of its own, for no game shares anything with a coordinator
//! but the machine. It is started again when it ends, and ends when we do.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Before a worker that has ended is started again.
const PAUSE: Duration = Duration::from_secs(5);

/// How often it is looked whether it lives.
const LOOK_UP: Duration = Duration::from_millis(200);

/// A worker that is looked after.
#[derive(Debug)]
pub(super) struct Companion {
    end: Sender<()>,
    keeper: JoinHandle<()>,
}

impl Companion {
    /// Starts it by `command`.
    ///
    /// # Errors
    /// When it cannot be started for the first time.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        let (end, ended) = mpsc::channel();
        let (say, started) = mpsc::channel();
        // It hears of our death when the thread ends that has started it, so that one stays.
        let keeper = thread::spawn(move || match command.spawn() {
            Ok(child) => {
                let _somebody_waits = say.send(Ok(()));
                keep(child, &mut command, &ended);
            }
            Err(error) => {
                let _somebody_waits = say.send(Err(error));
            }
        });
        started.recv().expect("it says how it went")?;
        Ok(Self { end, keeper })
    }

    /// Has it hand back what it has, and waits for its end.
    pub(super) fn end(self) {
        drop(self.end);
        let _it_has_ended = self.keeper.join();
    }
}

/// Starts the worker again when it has ended, until we are to end.
fn keep(mut child: Child, command: &mut Command, ended: &Receiver<()>) {
    loop {
        let pause = match child.try_wait() {
            Ok(None) => LOOK_UP,
            Ok(Some(status)) => {
                tracing::error!(%status, "the worker has ended and is started again in {PAUSE:?}");
                PAUSE
            }
            Err(error) => {
                tracing::error!(%error, "nobody knows how the worker is");
                PAUSE
            }
        };
        match ended.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) if pause == LOOK_UP => {}
            Err(RecvTimeoutError::Timeout) => match command.spawn() {
                Ok(again) => child = again,
                Err(error) => tracing::error!(%error, "the worker cannot be started"),
            },
            Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // While it was not waited for, its number is nobody else's.
    if let (Some(pid), Ok(None)) = (pid, child.try_wait()) {
        let _it_may_be_gone = kill_process(pid, Signal::TERM);
        let _it_is_gone = child.wait();
    }
}
