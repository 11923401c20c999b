//! An engine's process: its pipes, its last words, its end.
//!
//! A process belongs to the thread that spawned it: the kernel delivers the parent-death signal when
//! that *thread* ends. So a slot spawns its own engines and outlives them, and the engines that the
//! pre-flight started belong to the thread that prepares and runs the contest, which outlives all slots.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use match_core::cpu_list::CpuList;
use match_core::evidence::Speaker;
use match_core::moment::Moment;
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::cores;
use crate::guard::Guard;
use crate::launch::{self, Plan};
use crate::orphans::{self, Roster};
use crate::sandbox::{Cell, Refusal, Refusals, Warden};

mod ending;
mod lines;
mod tail;
mod transcript;

pub(crate) use ending::{Exit, Farewell, end_all};
pub(crate) use lines::{Filled, LINE_BYTES_MAX, Lines};
use tail::Tail;
use transcript::Transcript;

/// How to start an engine; found and checked before the contest begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The engine's.
    pub name: String,
    /// An absolute path.
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// The working folder; ours without it.
    pub dir: Option<PathBuf>,
    /// Added to our environment.
    pub env: Vec<(OsString, OsString)>,
    /// It does not see what our environment says beside that.
    pub is_stranger: bool,
    /// What it may use; everything without it.
    pub sandbox: Option<Arc<Cell>>,
}

/// How a write went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// All of it is on its way.
    All,
    /// The pipe is full; so many bytes are on their way, the rest waits until it is writable.
    Partly(usize),
    /// The engine does not listen any more.
    Broken,
}

/// Our own binary as the starter and the guard of engines.
#[derive(Debug)]
pub(crate) struct Launcher {
    binary: PathBuf,
    guard: Guard,
    roster: Roster,
    /// Started with the first sandbox.
    warden: Mutex<Option<Arc<Warden>>>,
}

impl Launcher {
    /// Starts the guard.
    ///
    /// # Errors
    /// When the binary cannot be started.
    pub(crate) fn new(binary: PathBuf) -> io::Result<Arc<Self>> {
        let mark = Roster::mark();
        let guard = Guard::start(&binary, &mark)?;
        let roster = Roster::new(mark);
        roster.start(|_| Ok((guard.id(), ())))?;
        Ok(Arc::new(Self {
            binary,
            guard,
            roster,
            warden: Mutex::default(),
        }))
    }

    /// Starts an engine, which bears a mark from now on.
    fn start(self: &Arc<Self>, mut command: Command, name: &str) -> io::Result<(Child, Origin)> {
        let (mark, child) = self.roster.start(|mark| {
            let child = command.env(orphans::VARIABLE, mark).spawn()?;
            Ok((child.id(), child))
        })?;
        let origin = Origin {
            launcher: Arc::clone(self),
            mark,
            name: name.to_owned(),
        };
        Ok((child, origin))
    }

    /// What engines left behind and was killed, as lines.
    pub(crate) fn found(&self) -> Vec<String> {
        self.roster.found()
    }

    /// Starts what is no engine; it bears a mark and is guarded like one until [`forget`](Self::forget).
    pub(crate) fn errand(&self, mut command: Command) -> io::Result<Child> {
        let (_, child) = self.roster.start(|mark| {
            let child = command.env(orphans::VARIABLE, mark).spawn()?;
            Ok((child.id(), child))
        })?;
        self.guard.watch(child.id());
        Ok(child)
    }

    /// What the marks of all that it starts begin with.
    pub(crate) fn mark(&self) -> &str {
        self.roster.own_mark()
    }

    /// The group of an errand has ended.
    pub(crate) fn forget(&self, group: u32) {
        self.guard.forget(group);
    }

    /// Has the warden watch an errand that was just started; see [`Warden::admit`].
    pub(crate) fn admit(
        &self,
        socket: UnixStream,
        input: impl AsFd,
        group: u32,
        cell: &Arc<Cell>,
    ) -> io::Result<Arc<Refusals>> {
        self.warden()?.admit(socket, input.as_fd(), group, cell)
    }

    fn warden(&self) -> io::Result<Arc<Warden>> {
        let mut warden = self.warden.lock().unwrap_or_else(PoisonError::into_inner);
        if warden.is_none() {
            *warden = Some(Arc::new(Warden::start()?));
        }
        Ok(Arc::clone(warden.as_ref().expect("it was just started")))
    }
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Pid,
    /// Becomes readable when the process ends, even if a child of it keeps the pipes open. Absent on
    /// kernels before 5.3 and where a sandbox forbids it.
    pidfd: Option<OwnedFd>,
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    errors: Option<OwnedFd>,
    lines: Lines,
    /// The last read may have left something in the pipe.
    has_more: bool,
    tail: Tail,
    transcript: Transcript,
    exit: Option<Exit>,
    /// Absent where there is no launcher.
    origin: Option<Origin>,
    confinement: Option<Confinement>,
}

/// Who started a process, and how what it leaves behind is known.
#[derive(Debug)]
struct Origin {
    launcher: Arc<Launcher>,
    mark: String,
    /// The engine's.
    name: String,
}

/// An engine's sandbox and what it has refused.
#[derive(Debug)]
struct Confinement {
    cell: Arc<Cell>,
    refusals: Arc<Refusals>,
}

impl Process {
    /// Starts an engine in its own process group and on `cpus`, through the launcher if there is one.
    /// Without a launcher it runs where the thread that calls this runs.
    ///
    /// # Errors
    /// What the operating system says; a program that the launcher cannot execute shows as a process
    /// that ends at once and says why on stderr.
    pub(crate) fn spawn(
        start: &Start,
        cpus: Option<&CpuList>,
        launcher: Option<&Arc<Launcher>>,
    ) -> io::Result<Self> {
        let mut command = match launcher {
            Some(launcher) => {
                let plan = Plan {
                    parent: std::process::id(),
                    cpus: cpus.cloned(),
                    program: start.program.clone(),
                    args: start.args.clone(),
                    sandbox: start.sandbox.as_ref().map(|cell| cell.bounds.clone()),
                };
                let mut command = Command::new(&launcher.binary);
                command.arg0("arbiter").args(plan.words());
                command
            }
            None => {
                let mut command = Command::new(&start.program);
                command.args(&start.args);
                command
            }
        };
        if let Some(dir) = &start.dir {
            command.current_dir(dir);
        }
        if start.is_stranger {
            bare(&mut command);
        }
        for (name, value) in &start.env {
            match launcher {
                Some(_) => command.env(launch::veiled(name), value),
                None => command.env(name, value),
            };
        }
        // No `pre_exec`: the standard library then uses `posix_spawn`, which is safe beside other
        // threads and does not copy our page tables.
        command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        match (&start.sandbox, launcher) {
            (None, None) => Self::adopt(command.spawn()?, None),
            (None, Some(launcher)) => {
                let (child, origin) = launcher.start(command, &start.name)?;
                Self::adopt(child, Some(origin))
            }
            (Some(cell), Some(launcher)) => {
                Self::spawn_confined(command, launcher, &start.name, cell)
            }
            (Some(_), None) => Err(io::Error::other("a sandbox needs the launcher")),
        }
    }

    /// The launcher's input is a socket that leads to the warden; over it goes the pipe that will be the
    /// engine's.
    fn spawn_confined(
        mut command: Command,
        launcher: &Arc<Launcher>,
        name: &str,
        cell: &Arc<Cell>,
    ) -> io::Result<Self> {
        let warden = launcher.warden()?;
        let (ours, theirs) = UnixStream::pair()?;
        let (reader, writer) = io::pipe()?;
        command.stdin(OwnedFd::from(theirs));
        let (child, origin) = launcher.start(command, name)?;
        let mut process = Self::adopt(child, Some(origin))?;
        let group = process.child.id();
        let refusals = warden.admit(ours, reader.as_fd(), group, cell)?;
        let input = OwnedFd::from(writer);
        ioctl_fionbio(&input, true)?;
        process.input = Some(input);
        process.confinement = Some(Confinement {
            cell: Arc::clone(cell),
            refusals,
        });
        Ok(process)
    }

    fn adopt(mut child: Child, origin: Option<Origin>) -> io::Result<Self> {
        let pid = i32::try_from(child.id())
            .ok()
            .and_then(Pid::from_raw)
            .expect("a child has a positive pid");
        if let Some(Origin { launcher, .. }) = &origin {
            launcher.guard.watch(child.id());
        }
        let input = child.stdin.take().map(OwnedFd::from);
        let output = child.stdout.take().map(OwnedFd::from);
        let errors = child.stderr.take().map(OwnedFd::from);
        let process = Self {
            child,
            group: pid,
            pidfd: pidfd_open(pid, PidfdFlags::empty()).ok(),
            input,
            output,
            errors,
            lines: Lines::new(),
            has_more: false,
            tail: Tail::default(),
            transcript: Transcript::new(),
            exit: None,
            origin,
            confinement: None,
        };
        // From here on the process is killed if we fail.
        for fd in [&process.input, &process.output, &process.errors]
            .into_iter()
            .flatten()
        {
            ioctl_fionbio(fd, true)?;
        }
        Ok(process)
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Moves all threads of the process to `cpus`.
    ///
    /// # Errors
    /// When the CPUs are not there or not for us.
    pub(crate) fn move_to(&self, cpus: &CpuList) -> io::Result<()> {
        cores::move_to(self.child.id(), cpus)
    }

    /// Writes as much of `bytes` as the pipe takes.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Sent {
        let Some(input) = &self.input else {
            return Sent::Broken;
        };
        let mut sent = 0;
        while sent < bytes.len() {
            match write(input, &bytes[sent..]) {
                Ok(more) => sent += more,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Sent::Partly(sent),
                Err(_) => {
                    self.input = None;
                    return Sent::Broken;
                }
            }
        }
        Sent::All
    }

    /// Says that nothing more will come.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads once from the engine's output.
    pub(crate) fn read_output(&mut self) -> Filled {
        let Some(output) = &self.output else {
            return Filled::End;
        };
        let filled = self.lines.fill(output.as_fd());
        if filled == Filled::End {
            self.output = None;
        }
        self.has_more = filled == Filled::Part;
        filled
    }

    /// Whether there may be output that nobody will call attention to, because there was no room for
    /// it in the last read.
    pub(crate) fn has_more(&self) -> bool {
        self.has_more
    }

    /// The next line of what was read `at`; take them all before the next read.
    pub(crate) fn next_line(&mut self, at: Moment) -> Option<&[u8]> {
        let line = self.lines.next_line()?;
        self.transcript.note(at, Speaker::Engine, line);
        Some(line)
    }

    /// What stands after the last line end, when the output has ended.
    pub(crate) fn last_line(&mut self, at: Moment) -> Option<&[u8]> {
        let line = self.lines.last_line()?;
        self.transcript.note(at, Speaker::Engine, line);
        Some(line)
    }

    /// How many lines were too long since this was asked last.
    pub(crate) fn take_cut(&mut self) -> u64 {
        self.lines.take_cut()
    }

    /// Remembers what was [sent](Self::send): whole lines, or as much of them as the pipe took.
    pub(crate) fn note_sent(&mut self, at: Moment, bytes: &[u8]) {
        let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        self.transcript.note(at, Speaker::Referee, lines);
    }

    /// Does not read the output any more: whoever still holds the other end is not our engine.
    pub(crate) fn close_output(&mut self) {
        self.output = None;
        self.has_more = false;
        self.pidfd = None;
    }

    /// Reads once from the engine's stderr and keeps the end of it.
    pub(crate) fn read_errors(&mut self) {
        let Some(errors) = &self.errors else { return };
        let mut buffer = [0; 16 * 1024];
        match read(errors, &mut buffer[..]) {
            Ok(0) => self.errors = None,
            Ok(bytes) => self.tail.push(&buffer[..bytes]),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.errors = None,
        }
    }

    /// What to wait for, each absent once it is closed: output, stderr, end of the process, and input.
    pub(crate) fn output_fd(&self) -> Option<BorrowedFd<'_>> {
        self.output.as_ref().map(AsFd::as_fd)
    }

    pub(crate) fn errors_fd(&self) -> Option<BorrowedFd<'_>> {
        self.errors.as_ref().map(AsFd::as_fd)
    }

    pub(crate) fn end_fd(&self) -> Option<BorrowedFd<'_>> {
        self.pidfd.as_ref().map(AsFd::as_fd)
    }

    pub(crate) fn input_fd(&self) -> Option<BorrowedFd<'_>> {
        self.input.as_ref().map(AsFd::as_fd)
    }

    /// What its sandbox has kept it from, if it has one.
    pub(crate) fn refusals(&self) -> Vec<Refusal> {
        self.confinement
            .as_ref()
            .map_or_else(Vec::new, |confinement| confinement.refusals.list())
    }

    fn signal_group(&self, signal: Signal) {
        // The leader has not been reaped, so the id cannot belong to strangers.
        debug_assert!(
            self.exit.is_none(),
            "the group is signalled before its leader is reaped"
        );
        let _group_is_empty = kill_process_group(self.group, signal);
    }
}

/// Leaves of our environment what programs cannot do without and what is no secret.
pub(crate) fn bare(command: &mut Command) {
    const KEPT: [&str; 4] = ["PATH", "LANG", "LC_ALL", "TZ"];
    command.env_clear();
    for name in KEPT {
        command.envs(env::var_os(name).map(|value| (name, value)));
    }
}

impl Drop for Process {
    /// Nothing is ever left behind, whatever path led here.
    fn drop(&mut self) {
        self.kill();
    }
}
