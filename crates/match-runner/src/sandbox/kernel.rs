//! The calls to the kernel that no crate makes for us: its version of Landlock, and seccomp's user
//! notification.
//!
//! This is the one file of the sandbox with unsafe code. The crate `landlock` does not tell the version,
//! `seccompiler` knows no notification, and `libseccomp` wants a C library. Without notification an
//! engine would be refused things in silence, and the contest could not say so.

#![expect(unsafe_code, reason = "system calls that rustix does not have")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

use libc::{c_int, c_long, seccomp_notif, seccomp_notif_resp, sock_filter, sock_fprog};

/// The version of Landlock's interface; nothing where there is none.
pub(super) fn landlock_version() -> Option<u32> {
    const VERSION: c_int = 1;
    // SAFETY: with this flag and no attributes the call reads no memory and makes nothing.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            ptr::null::<()>(),
            0_usize,
            VERSION,
        )
    };
    u32::try_from(version).ok().filter(|&version| 0 < version)
}

/// Whether seccomp can ask another process what to do about a system call.
pub(super) fn has_notification() -> bool {
    let action = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the kernel reads four bytes from a variable that outlives the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_GET_ACTION_AVAIL,
            0,
            &raw const action,
        )
    };
    answer == 0
}

/// Filters all system calls of this thread and of whatever it becomes, for ever. Comes back with the
/// descriptor on which those arrive that the filter does not decide itself.
///
/// # Errors
/// When this process has not given up new privileges before, or somebody around us listens already.
pub(super) fn install(filter: &[sock_filter]) -> io::Result<OwnedFd> {
    let program = sock_fprog {
        len: u16::try_from(filter.len()).map_err(io::Error::other)?,
        filter: filter.as_ptr().cast_mut(),
    };
    // Once its request has been heard, only a deadly signal takes the engine away from it.
    let flags =
        libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    // SAFETY: the kernel copies `len` instructions from a slice that outlives the call.
    let listener = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            &raw const program,
        )
    };
    let listener = RawFd::try_from(check(listener)?).map_err(io::Error::other)?;
    // SAFETY: a descriptor that the kernel made for this call is nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(listener) })
}

/// A system call that waits for an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    id: u64,
    /// Of the thread that made it.
    pub(super) thread: u32,
    /// Its number.
    pub(super) number: i64,
    pub(super) args: [u64; 6],
}

/// Takes the next request. To be called when the listener is readable; nothing when the request has
/// been withdrawn, because the thread was killed.
pub(super) fn receive(listener: BorrowedFd<'_>) -> Option<Request> {
    // SAFETY: integers, of which all zeroes are a value; the kernel wants them zero.
    let mut notice: seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel fills in a structure of the size that is part of the request's number.
    let answer = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_RECV,
            &raw mut notice,
        )
    };
    (answer == 0).then(|| Request {
        id: notice.id,
        thread: notice.pid,
        number: notice.data.nr.into(),
        args: notice.data.args,
    })
}

/// What is to become of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It goes on as if nobody had asked; other bounds hold.
    Go,
    /// It fails with this error.
    Fail(c_int),
    /// It is not made, and the caller is told that it was, with this result.
    Done(i64),
}

/// Answers a request. Whether it was still there does not matter to anybody.
pub(super) fn answer(listener: BorrowedFd<'_>, request: &Request, answer: Answer) {
    let mut response = seccomp_notif_resp {
        id: request.id,
        val: 0,
        error: 0,
        flags: 0,
    };
    match answer {
        Answer::Go => response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        Answer::Fail(error) => response.error = -error,
        Answer::Done(result) => response.val = result,
    }
    // SAFETY: the kernel reads a structure of the size that is part of the request's number.
    let _it_was_withdrawn = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SEND,
            &raw mut response,
        )
    };
}

/// Whether a request still waits, and thus the number of its thread is still its own.
pub(super) fn is_waiting(listener: BorrowedFd<'_>, request: &Request) -> bool {
    let id = request.id;
    // SAFETY: the kernel reads eight bytes from a variable that outlives the call.
    let answer = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_ID_VALID,
            &raw const id,
        )
    };
    answer == 0
}

fn check(answer: c_long) -> io::Result<c_long> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}
