//! What a sandbox has kept an engine from.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Something that was tried and refused. Displayed as what the engine was kept from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// To read a file.
    Read(PathBuf),
    /// To write, make, rename or remove a file.
    Write(PathBuf),
    /// To run a program.
    Execute(PathBuf),
    /// To open a socket of this family.
    Socket(i32),
    /// To leave the process group.
    Leave,
    /// To have more processes than this.
    Processes(u32),
    /// To send a signal to a process outside.
    Signal,
    /// To change a file's attributes.
    Attributes,
}

impl Refusal {
    /// What would allow it, where something would; to be put behind the rest.
    pub(crate) fn remedy(&self) -> String {
        match self {
            Self::Read(path) | Self::Execute(path) => {
                format!(" (`sandbox='read={}'` allows it)", path.display())
            }
            Self::Write(path) => format!(" (`sandbox='write={}'` allows it)", path.display()),
            Self::Processes(_) => " (`sandbox='processes=N'` allows more)".to_owned(),
            Self::Socket(_) | Self::Leave | Self::Signal | Self::Attributes => String::new(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path) => write!(f, "reading `{}`", path.display()),
            Self::Write(path) => write!(f, "writing `{}`", path.display()),
            Self::Execute(path) => write!(f, "running `{}`", path.display()),
            Self::Socket(family) => match family_name(*family) {
                Some(name) => write!(f, "opening a socket ({name})"),
                None => write!(f, "opening a socket (family {family})"),
            },
            Self::Leave => f.write_str("leaving its process group"),
            Self::Processes(most) => write!(f, "having more than {most} processes"),
            Self::Signal => f.write_str("sending a signal to a process outside"),
            Self::Attributes => f.write_str("changing owner, mode or times of a file"),
        }
    }
}

fn family_name(family: i32) -> Option<&'static str> {
    Some(match family {
        libc::AF_INET => "IPv4",
        libc::AF_INET6 => "IPv6",
        libc::AF_UNIX => "local",
        libc::AF_NETLINK => "netlink",
        _ => return None,
    })
}

/// How many different refusals of one process are kept: who tries to read a thousand files need not
/// fill our memory.
const REFUSALS_MAX: usize = 16;

/// What one process and its children were kept from, in order, each once.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Mutex<Vec<Refusal>>);

impl Refusals {
    pub(super) fn add(&self, refusal: Refusal) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if list.len() < REFUSALS_MAX && !list.contains(&refusal) {
            list.push(refusal);
        }
    }

    /// All of them until now.
    pub(crate) fn list(&self) -> Vec<Refusal> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.clone()
    }
}
