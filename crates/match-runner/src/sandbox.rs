//! Bounds an engine to what playing chess takes. Linux only, as engines' processes are here.
//!
//! ```text
//! bounds     what an engine may use, as paths and numbers      made before the contest begins
//! confine    the launcher takes everything else from itself    limits, capabilities, Landlock, seccomp
//! warden     a thread of ours that hears what was tried        seccomp's user notification
//! ```
//!
//! Landlock decides about files, and about signals where it can; seccomp about sockets, process groups
//! and what Landlock leaves out. Neither costs anything in a search: the kernel keeps in a bitmap which
//! system calls are always allowed, and reading, writing, waiting and memory are among them.
//!
//! A refusal is an error like any other to the engine, which may play on. It is told once for each
//! engine and thing. What can be known of a file that was refused is the path that stood in the
//! engine's memory when it asked; an engine that wants to fool us can make the *report* wrong, but not
//! the refusal.

use std::fmt;

mod attributes;
mod bounds;
mod calls;
mod confine;
mod judge;
mod kernel;
mod refusal;
mod warden;

pub use bounds::SandboxError;
pub(crate) use bounds::{Bounds, Reach, Subject};
pub(crate) use confine::confine;
pub(crate) use refusal::{Refusal, Refusals};
pub(crate) use warden::Warden;

/// Linux 6.2. Earlier ones cannot keep an engine from truncating files elsewhere.
const LANDLOCK_MIN: u32 = 3;

/// Linux 6.12. Landlock forbids signals to processes outside; before, seccomp does.
const LANDLOCK_WITH_SIGNALS: u32 = 6;

/// What one engine may use, for the kernel and for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) bounds: Bounds,
    pub(crate) reach: Reach,
}

/// What the kernel offers for a sandbox. Displayed as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// The version of Landlock's interface; nothing where it is not there or not enabled.
    pub landlock: Option<u32>,
    /// Seccomp's user notification.
    pub notification: bool,
}

/// What this kernel offers for a sandbox.
pub fn support() -> Support {
    Support {
        landlock: kernel::landlock_version(),
        notification: kernel::has_notification(),
    }
}

impl Support {
    /// What a sandbox would need and is not there; nothing when `--sandbox` can be had.
    pub fn lacking(&self) -> Option<String> {
        if !self.notification {
            return Some("seccomp's user notification (Linux 5.0)".to_owned());
        }
        match self.landlock {
            Some(LANDLOCK_MIN..) => None,
            Some(version) => Some(format!(
                "version {LANDLOCK_MIN} of Landlock (Linux 6.2); it has version {version}"
            )),
            None => Some("Landlock, or it is not enabled (`lsm=landlock,...`)".to_owned()),
        }
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landlock {
            Some(version @ LANDLOCK_WITH_SIGNALS..) => {
                write!(f, "Landlock {version} (files, signals)")?
            }
            Some(version) => write!(f, "Landlock {version} (files)")?,
            None => write!(f, "no Landlock")?,
        }
        f.write_str(if self.notification {
            ", seccomp with notification"
        } else {
            ", no seccomp notification"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(landlock: Option<u32>, notification: bool, lacking: Option<&str>) {
        let support = Support {
            landlock,
            notification,
        };
        match (support.lacking(), lacking) {
            (None, None) => {}
            (Some(found), Some(part)) => assert!(found.contains(part), "{found}"),
            (found, _) => panic!("{support} lacks {found:?}"),
        }
    }

    #[test]
    fn what_a_kernel_lacks_is_named() {
        check(Some(3), true, None);
        check(Some(7), true, None);
        check(Some(2), true, Some("it has version 2"));
        check(None, true, Some("Landlock"));
        check(Some(7), false, Some("notification"));
    }
}
