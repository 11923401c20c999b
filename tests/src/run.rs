//! One call of a program: under way, then over.

use std::fs::File;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::PATIENCE;
use crate::stage::Stage;

/// A call that is over.
#[derive(Debug)]
pub struct Run {
    /// The exit code; nothing when a signal ended it.
    pub code: Option<i32>,
    /// What was written to standard output.
    pub out: String,
    /// What was written to standard error.
    pub err: String,
    /// How long it took.
    pub took: Duration,
    /// What was started and still lived when it was over.
    pub survivors: Vec<String>,
}

impl Run {
    /// It must have ended with `code`, and nothing of it may be left.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(self.survivors.is_empty(), "{self:#?}");
        self
    }

    /// Standard error must contain `part`.
    #[track_caller]
    pub fn expect_err(self, part: &str) -> Self {
        assert!(self.err.contains(part), "no `{part}` in {self:#?}");
        self
    }

    /// Standard output must contain `part`.
    #[track_caller]
    pub fn expect_out(self, part: &str) -> Self {
        assert!(self.out.contains(part), "no `{part}` in {self:#?}");
        self
    }
}

/// A call under way.
///
/// Its output goes to files: a pipe would be held open by every process that outlives it, and
/// those are what some tests look for.
#[derive(Debug)]
pub struct Running<'a> {
    stage: &'a Stage,
    child: Child,
    names: [String; 2],
    begun: Instant,
}

impl<'a> Running<'a> {
    /// Starts a program.
    pub fn start(stage: &'a Stage, mut command: Command) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let names = ["out", "err"].map(|stream| format!("output-{number}.{stream}"));
        let [out, err] = [0, 1].map(|stream: usize| {
            File::create(stage.path(&names[stream])).expect("a file can be written")
        });
        command
            .stdin(std::process::Stdio::null())
            .stdout(out)
            .stderr(err);
        let begun = Instant::now();
        let child = command.spawn().expect("it can be started");
        Self {
            stage,
            child,
            names,
            begun,
        }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it is over.
    pub fn is_over(&mut self) -> bool {
        let status = self.child.try_wait().expect("it is our child");
        status.is_some()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it has not been waited for");
    }

    /// The most memory that it has had so far, in KiB.
    pub fn memory_peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok())
            .unwrap_or(0)
    }

    /// What it has written to standard output so far.
    pub fn out(&self) -> String {
        self.stage.read(&self.names[0])
    }

    /// What it has written to standard error so far.
    pub fn err(&self) -> String {
        self.stage.read(&self.names[1])
    }

    /// Waits for its end.
    #[track_caller]
    pub fn finish(mut self) -> Run {
        let status = self.wait();
        Run {
            code: status.code(),
            survivors: self.stage.survivors(),
            took: self.begun.elapsed(),
            out: self.stage.read(&self.names[0]),
            err: self.stage.read(&self.names[1]),
        }
    }

    #[track_caller]
    fn wait(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            if self.begun.elapsed() > PATIENCE {
                let _may_be_gone = self.child.kill();
                panic!(
                    "it does not end: {:?}",
                    self.names.each_ref().map(|name| self.stage.read(name))
                );
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Whether a file of a stage holds the output of a call.
pub(crate) fn is_output(name: &str) -> bool {
    name.starts_with("output-")
}
