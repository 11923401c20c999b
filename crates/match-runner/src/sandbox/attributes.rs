//! Modes and times of files, which recipes change and Landlock has no say about.
//!
//! A linker makes its program executable, `make` and `touch` set times. Letting such a call go on after
//! a look at its path would let another thread put another path there in between. So we make the change
//! ourselves, on a file that we hold.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, Timespec, Timestamps, UTIME_NOW};
use rustix::io::Errno;

use super::bounds::Reach;
use super::judge::{Memory, is_own_process, start_of};
use super::kernel::Request;

/// No program gets its owner's rights: those would be the rights of whoever runs us.
const MODES: u32 = 0o777;

/// The flags of a call.
const NOT_FOLLOWED: u64 = libc::AT_SYMLINK_NOFOLLOW as u64;

/// What is to be changed.
enum Change {
    Mode(u32),
    Times(Timestamps),
}

/// The file of which it is to be changed.
enum Target {
    /// A descriptor of the caller.
    Open(i32),
    /// A path, from that folder; links at its end are followed or not.
    Named(Option<i32>, u64, bool),
}

/// Makes the change that `request` asks for, if it may write the file.
///
/// # Errors
/// The error number that the caller is to see; `EPERM` for what it may not write.
pub(super) fn change(reach: &Reach, request: &Request) -> Result<(), i32> {
    let memory = Memory::of(request.thread).ok_or(libc::EPERM)?;
    let (target, change) = understand(request, &memory).ok_or(libc::EPERM)?;
    let (path, followed) = match target {
        Target::Open(descriptor) => (own(request.thread, descriptor), true),
        Target::Named(folder, address, followed) => {
            let named = memory.path(address).ok_or(libc::EFAULT)?;
            let is_empty = named.as_os_str().is_empty();
            match folder {
                Some(folder) if is_empty => (own(request.thread, folder), true),
                _ if is_own_process(&named, request.thread) => return Err(libc::EPERM),
                _ => {
                    let start = start_of(request.thread, folder).ok_or(libc::EBADF)?;
                    (start.join(named), followed)
                }
            }
        }
    };
    let how = match followed {
        true => OFlags::PATH | OFlags::CLOEXEC,
        false => OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW,
    };
    let number = |errno: Errno| errno.raw_os_error();
    let file = rustix::fs::open(&path, how, Mode::empty()).map_err(number)?;
    let held = Path::new("/proc/self/fd").join(std::os::fd::AsRawFd::as_raw_fd(&file).to_string());
    let real = fs::read_link(&held).map_err(|_| libc::EPERM)?;
    if !reach.allows_writing(&real) {
        return Err(libc::EPERM);
    }
    match change {
        Change::Mode(mode) => rustix::fs::chmod(&held, Mode::from_raw_mode(mode & MODES)),
        Change::Times(times) => rustix::fs::utimensat(CWD, &held, &times, AtFlags::empty()),
    }
    .map_err(number)
}

fn own(thread: u32, descriptor: i32) -> PathBuf {
    format!("/proc/{thread}/fd/{descriptor}").into()
}

/// What a call is about; nothing for those that no recipe needs, such as `chown`.
fn understand(request: &Request, memory: &Memory) -> Option<(Target, Change)> {
    let args = request.args;
    let folder = Some(args[0] as i32);
    #[cfg(target_arch = "x86_64")]
    if request.number == libc::SYS_chmod {
        let mode = Change::Mode(args[1] as u32);
        return Some((Target::Named(None, args[0], true), mode));
    }
    match request.number {
        libc::SYS_fchmod => Some((Target::Open(args[0] as i32), Change::Mode(args[1] as u32))),
        libc::SYS_fchmodat => {
            let mode = Change::Mode(args[2] as u32);
            Some((Target::Named(folder, args[1], true), mode))
        }
        super::calls::SYS_FCHMODAT2 => {
            let mode = Change::Mode(args[2] as u32);
            let followed = args[3] & NOT_FOLLOWED == 0;
            Some((Target::Named(folder, args[1], followed), mode))
        }
        libc::SYS_utimensat => {
            let times = Change::Times(times(memory, args[2])?);
            let target = match args[1] {
                0 => Target::Open(args[0] as i32),
                path => Target::Named(folder, path, args[3] & NOT_FOLLOWED == 0),
            };
            Some((target, times))
        }
        _ => None,
    }
}

/// Two times, of the last access and of the last modification; now if there are none.
fn times(memory: &Memory, address: u64) -> Option<Timestamps> {
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    if address == 0 {
        return Some(Timestamps {
            last_access: now,
            last_modification: now,
        });
    }
    let time = |index: u64| {
        let at = address.checked_add(16 * index)?;
        Some(Timespec {
            tv_sec: memory.word(at)? as i64,
            tv_nsec: memory.word(at.checked_add(8)?)? as i64,
        })
    };
    Some(Timestamps {
        last_access: time(0)?,
        last_modification: time(1)?,
    })
}
