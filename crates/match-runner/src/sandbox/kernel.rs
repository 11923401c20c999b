//! The calls to the kernel that no crate makes for us: its version of Landlock, and seccomp's user
//! notification.
//!
//! This is the one file of the sandbox with unsafe code. The crate `landlock` does not tell the version,
//! `seccompiler` knows no notification, and `libseccomp` wants a C library. Without notification an
//! engine would be refused things in silence, and the contest could not say so.

#![expect(unsafe_code, reason = "system calls that rustix does not have")]

use std::ptr;

use libc::c_int;

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
