//! Processes that should be gone.
//!
//! Every process started from a test inherits a variable with the test's mark, whatever it does to
//! its group, its session or its parent; so `/proc` tells what is left of it.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

/// The variable that bears the mark.
pub(crate) const VARIABLE: &str = "ARBITER_END_TO_END";

/// A process that is left.
#[derive(Debug)]
pub(crate) struct Remains {
    pid: Pid,
    /// Its command line.
    pub(crate) command: String,
}

impl Remains {
    /// All living processes that bear `mark`. (A dead one that nobody has waited for yet has no
    /// environment.)
    pub(crate) fn of(mark: &str) -> Vec<Self> {
        let entry = format!("{VARIABLE}={mark}");
        let processes = fs::read_dir("/proc").expect("there is a /proc").flatten();
        let marked = processes.filter_map(|process| {
            let pid = process
                .file_name()
                .to_str()?
                .parse()
                .ok()
                .and_then(Pid::from_raw)?;
            let environment = fs::read(process.path().join("environ")).ok()?;
            let marked = environment
                .split(|&byte| byte == 0)
                .any(|had| had == entry.as_bytes());
            let command = fs::read(process.path().join("cmdline")).ok()?;
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            marked.then_some(Self { pid, command })
        });
        marked.collect()
    }

    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let _may_be_gone = kill_process(self.pid, signal);
    }
}
