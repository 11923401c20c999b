//! What one sandboxed engine may use.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use match_core::spec::Sandbox;
use thiserror::Error;

/// Programs and libraries of the system: an engine may be a script, and a program is little without its
/// libraries. Whatever runs from there runs in the same sandbox.
pub(super) const SYSTEM: [&str; 12] = [
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/lib",
    "/usr/share",
];

/// What loaders, memory allocators and schedulers of engines read about the machine and themselves.
pub(super) const MACHINE: [&str; 16] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/self",
    "/proc/loadavg",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/version",
    "/sys/devices/system",
    "/sys/kernel/mm",
];

/// Read and written by everybody.
pub(super) const DEVICES: [&str; 5] = [
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Beside what is the system's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Bytes of a process.
    pub(crate) memory: u64,
    /// Open files of a process.
    pub(crate) files: u32,
    /// Processes in all.
    pub(crate) processes: u32,
    /// Absolute paths that exist; read and executed with all below them.
    pub(crate) read: Vec<PathBuf>,
    /// Absolute paths that exist; read and written with all below them.
    pub(crate) write: Vec<PathBuf>,
    /// It is not an engine but builds one: it may change modes and times of files that it may write,
    /// and what wants a process group of its own is told that it has one.
    pub(crate) builds: bool,
}

/// Why an engine's sandbox cannot be had.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The kernel has no such thing.
    #[error("a sandbox is asked for, and the kernel lacks {0}")]
    Unsupported(
        /// What is missing, and since when there is such a thing.
        String,
    ),
    /// A path that is to be allowed cannot be used.
    #[error("`{key}={}` of the sandbox cannot be used", path.display())]
    Path {
        /// `read` or `write`.
        key: &'static str,
        /// As the user wrote it.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What of an engine decides its bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// An absolute path.
    pub(crate) program: &'a Path,
    /// Its working folder, if it has one of its own.
    pub(crate) dir: Option<&'a Path>,
    /// Our working folder.
    pub(crate) here: &'a Path,
    /// It is our own binary, and has no use for its folder.
    pub(crate) is_ours: bool,
    pub(crate) options: &'a [(String, String)],
}

impl Bounds {
    /// The bounds of an engine: its program's folder, the working folder that was given to it, the files
    /// and folders that its options name, and what the sandbox's settings allow; of a stranger only the
    /// program and the latter. Relative paths start where the engine does.
    ///
    /// # Errors
    /// When a path that is to be allowed is not there.
    pub(crate) fn new(sandbox: &Sandbox, subject: Subject<'_>) -> Result<Self, SandboxError> {
        let start = subject.dir.unwrap_or(subject.here);
        let mut read = vec![subject.program.to_owned()];
        // The real program: a link to it would otherwise lead out of the sandbox.
        if let Ok(program) = subject.program.canonicalize() {
            let folder = program
                .parent()
                .filter(|folder| !subject.is_ours && !sandbox.stranger && is_own(folder));
            read.extend(folder.map(Path::to_owned));
            read.push(program);
        }
        let mut write = Vec::new();
        if !sandbox.stranger {
            for (_, value) in subject.options {
                read.extend(paths_in(value, start));
            }
            write.extend(subject.dir.map(Path::to_owned));
        }
        for (key, given, allowed) in [
            ("read", &sandbox.read, &mut read),
            ("write", &sandbox.write, &mut write),
        ] {
            for path in given {
                let real = subject.here.join(path).canonicalize();
                allowed.push(real.map_err(|source| SandboxError::Path {
                    key,
                    path: path.clone(),
                    source,
                })?);
            }
        }
        Ok(Self {
            memory: sandbox.memory.get(),
            files: sandbox.files.get(),
            processes: sandbox.processes.get(),
            read,
            write,
            builds: false,
        })
    }

    /// The words that stand for these bounds on the launcher's command line.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let numbers = [
            ("--memory", self.memory),
            ("--files", self.files.into()),
            ("--processes", self.processes.into()),
            ("--builds", self.builds.into()),
        ];
        for (flag, number) in numbers {
            words.extend([flag.into(), number.to_string().into()]);
        }
        for (flag, paths) in [("--read", &self.read), ("--write", &self.write)] {
            for path in paths {
                words.extend([flag.into(), path.into()]);
            }
        }
        words
    }

    /// Takes in one flag of those words; says whether it is one.
    pub(crate) fn take(&mut self, flag: &str, value: &OsString) -> Option<()> {
        let number = || value.to_str()?.parse::<u64>().ok();
        match flag {
            "--memory" => self.memory = number()?,
            "--files" => self.files = number()?.try_into().ok()?,
            "--processes" => self.processes = number()?.try_into().ok()?,
            "--builds" => self.builds = number()? != 0,
            "--read" => self.read.push(value.into()),
            "--write" => self.write.push(value.into()),
            _ => return None,
        }
        Some(())
    }

    /// Where [`take`](Self::take) begins.
    pub(crate) const fn nothing() -> Self {
        Self {
            memory: 0,
            files: 0,
            processes: 0,
            read: Vec::new(),
            write: Vec::new(),
            builds: false,
        }
    }
}

/// Where an engine's reading and writing may lead, as real paths: what the kernel is told by bounds, for
/// telling what it will refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    readable: Vec<PathBuf>,
    writable: Vec<PathBuf>,
}

impl Reach {
    pub(crate) fn of(bounds: &Bounds) -> Self {
        /// What is a link on this machine (`/bin`, `/etc/localtime`) is allowed where it leads.
        fn real(path: &Path) -> PathBuf {
            path.canonicalize().unwrap_or_else(|_| path.to_owned())
        }
        let devices = DEVICES.iter().map(Path::new);
        let writable: Vec<_> = (bounds.write.iter().map(|path| real(path)))
            .chain(devices.map(real))
            .collect();
        // Of `/proc/self` others see something else than the engine does.
        let system = (SYSTEM.iter().chain(&MACHINE).map(Path::new))
            .filter(|path| !path.starts_with("/proc/self"));
        let readable = (bounds.read.iter().map(|path| real(path)))
            .chain(system.map(real))
            .chain(writable.iter().cloned())
            .collect();
        Self { readable, writable }
    }

    /// Whether the engine may read or execute the file at this real path.
    pub(super) fn allows_reading(&self, path: &Path) -> bool {
        self.readable.iter().any(|root| path.starts_with(root))
    }

    /// Whether the engine may write, make or remove the file at this real path.
    pub(super) fn allows_writing(&self, path: &Path) -> bool {
        self.writable.iter().any(|root| path.starts_with(root))
    }
}

/// Whether a folder can be a program's own: nobody's engine has the root for its own.
fn is_own(folder: &Path) -> bool {
    folder.parent().is_some()
}

/// The files and folders that an option's value names: a network, a book, folders of tablebases.
fn paths_in(value: &str, start: &Path) -> Vec<PathBuf> {
    let looks_like_path = |text: &&str| !text.is_empty() && text.parse::<f64>().is_err();
    value
        .split([':', ';'])
        .map(str::trim)
        .filter(looks_like_path)
        .filter_map(|text| start.join(text).canonicalize().ok())
        .filter(|path| is_own(path))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::{NonZeroU32, NonZeroU64};

    use super::*;

    fn sandbox(read: &[&Path]) -> Sandbox {
        Sandbox {
            memory: NonZeroU64::new(1 << 30).expect("not 0"),
            files: NonZeroU32::new(64).expect("not 0"),
            processes: NonZeroU32::MIN,
            read: read.iter().map(|path| path.to_path_buf()).collect(),
            write: Vec::new(),
            stranger: false,
        }
    }

    #[test]
    fn an_engine_reads_its_folder_and_what_its_options_name_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| {
            folder
                .path()
                .canonicalize()
                .expect("it is there")
                .join(name)
        };
        for name in ["engine", "tables", "elsewhere"] {
            fs::create_dir(path(name)).expect("a folder");
        }
        fs::write(path("engine/program"), "").expect("a file");
        let options = [
            ("Hash".to_owned(), "16".to_owned()),
            (
                "SyzygyPath".to_owned(),
                format!("{}:/not/there", path("tables").display()),
            ),
        ];
        let subject = Subject {
            program: &path("engine/program"),
            dir: None,
            here: folder.path(),
            is_ours: false,
            options: &options,
        };
        let bounds = Bounds::new(&sandbox(&[]), subject).expect("nothing is missing");
        let reach = Reach::of(&bounds);
        assert!(reach.allows_reading(&path("engine/net.nnue")));
        assert!(reach.allows_reading(&path("tables/KQvK.rtbw")));
        assert!(!reach.allows_reading(&path("elsewhere/secret")));
        assert!(!reach.allows_reading(Path::new("/etc/passwd")));
        assert!(!reach.allows_writing(&path("engine/log.txt")));
        let stranger = Sandbox {
            stranger: true,
            ..sandbox(&[])
        };
        let bounds = Bounds::new(&stranger, subject).expect("nothing is missing");
        let reach = Reach::of(&bounds);
        assert!(reach.allows_reading(&path("engine/program")));
        assert!(!reach.allows_reading(&path("engine/net.nnue")));
        assert!(!reach.allows_reading(&path("tables/KQvK.rtbw")));
        let missing = path("nowhere");
        let error = Bounds::new(&sandbox(&[&missing]), subject).expect_err("it is missing");
        assert!(error.to_string().contains("`read="), "{error}");
    }

    #[test]
    fn bounds_travel_as_words() {
        let bounds = Bounds {
            memory: 1 << 40,
            files: 9,
            processes: 3,
            read: vec!["/a b".into(), "/c".into()],
            write: vec!["/d".into()],
            builds: true,
        };
        let mut again = Bounds::nothing();
        for pair in bounds.words().chunks(2) {
            again
                .take(pair[0].to_str().expect("a flag"), &pair[1])
                .expect("its own words");
        }
        assert_eq!(again, bounds);
    }
}
