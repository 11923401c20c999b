//! A program that is no engine and is run to its end in a sandbox: a recipe, a bench.
//!
//! What builds an engine needs more than an engine: the system's headers and compilers, hundreds of
//! processes, modes of files. And it is as much a stranger's as an engine is: it has no network, writes
//! nothing but what it is given, and sees no variable that it was not given.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;

use match_core::cpu_list::CpuList;

use crate::launch::{self, Plan};
use crate::process::{Launcher, bare};
use crate::sandbox::{Bounds, Cell, Reach, Refusals};

/// What is to be run, and what it may use. Paths are absolute.
#[derive(Clone, Debug)]
pub struct Errand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its working folder.
    pub dir: PathBuf,
    /// Its environment, beside `PATH` and the language, which it has from us.
    pub env: Vec<(OsString, OsString)>,
    /// The CPUs to which it keeps; ours if nothing is said.
    pub cpus: Option<CpuList>,
    /// Bytes of memory of each of its processes.
    pub memory: u64,
    /// Processes in all.
    pub processes: u32,
    /// What it may read and execute, beside the system's programs and libraries.
    pub read: Vec<PathBuf>,
    /// What it may read, execute and write.
    pub write: Vec<PathBuf>,
    /// It builds something: it may make files executable and set their times.
    pub builds: bool,
}

/// The watch over an errand that runs. When it goes the sandbox does not: whatever still lives of the
/// errand is killed.
#[derive(Debug)]
pub struct Watch {
    launcher: Arc<Launcher>,
    refusals: Arc<Refusals>,
    group: u32,
}

/// Files that a process may have open. Linkers of big programs like many.
const FILES: u32 = 4096;

impl Errand {
    /// Starts it in a group of its own through `binary`, which is our own, with nothing to read on its
    /// standard input; all that it says goes to `log`. It dies with the thread that calls this.
    ///
    /// # Errors
    /// When the operating system does not start it.
    pub fn start(&self, binary: &Path, log: &File) -> io::Result<(Child, Watch)> {
        let launcher = Launcher::new(binary.to_owned())?;
        let bounds = Bounds {
            memory: self.memory,
            files: FILES,
            processes: self.processes,
            read: self.read.clone(),
            write: self.write.clone(),
            builds: self.builds,
        };
        let plan = Plan {
            parent: std::process::id(),
            cpus: self.cpus.clone(),
            program: self.program.clone(),
            args: self.args.clone(),
            sandbox: Some(bounds.clone()),
        };
        let reach = Reach::of(&bounds);
        let cell = Arc::new(Cell { bounds, reach });
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(binary);
        bare(&mut command);
        command
            .arg0("arbiter")
            .args(plan.words())
            .current_dir(&self.dir)
            .envs((self.env.iter()).map(|(name, value)| (launch::veiled(name), value)))
            .process_group(0)
            .stdin(OwnedFd::from(theirs))
            .stdout(log.try_clone()?)
            .stderr(log.try_clone()?);
        let nothing = File::open("/dev/null")?;
        let mut child = launcher.errand(command)?;
        let group = child.id();
        match launcher.admit(ours, &nothing, group, &cell) {
            Ok(refusals) => {
                let watch = Watch {
                    launcher,
                    refusals,
                    group,
                };
                Ok((child, watch))
            }
            Err(error) => {
                // It waits for its input and is nothing else yet.
                child.kill()?;
                child.wait()?;
                launcher.forget(group);
                Err(error)
            }
        }
    }
}

impl Watch {
    /// What it was kept from so far, as `reading ...`.
    pub fn kept_from(&self) -> Vec<String> {
        let refusals = self.refusals.list();
        refusals.iter().map(ToString::to_string).collect()
    }

    /// It has ended and is not waited for yet; afterwards its number may be somebody else's.
    pub fn ended(&self) {
        self.launcher.forget(self.group);
    }
}
