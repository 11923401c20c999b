//! What the owner of this machine allows those whose tests are played on it.
//!
//! A test is somebody else's text: which programs it names, which folders, which commands it has run
//! are that person's choice. Without a sandbox all of it happens with the rights of whoever started the
//! worker. With one, this decides what it may touch, whatever the test says: the test's own bounds can
//! only make it less.

use std::env;
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use match_core::spec::raw::RawSandboxSettings;
use match_core::spec::{PlacementSpec, Sandbox, Spec};
use match_runner::{Errand, Lookup};
use thiserror::Error;

use crate::job::Task;

/// Programs and what belongs to them. Nobody keeps secrets there.
const SYSTEM: [&str; 8] = [
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/opt",
    "/sbin",
    "/usr",
];

/// Processes of a recipe: `make -j` starts as many compilers as there are files, each of three.
const PROCESSES: u32 = 1024;

/// Before and after games nothing bounds engines but patience. What is being prepared is finished even when
/// its lease is over, and no test is to keep a machine for ever.
const PATIENCE_MAX: Duration = Duration::from_secs(10 * 60);

/// Processes of a bench.
const BENCH_PROCESSES: u32 = 16;

/// The rules of this machine.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// On which CPUs games are played, and recipes carried out.
    placement: PlacementSpec,
    /// Our own program, if it can stand guard.
    binary: Option<PathBuf>,
    cell: Option<Cell>,
}

/// The sandbox of everything that is started.
#[derive(Clone, Debug)]
struct Cell {
    /// Our own program.
    binary: PathBuf,
    /// Bytes of a process, at most.
    memory: NonZeroU64,
    /// What the owner says; its paths are real ones.
    settings: RawSandboxSettings,
}

/// Something that a test wants and the owner of this machine has not allowed.
#[derive(Debug, Error)]
#[error(
    "`{path}` is neither the system's nor allowed by this worker: `--sandbox='read={path}'` allows it",
    path = path.display()
)]
pub(crate) struct Forbidden {
    path: PathBuf,
}

/// Where a recipe is carried out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    /// With the sources.
    pub(crate) checkout: &'a Path,
    /// For the program.
    pub(crate) made: &'a Path,
    /// Stands for a home and for temporary files.
    pub(crate) home: &'a Path,
    /// The repository, which the checkout refers to.
    pub(crate) repository: &'a Path,
}

impl Rules {
    /// Everything is as the test wants it, but for `placement`.
    pub(crate) const fn lax(placement: PlacementSpec, binary: Option<PathBuf>) -> Self {
        Self {
            placement,
            binary,
            cell: None,
        }
    }

    /// Everything runs in a sandbox, started through `binary`, with `settings` and at most
    /// `memory_mib` MiB for a process.
    ///
    /// # Errors
    /// With the path of the settings that is not there.
    pub(crate) fn strict(
        placement: PlacementSpec,
        binary: PathBuf,
        memory_mib: u64,
        mut settings: RawSandboxSettings,
    ) -> Result<Self, (PathBuf, std::io::Error)> {
        for paths in [&mut settings.read, &mut settings.write] {
            for path in paths.iter_mut().flatten() {
                *path = path.canonicalize().map_err(|error| (path.clone(), error))?;
            }
        }
        let lent = NonZeroU64::new(memory_mib << 20).unwrap_or(NonZeroU64::MIN);
        let memory = settings.memory.unwrap_or(lent);
        let cell = Cell {
            binary: binary.clone(),
            memory,
            settings,
        };
        Ok(Self {
            placement,
            binary: Some(binary),
            cell: Some(cell),
        })
    }

    /// Whether a test may have engines and books at a path of this machine. What is found in `PATH` is
    /// meant by a bare name.
    ///
    /// # Errors
    /// When it may not.
    pub(crate) fn check(&self, path: &Path) -> Result<(), Forbidden> {
        let Some(cell) = &self.cell else {
            return Ok(());
        };
        let lookup = Lookup {
            dir: None,
            here: &env::current_dir().unwrap_or_default(),
            path: &env::var_os("PATH").unwrap_or_default(),
        };
        let found = lookup.resolve(path).unwrap_or_else(|_| path.to_owned());
        let real = found.canonicalize().unwrap_or(found);
        match cell.roots().iter().any(|root| real.starts_with(root)) {
            true => Ok(()),
            false => Err(Forbidden { path: real }),
        }
    }

    /// Makes `spec` one that keeps the rules. `own` has the files and folders that were fetched or built
    /// for each engine.
    pub(crate) fn bind(&self, spec: &mut Spec, own: Vec<Vec<PathBuf>>) {
        spec.placement = PlacementSpec {
            cpus: self.placement.cpus.clone(),
            pin: self.placement.pin && spec.placement.pin,
        };
        for patience in [
            &mut spec.patience.startup,
            &mut spec.patience.ping,
            &mut spec.patience.quit,
        ] {
            *patience = (*patience).min(PATIENCE_MAX);
        }
        let Some(cell) = &self.cell else {
            return;
        };
        let RawSandboxSettings {
            memory: _,
            files,
            processes,
            read,
            write,
        } = &cell.settings;
        for (engine, own) in spec.engines.iter_mut().zip(own) {
            let wanted = engine.sandbox.take();
            let wanted = wanted.unwrap_or_else(|| Sandbox::usual(&engine.options));
            engine.sandbox = Some(Sandbox {
                memory: wanted.memory.min(cell.memory),
                files: files.map_or(wanted.files, |files| files.min(wanted.files)),
                processes: processes.map_or(wanted.processes, |most| most.min(wanted.processes)),
                read: own
                    .into_iter()
                    .chain(read.iter().flatten().cloned())
                    .collect(),
                write: write.clone().unwrap_or_default(),
                stranger: true,
            });
        }
    }

    /// A program with all our rights.
    pub(crate) fn plain(&self, command: Command) -> Task<'_> {
        Task::Plain(command, self.binary.as_deref())
    }

    /// A recipe, which a shell is to carry out.
    pub(crate) fn recipe(&self, command: &str, site: Site<'_>) -> Task<'_> {
        let Some(cell) = &self.cell else {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(site.checkout);
            return self.plain(shell);
        };
        let rustup = rustup();
        let mut read = cell.roots();
        read.extend(rustup.clone());
        // Of other processes than its own it sees what everybody sees of them.
        read.extend([site.repository.to_owned(), "/proc".into()]);
        let mut environment: Vec<(OsString, OsString)> = vec![
            ("HOME".into(), site.home.into()),
            ("TMPDIR".into(), site.home.into()),
            ("CARGO_NET_OFFLINE".into(), "true".into()),
            // Those of this machine are none of its business, and git ends where it may not read them.
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
            ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
        ];
        environment.extend(rustup.map(|path| ("RUSTUP_HOME".into(), path.into())));
        let errand = Errand {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), command.into()],
            dir: site.checkout.to_owned(),
            env: environment,
            cpus: self.placement.cpus.clone(),
            memory: cell.memory.get(),
            processes: PROCESSES,
            read,
            write: [site.checkout, site.made, site.home]
                .map(Path::to_owned)
                .into(),
            builds: true,
        };
        Task::Confined(errand, &cell.binary)
    }

    /// `program` with an argument. It may write to `folder`.
    pub(crate) fn bench(&self, program: &Path, argument: &str, folder: &Path) -> Task<'_> {
        let Some(cell) = &self.cell else {
            let mut command = Command::new(program);
            command.arg(argument).current_dir(folder);
            return self.plain(command);
        };
        let mut read = cell.settings.read.clone().unwrap_or_default();
        read.extend(program.parent().map(Path::to_owned));
        let errand = Errand {
            program: program.to_owned(),
            args: vec![argument.into()],
            dir: folder.to_owned(),
            env: Vec::new(),
            cpus: self.placement.cpus.clone(),
            memory: cell.memory.get(),
            processes: BENCH_PROCESSES,
            read,
            write: vec![folder.to_owned()],
            builds: false,
        };
        Task::Confined(errand, &cell.binary)
    }
}

impl Cell {
    /// What programs of others may read and execute.
    fn roots(&self) -> Vec<PathBuf> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
        let mut roots: Vec<PathBuf> = SYSTEM.map(PathBuf::from).into();
        roots.extend(folders.filter_map(|folder| folder.canonicalize().ok()));
        roots.extend(self.settings.read.iter().flatten().cloned());
        roots.extend(self.settings.write.iter().flatten().cloned());
        // A `PATH` with `/` in it would allow everything.
        roots.retain(|root| root.parent().is_some());
        roots
    }
}

/// Where the compilers are that `rustup` has installed: `PATH` only leads to what starts them.
fn rustup() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".rustup"));
    let path = env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(home)?;
    path.canonicalize().ok()
}
