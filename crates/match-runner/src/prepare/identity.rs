//! Engines by what their programs are, so that a contest is not gone on with between others.

use std::fs::File;

use match_core::journal::EngineIdentity;
use match_core::spec::EngineCommand;

use crate::arena::Arena;

/// All engines of the contest. A program that may be run and not read is known by its path alone.
pub(super) fn of_engines(arena: &Arena) -> Vec<EngineIdentity> {
    let engines = arena.spec.engines.iter().zip(&arena.starts);
    engines
        .map(|(engine, start)| match engine.command {
            EngineCommand::Sparring { .. } => EngineIdentity {
                program: format!("arbiter {}", env!("CARGO_PKG_VERSION")),
                sha256: None,
            },
            EngineCommand::Program { .. } => EngineIdentity {
                program: start.program.display().to_string(),
                sha256: File::open(&start.program).and_then(book::sha256).ok(),
            },
        })
        .collect()
}
