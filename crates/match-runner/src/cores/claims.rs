//! Two arbiters on one machine must not pin their games to the same cores.
//!
//! Who pins to a CPU says so by listening on a socket in the abstract namespace, which has no file,
//! which all users see alike, and which the kernel takes away when its holder ends, however that is.

use std::fs;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use match_core::cpu_list::CpuList;

/// What a socket's name begins with; the number of the CPU follows.
const NAME: &str = "arbiter/cpu/";

/// CPUs that are ours as long as this lives.
#[derive(Debug, Default)]
pub(crate) struct Claims(Vec<UnixListener>);

impl Claims {
    /// Claims all of `cpus`. Where there is no such namespace nobody can be told, and that is no reason
    /// not to play.
    ///
    /// # Errors
    /// With a CPU that another arbiter has.
    pub(super) fn make(cpus: impl Iterator<Item = usize>) -> Result<Self, usize> {
        let mut claims = Self::default();
        for cpu in cpus {
            match address(cpu).and_then(|address| UnixListener::bind_addr(&address)) {
                Ok(listener) => claims.0.push(listener),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(cpu),
                Err(_) => {}
            }
        }
        Ok(claims)
    }
}

/// Those of `cpus` to which another arbiter has pinned games.
///
/// Read off the kernel's table of sockets: whoever knocked would fill the queue of a listener that
/// never answers, and the one after the last would wait for ever.
pub(super) fn taken(cpus: &CpuList) -> CpuList {
    let table = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let claimed = table.lines().filter_map(|line| {
        let (_, name) = line.rsplit_once(" @")?;
        name.strip_prefix(NAME)?.parse().ok()
    });
    claimed.filter(|&cpu| cpus.contains(cpu)).collect()
}

fn address(cpu: usize) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(format!("{NAME}{cpu}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_has_one_holder_until_that_ends() {
        // Numbers that no machine has, so that no contest is in the way.
        let cpus = CpuList::from_iter([100_001, 100_002, 100_003]);
        let claims = Claims::make([100_001, 100_003].into_iter()).expect("nobody has them");
        assert_eq!(taken(&cpus), CpuList::from_iter([100_001, 100_003]));
        let again = Claims::make([100_002, 100_003].into_iter());
        assert_eq!(again.expect_err("one is taken"), 100_003);
        drop(claims);
        assert!(taken(&cpus).is_empty());
    }
}
