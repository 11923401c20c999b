//! The system calls that a sandboxed engine does not simply make, and the filter that picks them out.

use libc::{c_long, sock_filter};

/// What a system call would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Open a file: how, the flags tell.
    Open(Flags),
    /// Run a program.
    Execute,
    /// Make, remove, rename or cut the file at a path.
    Change,
    /// Change owner, mode, times or attributes of a file, about which Landlock has no say.
    Attributes,
    /// Open a socket; its family is the first argument.
    Socket,
    /// Leave the process group, by which the engine is ended.
    Leave,
    /// Start a process.
    Fork,
    /// Send a signal; the process is the first argument.
    Signal,
}

/// Where the flags of an `open` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flags {
    /// In this argument.
    Argument(usize),
    /// In the first eight bytes of what this argument points to.
    Behind(usize),
    /// It is `creat`.
    Create,
}

/// A system call that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    number: c_long,
    pub(super) deed: Deed,
    /// Which argument is the folder that a relative path starts from, unless it is the current one.
    pub(super) folder: Option<usize>,
    /// Which argument points to the path, where there is one.
    pub(super) path: usize,
}

const fn at(number: c_long, deed: Deed, folder: usize) -> Call {
    Call {
        number,
        deed,
        folder: Some(folder),
        path: folder + 1,
    }
}

const fn plain(number: c_long, deed: Deed, path: usize) -> Call {
    Call {
        number,
        deed,
        folder: None,
        path,
    }
}

/// Those of all processors.
const CALLS: &[Call] = &[
    at(libc::SYS_openat, Deed::Open(Flags::Argument(2)), 0),
    at(libc::SYS_openat2, Deed::Open(Flags::Behind(2)), 0),
    plain(libc::SYS_execve, Deed::Execute, 0),
    at(libc::SYS_execveat, Deed::Execute, 0),
    at(libc::SYS_unlinkat, Deed::Change, 0),
    at(libc::SYS_mkdirat, Deed::Change, 0),
    at(libc::SYS_mknodat, Deed::Change, 0),
    at(libc::SYS_symlinkat, Deed::Change, 1),
    at(libc::SYS_linkat, Deed::Change, 2),
    at(libc::SYS_renameat2, Deed::Change, 0),
    plain(libc::SYS_truncate, Deed::Change, 0),
    plain(libc::SYS_fchmod, Deed::Attributes, 0),
    plain(libc::SYS_fchmodat, Deed::Attributes, 0),
    plain(libc::SYS_fchown, Deed::Attributes, 0),
    plain(libc::SYS_fchownat, Deed::Attributes, 0),
    plain(libc::SYS_utimensat, Deed::Attributes, 0),
    plain(libc::SYS_setxattr, Deed::Attributes, 0),
    plain(libc::SYS_lsetxattr, Deed::Attributes, 0),
    plain(libc::SYS_fsetxattr, Deed::Attributes, 0),
    plain(libc::SYS_removexattr, Deed::Attributes, 0),
    plain(libc::SYS_lremovexattr, Deed::Attributes, 0),
    plain(libc::SYS_fremovexattr, Deed::Attributes, 0),
    plain(libc::SYS_socket, Deed::Socket, 0),
    plain(libc::SYS_setsid, Deed::Leave, 0),
    plain(libc::SYS_setpgid, Deed::Leave, 0),
    plain(libc::SYS_kill, Deed::Signal, 0),
];

/// Those of older processors, for which the C library still uses them.
#[cfg(target_arch = "x86_64")]
const OLD_CALLS: &[Call] = &[
    plain(libc::SYS_open, Deed::Open(Flags::Argument(1)), 0),
    plain(libc::SYS_creat, Deed::Open(Flags::Create), 0),
    plain(libc::SYS_unlink, Deed::Change, 0),
    plain(libc::SYS_rmdir, Deed::Change, 0),
    plain(libc::SYS_mkdir, Deed::Change, 0),
    plain(libc::SYS_mknod, Deed::Change, 0),
    plain(libc::SYS_symlink, Deed::Change, 1),
    plain(libc::SYS_link, Deed::Change, 1),
    plain(libc::SYS_rename, Deed::Change, 0),
    at(libc::SYS_renameat, Deed::Change, 0),
    plain(libc::SYS_chmod, Deed::Attributes, 0),
    plain(libc::SYS_chown, Deed::Attributes, 0),
    plain(libc::SYS_lchown, Deed::Attributes, 0),
    plain(libc::SYS_utime, Deed::Attributes, 0),
    plain(libc::SYS_utimes, Deed::Attributes, 0),
    plain(libc::SYS_futimesat, Deed::Attributes, 0),
    plain(libc::SYS_fork, Deed::Fork, 0),
    plain(libc::SYS_vfork, Deed::Fork, 0),
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_CALLS: &[Call] = &[];

/// Signals to threads. Landlock bounds them where it can, and then nobody need be asked: some runtimes
/// send one to each of their threads a hundred times a second.
const THREAD_SIGNALS: &[Call] = &[
    plain(libc::SYS_tkill, Deed::Signal, 0),
    plain(libc::SYS_tgkill, Deed::Signal, 0),
    plain(libc::SYS_rt_sigqueueinfo, Deed::Signal, 0),
    plain(libc::SYS_rt_tgsigqueueinfo, Deed::Signal, 0),
];

/// `fchmodat2`, which libc's crate does not name everywhere.
pub(super) const SYS_FCHMODAT2: c_long = 452;

const FCHMODAT2: Call = plain(SYS_FCHMODAT2, Deed::Attributes, 0);

/// Ways around everything else here: calls that are made through a ring in memory. And `clone3`, whose
/// flags are where a filter cannot see them; the C library then takes `clone`.
const NOT_THERE: [c_long; 2] = [libc::SYS_io_uring_setup, libc::SYS_clone3];

/// Signals by descriptors, where Landlock does not bound them.
const PIDFD_SIGNAL: c_long = libc::SYS_pidfd_send_signal;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
#[cfg(target_arch = "riscv64")]
const ARCHITECTURE: u32 = 0xC000_00F3;

/// What is asked about a system call.
pub(super) fn find(number: i64) -> Option<&'static Call> {
    let all = [CALLS, OLD_CALLS, THREAD_SIGNALS].into_iter().flatten();
    // `clone` is asked about only where it makes a process.
    static CLONE: Call = plain(libc::SYS_clone, Deed::Fork, 0);
    static MODE: Call = FCHMODAT2;
    all.chain([&CLONE, &MODE])
        .find(|call| call.number == number)
}

/// The filter. `signals_bounded` says that Landlock bounds signals.
pub(super) fn filter(signals_bounded: bool) -> Vec<sock_filter> {
    let mut filter = vec![
        load(ARCHITECTURE_OFFSET),
        jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0),
        decide(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER_OFFSET),
    ];
    if cfg!(target_arch = "x86_64") {
        // The same calls once more under other numbers, for programs with short pointers.
        filter.extend([
            jump(libc::BPF_JGE, X32_BIT, 0, 1),
            decide(fail(libc::ENOSYS)),
        ]);
    }
    let asked = CALLS.iter().chain(OLD_CALLS).chain([&FCHMODAT2]);
    let signals = if signals_bounded { &[] } else { THREAD_SIGNALS };
    for call in asked.chain(signals) {
        filter.extend(on(call.number, libc::SECCOMP_RET_USER_NOTIF));
    }
    for number in NOT_THERE {
        filter.extend(on(number, fail(libc::ENOSYS)));
    }
    if !signals_bounded {
        filter.extend(on(PIDFD_SIGNAL, fail(libc::EPERM)));
    }
    filter.extend([
        jump(libc::BPF_JEQ, word(libc::SYS_clone), 0, 3),
        load(FIRST_ARGUMENT_OFFSET),
        jump(libc::BPF_JSET, libc::CLONE_THREAD as u32, 1, 0),
        decide(libc::SECCOMP_RET_USER_NOTIF),
        decide(libc::SECCOMP_RET_ALLOW),
    ]);
    filter
}

/// Offsets in what the filter is shown. The lower half of an argument comes first.
const NUMBER_OFFSET: u32 = 0;
const ARCHITECTURE_OFFSET: u32 = 4;
const FIRST_ARGUMENT_OFFSET: u32 = 16;

const X32_BIT: u32 = 0x4000_0000;

fn on(number: c_long, action: u32) -> [sock_filter; 2] {
    [jump(libc::BPF_JEQ, word(number), 0, 1), decide(action)]
}

fn fail(error: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | word(error.into())
}

fn word(number: c_long) -> u32 {
    u32::try_from(number).expect("numbers of system calls and errors are small")
}

fn load(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0)
}

fn jump(condition: u32, operand: u32, if_so: u8, otherwise: u8) -> sock_filter {
    instruction(
        libc::BPF_JMP | condition | libc::BPF_K,
        operand,
        if_so,
        otherwise,
    )
}

fn decide(action: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, action, 0, 0)
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    let code = u16::try_from(code).expect("a code has 16 bits");
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says to a call, run here as the kernel runs it.
    fn run(filter: &[sock_filter], architecture: u32, number: c_long, first: u32) -> u32 {
        let mut accumulator = 0;
        let mut at = 0;
        loop {
            let step = filter[at];
            let code = u32::from(step.code);
            at += 1;
            if code == libc::BPF_RET {
                return step.k;
            }
            if code & 7 == libc::BPF_LD {
                accumulator = match step.k {
                    NUMBER_OFFSET => number as u32,
                    ARCHITECTURE_OFFSET => architecture,
                    _ => first,
                };
                continue;
            }
            let holds = match code & 0xF0 {
                libc::BPF_JEQ => accumulator == step.k,
                libc::BPF_JGE => accumulator >= step.k,
                _ => accumulator & step.k != 0,
            };
            at += usize::from(if holds { step.jt } else { step.jf });
        }
    }

    #[test]
    fn what_a_search_does_is_allowed_without_asking() {
        let filter = filter(true);
        for number in [
            libc::SYS_read,
            libc::SYS_write,
            libc::SYS_futex,
            libc::SYS_mmap,
            libc::SYS_tgkill,
        ] {
            assert_eq!(
                run(&filter, ARCHITECTURE, number, 0),
                libc::SECCOMP_RET_ALLOW
            );
        }
        let thread = libc::CLONE_THREAD as u32;
        assert_eq!(
            run(&filter, ARCHITECTURE, libc::SYS_clone, thread),
            libc::SECCOMP_RET_ALLOW
        );
    }

    #[test]
    fn what_leads_outside_is_asked_about_or_not_there() {
        let bounded = filter(true);
        for number in [
            libc::SYS_openat,
            libc::SYS_socket,
            libc::SYS_setsid,
            libc::SYS_clone,
            libc::SYS_kill,
        ] {
            assert_eq!(
                run(&bounded, ARCHITECTURE, number, 0),
                libc::SECCOMP_RET_USER_NOTIF
            );
            assert!(find(number).is_some());
        }
        let not_there = fail(libc::ENOSYS);
        assert_eq!(run(&bounded, ARCHITECTURE, libc::SYS_clone3, 0), not_there);
        let unbounded = filter(false);
        assert_eq!(
            run(&unbounded, ARCHITECTURE, libc::SYS_tgkill, 0),
            libc::SECCOMP_RET_USER_NOTIF
        );
        assert_eq!(
            run(&bounded, 0x4000_0003, libc::SYS_read, 0),
            libc::SECCOMP_RET_KILL_PROCESS
        );
        if cfg!(target_arch = "x86_64") {
            let short = libc::SYS_socket | c_long::from(X32_BIT);
            assert_eq!(run(&bounded, ARCHITECTURE, short, 0), not_there);
        }
    }

    #[test]
    fn no_call_is_listed_twice() {
        let mut numbers: Vec<_> = [CALLS, OLD_CALLS, THREAD_SIGNALS]
            .into_iter()
            .flatten()
            .map(|call| call.number)
            .collect();
        numbers.sort_unstable();
        let len = numbers.len();
        numbers.dedup();
        assert_eq!(numbers.len(), len);
    }
}
