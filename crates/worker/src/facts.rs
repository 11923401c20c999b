//! What this machine is and can.

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use fleet_api::HostFacts;
use rustix::fs::{Access, access};

/// Tools that recipes ask for; a worker says which of them it has.
const TOOLS: [&str; 24] = [
    "cargo", "cc", "clang", "clang++", "cmake", "dotnet", "g++", "gcc", "ghc", "git", "go", "java",
    "javac", "ldc2", "make", "meson", "nim", "ninja", "python3", "rustc", "swift", "tsc", "zig",
    "node",
];

/// The platform in the words of the fleet, such as `x86_64-linux`.
pub(crate) fn platform() -> String {
    format!("{}-{}", env::consts::ARCH, env::consts::OS)
}

/// Everything that a coordinator needs to know of this machine, which lends `cores` of its CPUs.
pub(crate) fn of_this_machine(name: Option<&str>, cores: NonZeroUsize) -> HostFacts {
    let path = env::var_os("PATH").unwrap_or_default();
    let has = |tool: &&&str| {
        env::split_paths(&path).any(|folder| access(folder.join(tool), Access::EXEC_OK).is_ok())
    };
    let system = rustix::system::uname();
    HostFacts {
        name: name.map_or_else(
            || system.nodename().to_string_lossy().into_owned(),
            str::to_owned,
        ),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        platform: platform(),
        cores: u32::try_from(cores.get()).unwrap_or(u32::MAX),
        memory_mib: memory_mib(Path::new("/")),
        toolchains: TOOLS
            .iter()
            .filter(has)
            .map(|&tool| tool.to_owned())
            .collect(),
        tablebases: 0,
    }
}

/// Seven eighths of the memory, or of what the control group allows; the rest is for the system and
/// for us. `root` is `/`.
fn memory_mib(root: &Path) -> u64 {
    let number = |file: &str, skip: usize| -> Option<u64> {
        let text = fs::read_to_string(root.join(file)).ok()?;
        text.split_whitespace().nth(skip)?.parse().ok()
    };
    // `MemTotal:  8000000 kB` is the first line.
    let total = number("proc/meminfo", 1).map_or(1024, |kib| kib / 1024);
    // The same file holds `max` where there is no limit, which is no number.
    let limits = [
        "sys/fs/cgroup/memory.max",
        "sys/fs/cgroup/memory/memory.limit_in_bytes",
    ];
    let limit = limits.iter().filter_map(|file| number(file, 0)).min();
    let usable = limit.map_or(total, |bytes| total.min(bytes >> 20));
    usable / 8 * 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_that_of_the_machine_or_of_its_group() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write(
            "proc/meminfo",
            "MemTotal:        8388608 kB\nMemFree: 1 kB\n",
        );
        assert_eq!(memory_mib(root.path()), 7168);
        write("sys/fs/cgroup/memory.max", "max\n");
        assert_eq!(memory_mib(root.path()), 7168);
        write("sys/fs/cgroup/memory.max", "2147483648\n");
        assert_eq!(memory_mib(root.path()), 1792);
    }
}
