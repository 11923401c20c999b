//! What runs between us and an engine: `arbiter __launch --parent PID [--cpus LIST] [--sandbox ...] --
//! PROGRAM ARGS`.
//!
//! A fresh, single-threaded process of our own binary prepares itself in safe code and then becomes
//! the engine by `exec`. Doing the same after `fork` in a process with threads would be unsafe in
//! every sense. What an engine may do and where it runs belongs here too, a step a measure.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use match_core::cpu_list::CpuList;
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use thiserror::Error;

use crate::chain::chain;
use crate::cores;
use crate::sandbox::{Bounds, confine};

/// The subcommand of our binary that calls [`main`].
pub const SUBCOMMAND: &str = "__launch";

/// What stands before the names of variables that are the engine's. The launcher itself must not see them
/// under their own names: a loader would do what `LD_PRELOAD` says before any sandbox is there.
const ENVIRONMENT: &str = "ARBITER_ENGINE_ENV_";

/// Exit status when the program was found but could not be run; shells use the same.
const CANNOT_EXECUTE: u8 = 126;

/// Signals that we may have inherited as ignored: a shell without job control ignores the first two
/// for `arbiter ... &`. An engine starts with none of them ignored.
const MAY_BE_IGNORED: [i32; 5] = [
    signal_hook::consts::SIGINT,
    signal_hook::consts::SIGQUIT,
    signal_hook::consts::SIGTERM,
    signal_hook::consts::SIGCHLD,
    signal_hook::consts::SIGHUP,
];

/// What the launcher is to do; plain data that travels as command-line words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The process whose end ends the engine.
    pub parent: u32,
    /// The CPUs to which the engine keeps; those of its parent without it.
    pub cpus: Option<CpuList>,
    /// An absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What it may use; everything without it. With it, standard input is a socket that leads to the
    /// warden.
    pub(crate) sandbox: Option<Bounds>,
}

/// Why an engine was not launched.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// The words are not those that [`Plan::words`] makes.
    #[error(
        "`{SUBCOMMAND}` is for arbiter's own use: expected `--parent PID [--cpus LIST] [--sandbox ...] -- PROGRAM ARGS`"
    )]
    Words,
    /// The parent ended before the engine could be tied to it.
    #[error("the parent {0} is gone")]
    Orphan(u32),
    /// A step of the preparation failed.
    #[error("failed to {step}")]
    Prepare {
        /// What was being done.
        step: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The CPUs are not there, or not for us.
    #[error("failed to place the engine on CPUs {cpus}")]
    Place {
        /// Which.
        cpus: CpuList,
        /// Why it failed.
        source: io::Error,
    },
    /// The program could not be executed.
    #[error("failed to execute `{}`", program.display())]
    Execute {
        /// Which.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Runs the launcher with the words after the subcommand. Returns only if it failed; the reason is on
/// stderr, where the contest finds it as the engine's last words.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let error = match Plan::parse(words) {
        Ok(plan) => plan.exec(),
        Err(error) => error,
    };
    let _nobody_listens = writeln!(io::stderr(), "arbiter {SUBCOMMAND}: {}", chain(&error));
    ExitCode::from(CANNOT_EXECUTE)
}

/// The name under which a variable travels to the launcher that is to be `name` for the engine.
pub(crate) fn veiled(name: &OsStr) -> OsString {
    let mut veiled = OsString::from(ENVIRONMENT);
    veiled.push(name);
    veiled
}

impl Plan {
    /// The command line that stands for this plan, subcommand first.
    pub fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![
            SUBCOMMAND.into(),
            "--parent".into(),
            self.parent.to_string().into(),
        ];
        if let Some(cpus) = &self.cpus {
            words.extend(["--cpus".into(), cpus.to_string().into()]);
        }
        if let Some(bounds) = &self.sandbox {
            words.push("--sandbox".into());
            words.extend(bounds.words());
        }
        words.push("--".into());
        words.push(self.program.clone().into());
        words.extend(self.args.iter().cloned());
        words
    }

    /// The plan that the words after the subcommand stand for.
    ///
    /// # Errors
    /// For any other words.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Self, LaunchError> {
        let mut words = words.into_iter();
        let mut word = || words.next().ok_or(LaunchError::Words);
        if word()? != "--parent" {
            return Err(LaunchError::Words);
        }
        let parent = word()?
            .to_str()
            .and_then(|text| text.parse().ok())
            .ok_or(LaunchError::Words)?;
        let mut cpus = None;
        let mut sandbox = None;
        loop {
            let flag = word()?;
            match flag.to_str().ok_or(LaunchError::Words)? {
                "--" => break,
                "--cpus" => {
                    let list = word()?.to_str().and_then(|text| text.parse().ok());
                    cpus = Some(list.ok_or(LaunchError::Words)?);
                }
                "--sandbox" => sandbox = Some(Bounds::nothing()),
                flag => sandbox
                    .as_mut()
                    .and_then(|bounds: &mut Bounds| bounds.take(flag, &word().ok()?))
                    .ok_or(LaunchError::Words)?,
            }
        }
        let program = word()?.into();
        Ok(Self {
            parent,
            cpus,
            program,
            args: words.collect(),
            sandbox,
        })
    }

    /// Becomes the engine; what comes back is why it did not.
    fn exec(self) -> LaunchError {
        if let Err(error) = self.prepare() {
            return error;
        }
        let mut command = Command::new(&self.program);
        command.args(&self.args);
        for (name, value) in env::vars_os() {
            if let Some(own) = name.as_bytes().strip_prefix(ENVIRONMENT.as_bytes()) {
                command.env_remove(&name).env(OsStr::from_bytes(own), value);
            }
        }
        // `exec` empties the signal mask and restores SIGPIPE, which Rust's runtime ignores.
        let source = command.exec();
        LaunchError::Execute {
            program: self.program,
            source,
        }
    }

    fn prepare(&self) -> Result<(), LaunchError> {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(|errno| {
            LaunchError::Prepare {
                step: "tie the engine to its parent",
                source: errno.into(),
            }
        })?;
        // In this order: a parent that dies from here on takes us along, one that died before is seen.
        if getppid().map(Pid::as_raw_pid) != i32::try_from(self.parent).ok() {
            return Err(LaunchError::Orphan(self.parent));
        }
        if let Some(cpus) = &self.cpus {
            cores::stay_on(cpus).map_err(|source| LaunchError::Place {
                cpus: cpus.clone(),
                source,
            })?;
        }
        for signal in MAY_BE_IGNORED {
            // A signal with a handler becomes a default one at `exec`; an ignored one would stay ignored.
            signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))).map_err(
                |source| LaunchError::Prepare {
                    step: "restore the signals' defaults",
                    source,
                },
            )?;
        }
        if let Some(bounds) = &self.sandbox {
            let failed = |(step, source)| LaunchError::Prepare { step, source };
            let input = confine(bounds, io::stdin().as_fd()).map_err(failed)?;
            rustix::stdio::dup2_stdin(input)
                .map_err(|errno| failed(("take over its input", errno.into())))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_travels_as_words() {
        let plan = Plan {
            parent: 42,
            cpus: Some("0-3,8".parse().expect("a list")),
            program: "/a b/engine".into(),
            args: vec!["--".into(), "--parent".into(), "".into()],
            sandbox: Some(Bounds {
                memory: 1 << 30,
                files: 10,
                processes: 1,
                read: vec!["/a b".into()],
                write: Vec::new(),
                builds: false,
            }),
        };
        let words = plan.words();
        assert_eq!(words[0], SUBCOMMAND);
        assert_eq!(
            Plan::parse(words.into_iter().skip(1)).expect("its own words"),
            plan
        );
    }

    #[test]
    fn other_words_are_refused() {
        for words in [
            &[][..],
            &["--parent"],
            &["--parent", "x", "--", "y"],
            &["--parent", "1", "--"],
            &["--parent", "1", "--memory", "1", "--", "y"],
            &["--parent", "1", "--sandbox", "--memory", "x", "--", "y"],
            &["--parent", "1", "--cpus", "--", "y"],
            &["--parent", "1", "--cpus", "", "--", "y"],
            &["y"],
        ] {
            let words = words.iter().map(OsString::from);
            assert!(matches!(Plan::parse(words), Err(LaunchError::Words)));
        }
    }
}
