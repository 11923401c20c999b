//! What is to become of a system call that a sandboxed engine makes.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Cell;
use super::attributes;
use super::calls::{self, Call, Deed, Flags};
use super::kernel::{Answer, Request};
use super::refusal::Refusal;
use crate::census;

/// Judges the calls of one engine's processes.
#[derive(Debug)]
pub(super) struct Judge {
    cell: Arc<Cell>,
    /// The engine's process group.
    group: u32,
}

/// How a file is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Read,
    Write,
    Execute,
}

impl Judge {
    pub(super) const fn new(cell: Arc<Cell>, group: u32) -> Self {
        Self { cell, group }
    }

    /// The answer, and what is refused by it or will be by Landlock.
    pub(super) fn judge(&self, request: &Request) -> (Answer, Option<Refusal>) {
        let Some(call) = calls::find(request.number) else {
            return (Answer::Fail(libc::ENOSYS), None);
        };
        let first = request.args[0] as i32;
        match call.deed {
            Deed::Open(_) | Deed::Execute | Deed::Change => {
                (Answer::Go, self.refused_file(call, request))
            }
            Deed::Attributes if self.cell.bounds.builds => {
                match attributes::change(&self.cell.reach, request) {
                    Ok(()) => (Answer::Done(0), None),
                    Err(libc::EPERM) => (Answer::Fail(libc::EPERM), Some(Refusal::Attributes)),
                    Err(error) => (Answer::Fail(error), None),
                }
            }
            Deed::Attributes => (Answer::Fail(libc::EPERM), Some(Refusal::Attributes)),
            Deed::Socket => (Answer::Fail(libc::EACCES), Some(Refusal::Socket(first))),
            // Build tools like to have each of their programs in a group of its own, and end when they
            // are refused. They are told that it is so.
            Deed::Leave if self.cell.bounds.builds => match request.number {
                libc::SYS_setsid => (Answer::Done(request.thread.into()), None),
                _ => (Answer::Done(0), None),
            },
            Deed::Leave => (Answer::Fail(libc::EPERM), Some(Refusal::Leave)),
            Deed::Fork => {
                let most = self.cell.bounds.processes;
                if census::living_in(self.group) < most as usize {
                    (Answer::Go, None)
                } else {
                    (Answer::Fail(libc::EAGAIN), Some(Refusal::Processes(most)))
                }
            }
            Deed::Signal if self.is_inside(first) => (Answer::Go, None),
            Deed::Signal => (Answer::Fail(libc::EPERM), Some(Refusal::Signal)),
        }
    }

    /// Whether a signal to this process, in the sense of `kill`, stays inside. To one that does not exist
    /// it goes nowhere.
    fn is_inside(&self, target: i32) -> bool {
        match target {
            0 => true,
            1.. => {
                census::entry(target.unsigned_abs()).is_none_or(|(_, group)| group == self.group)
            }
            i32::MIN..0 => target.unsigned_abs() == self.group,
        }
    }

    /// What Landlock will refuse, as far as can be known.
    fn refused_file(&self, call: &Call, request: &Request) -> Option<Refusal> {
        let memory = Memory::of(request.thread)?;
        let (wanted, creates) = match call.deed {
            Deed::Execute => (Use::Execute, false),
            Deed::Open(flags) => {
                let flags = match flags {
                    Flags::Argument(index) => request.args[index] as i32,
                    Flags::Behind(index) => memory.word(request.args[index])? as i32,
                    Flags::Create => libc::O_WRONLY | libc::O_CREAT,
                };
                if flags & libc::O_PATH != 0 {
                    return None;
                }
                let writes =
                    flags & libc::O_ACCMODE != libc::O_RDONLY || flags & libc::O_TRUNC != 0;
                let wanted = if writes { Use::Write } else { Use::Read };
                (wanted, flags & libc::O_CREAT != 0)
            }
            _ => (Use::Write, true),
        };
        let named = memory.path(request.args[call.path])?;
        if named.as_os_str().is_empty() || is_own_process(&named, request.thread) {
            return None;
        }
        let folder = call.folder.map(|index| request.args[index] as i32);
        let path = start_of(request.thread, folder)?.join(named);
        let (real, exists) = match path.canonicalize() {
            Ok(real) => (real, true),
            // A new file lies where its folder really is.
            Err(_) => (
                path.parent()?.canonicalize().ok()?.join(path.file_name()?),
                false,
            ),
        };
        let reach = &self.cell.reach;
        let wanted = if !exists && creates {
            Use::Write
        } else {
            wanted
        };
        match wanted {
            // A file that is not there is not refused.
            _ if !exists && !creates => None,
            Use::Read if !reach.allows_reading(&real) => Some(Refusal::Read(real)),
            Use::Execute if !reach.allows_reading(&real) => Some(Refusal::Execute(real)),
            Use::Write if !reach.allows_writing(&real) => Some(Refusal::Write(real)),
            Use::Read | Use::Execute | Use::Write => None,
        }
    }
}

/// Whether a path leads to what a process may know of itself. It would lead us to ourselves.
pub(super) fn is_own_process(path: &Path, thread: u32) -> bool {
    let own = format!("/proc/{thread}");
    [
        "/proc/self",
        "/proc/thread-self",
        &own,
        "/dev/fd",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
    ]
    .iter()
    .any(|root| path.starts_with(root))
}

/// The folder that a thread's relative path starts from.
pub(super) fn start_of(thread: u32, folder: Option<i32>) -> Option<PathBuf> {
    match folder {
        None | Some(libc::AT_FDCWD) => fs::read_link(format!("/proc/{thread}/cwd")).ok(),
        Some(folder) => fs::read_link(format!("/proc/{thread}/fd/{folder}")).ok(),
    }
}

/// The memory of a thread that waits for an answer.
pub(super) struct Memory(File);

impl Memory {
    /// Nothing where the system does not let us look: then nothing can be said.
    pub(super) fn of(thread: u32) -> Option<Self> {
        File::open(format!("/proc/{thread}/mem")).ok().map(Self)
    }

    pub(super) fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(u64::from_ne_bytes(bytes))
    }

    /// The text up to a zero byte. What lies behind it may be nobody's memory: it is read page by page.
    pub(super) fn path(&self, address: u64) -> Option<PathBuf> {
        const PAGE: u64 = 4096;
        let mut bytes = Vec::new();
        while bytes.len() <= libc::PATH_MAX as usize {
            let at = address.checked_add(bytes.len() as u64)?;
            let mut page = vec![0; (PAGE - at % PAGE) as usize];
            let read = self.0.read_at(&mut page, at).ok()?;
            match page[..read].iter().position(|&byte| byte == 0) {
                Some(end) => {
                    bytes.extend_from_slice(&page[..end]);
                    return Some(OsStr::from_bytes(&bytes).into());
                }
                None if read == 0 => return None,
                None => bytes.extend_from_slice(&page[..read]),
            }
        }
        None
    }
}
