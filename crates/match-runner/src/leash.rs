//! A program that is no engine and is run to its end with all our rights: git, a recipe, a bench. Whatever
//! it has started goes with it, and both go with us.

use std::io;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;

use crate::orphans::{self, Roster};
use crate::process::Launcher;

/// What holds a program and all that it starts. When it goes, whatever still lives of these is killed.
#[derive(Debug)]
pub struct Leash {
    /// Absent where there is no binary of ours.
    launcher: Option<Arc<Launcher>>,
    mark: String,
    group: u32,
}

impl Leash {
    /// Starts `command`, which is to be in a group of its own. With `binary`, which is our own, there is a guard
    /// that ends it when we are killed.
    ///
    /// # Errors
    /// When the operating system starts one of them not.
    pub fn start(mut command: Command, binary: Option<&Path>) -> io::Result<(Child, Self)> {
        let Some(binary) = binary else {
            let mark = Roster::mark();
            let child = command
                .env(orphans::VARIABLE, format!("{mark}.1"))
                .spawn()?;
            let group = child.id();
            let leash = Self {
                launcher: None,
                mark,
                group,
            };
            return Ok((child, leash));
        };
        let launcher = Launcher::new(binary.to_owned())?;
        let child = launcher.errand(command)?;
        let leash = Self {
            mark: launcher.mark().to_owned(),
            group: child.id(),
            launcher: Some(launcher),
        };
        Ok((child, leash))
    }

    /// It has ended and is not waited for yet; afterwards its number may be somebody else's.
    pub fn ended(&self) {
        if let Some(launcher) = &self.launcher {
            launcher.forget(self.group);
        }
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        orphans::kill_all(&self.mark);
    }
}
