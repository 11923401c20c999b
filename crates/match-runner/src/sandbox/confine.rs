//! What the launcher takes from itself before it becomes the engine.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

use super::bounds::{Bounds, DEVICES, MACHINE, SYSTEM};
use super::{LANDLOCK_WITH_SIGNALS, calls, kernel};

/// Confines this process and whatever it becomes. `socket` leads to the warden: over it comes what will
/// be our input, and it takes the descriptor on which our requests arrive.
///
/// # Errors
/// With what was being done. Half confined we are of no use, and end.
pub(crate) fn confine(
    bounds: &Bounds,
    socket: BorrowedFd<'_>,
) -> Result<OwnedFd, (&'static str, io::Error)> {
    let input = take_descriptor(socket).map_err(|error| ("take over its input", error))?;
    limit(bounds).map_err(|error| ("limit memory and files", error))?;
    drop_capabilities().map_err(|error| ("drop capabilities", error))?;
    let signals_bounded = kernel::landlock_version() >= Some(LANDLOCK_WITH_SIGNALS);
    restrict(bounds, signals_bounded)
        .map_err(|error| ("bound files with Landlock", io::Error::other(error)))?;
    let listener = kernel::install(&calls::filter(signals_bounded))
        .map_err(|error| ("filter system calls with seccomp", error))?;
    give_descriptor(socket, listener.as_fd()).map_err(|error| ("call the warden", error))?;
    Ok(input)
}

/// Only ever lowers limits.
fn limit(bounds: &Bounds) -> io::Result<()> {
    // `Data` and not `As`: a mapped network or tablebase is not memory of one's own, and several
    // runtimes reserve addresses that they never use.
    let limits = [
        (Resource::Data, bounds.memory),
        (Resource::Nofile, bounds.files.into()),
        (Resource::Core, 0),
    ];
    for (resource, limit) in limits {
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX).min(limit);
        let limits = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limits)?;
    }
    Ok(())
}

/// Root's engine is to have no more rights than anybody's, but for files that belong to somebody else:
/// which files those are, Landlock says.
fn drop_capabilities() -> io::Result<()> {
    let kept = capabilities(None)?.permitted & CapabilitySet::DAC_OVERRIDE;
    set_capabilities(
        None,
        CapabilitySets {
            effective: kept,
            permitted: kept,
            inheritable: CapabilitySet::empty(),
        },
    )?;
    // From here on no program brings rights with it either.
    Ok(rustix::thread::set_no_new_privs(true)?)
}

fn restrict(bounds: &Bounds, signals_bounded: bool) -> Result<(), RulesetError> {
    // What kernels since then can bound as well is bounded where it is there.
    let (least, most) = (ABI::V3, ABI::V6);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let run = read | AccessFs::Execute;
    let write = AccessFs::from_all(least);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(least))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(most))?;
    if signals_bounded {
        ruleset = ruleset
            .set_compatibility(CompatLevel::HardRequirement)
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?;
    }
    let mut ruleset = ruleset.create()?;
    for (paths, access) in [(&SYSTEM[..], run), (&MACHINE, read), (&DEVICES, write)] {
        for path in paths {
            ruleset = allow(ruleset, Path::new(path), access)?;
        }
    }
    for (paths, access) in [(&bounds.read, run), (&bounds.write, write)] {
        for path in paths {
            ruleset = allow(ruleset, path, access)?;
        }
    }
    ruleset.restrict_self()?;
    Ok(())
}

/// What is not there on this machine needs no rule.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(root) = PathFd::new(path) else {
        return Ok(ruleset);
    };
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(ABI::V3)
    };
    ruleset.add_rule(PathBeneath::new(root, access))
}

/// Room for the one descriptor that a message bears.
const ONE: usize = rustix::cmsg_space!(ScmRights(1));

/// Sends a descriptor.
pub(super) fn give_descriptor(socket: BorrowedFd<'_>, given: BorrowedFd<'_>) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); ONE];
    let mut buffer = SendAncillaryBuffer::new(&mut space);
    let given = [given];
    let fits = buffer.push(SendAncillaryMessage::ScmRights(&given));
    debug_assert!(fits, "there is room for one");
    sendmsg(
        socket,
        &[IoSlice::new(b"*")],
        &mut buffer,
        SendFlags::NOSIGNAL,
    )?;
    Ok(())
}

/// Receives a descriptor. It is closed at `exec`.
pub(super) fn take_descriptor(socket: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let mut space = [MaybeUninit::uninit(); ONE];
    let mut buffer = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut byte)],
        &mut buffer,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    for message in buffer.drain() {
        if let RecvAncillaryMessage::ScmRights(mut descriptors) = message
            && let Some(descriptor) = descriptors.next()
        {
            return Ok(descriptor);
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}
