//! How an engine is started: its program is found, its sandbox measured.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use match_core::spec::{EngineCommand, EngineSpec};

use super::PrepareError;
use crate::host::{Host, Program};
use crate::process::Start;
use crate::program::Lookup;
use crate::sandbox::{self, Bounds, Cell, Reach, SandboxError, Subject};

/// Finds all that it takes to start an engine.
///
/// # Errors
/// For whatever would keep it from being started as it is described.
pub(crate) fn start(engine: &EngineSpec, host: &Host) -> Result<Start, PrepareError> {
    let here = env::current_dir().map_err(|source| PrepareError::Host {
        what: "find out the current folder",
        source,
    })?;
    let mut start = unbounded(engine, host, &here)?;
    if let Some(sandbox) = &engine.sandbox {
        let unusable = |source| PrepareError::Sandbox {
            engine: engine.name.clone(),
            source,
        };
        if let Some(lacking) = sandbox::support().lacking() {
            return Err(unusable(SandboxError::Unsupported(lacking)));
        }
        if host.binary.is_none() {
            let lacking = "nothing, but this program has no launcher".to_owned();
            return Err(unusable(SandboxError::Unsupported(lacking)));
        }
        let subject = Subject {
            program: &start.program,
            dir: start.dir.as_deref(),
            here: &here,
            is_ours: matches!(engine.command, EngineCommand::Sparring { .. }),
            options: &engine.options,
        };
        let bounds = Bounds::new(sandbox, subject).map_err(unusable)?;
        let reach = Reach::of(&bounds);
        start.is_stranger = sandbox.stranger;
        start.sandbox = Some(Arc::new(Cell { bounds, reach }));
    }
    Ok(start)
}

fn unbounded(engine: &EngineSpec, host: &Host, here: &Path) -> Result<Start, PrepareError> {
    let name = || engine.name.clone();
    match &engine.command {
        EngineCommand::Program {
            program,
            args,
            dir,
            env: variables,
        } => {
            let lookup = Lookup {
                dir: dir.as_deref(),
                here,
                path: &env::var_os("PATH").unwrap_or_default(),
            };
            let program = lookup
                .resolve(program)
                .map_err(|source| PrepareError::Program {
                    engine: name(),
                    source,
                })?;
            Ok(Start {
                name: name(),
                program,
                args: args.iter().map(OsString::from).collect(),
                dir: dir.as_ref().map(|dir| here.join(dir)),
                env: variables
                    .iter()
                    .map(|(key, value)| (key.into(), value.into()))
                    .collect(),
                is_stranger: false,
                sandbox: None,
            })
        }
        EngineCommand::Sparring { args } => {
            let Some(Program { path, args: first }) = &host.sparring else {
                return Err(PrepareError::NoSparring { engine: name() });
            };
            let args = first
                .iter()
                .cloned()
                .chain(args.iter().map(OsString::from))
                .collect();
            Ok(Start {
                name: name(),
                program: path.clone(),
                args,
                dir: None,
                env: Vec::new(),
                is_stranger: false,
                sandbox: None,
            })
        }
    }
}
