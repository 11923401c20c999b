//! What has nothing to do with chess: children, files, sockets, memory.

use std::io;
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use super::Conduct;
use crate::vice::Vice;
use crate::voice::Voice;

impl Conduct {
    /// Starts what is to outlive the engine.
    pub(super) fn leave_children(&self) -> io::Result<()> {
        if self.has(Vice::Fork) {
            linger(Command::new("sleep").arg("3600"))?;
        }
        if self.has(Vice::ForkAway) {
            linger(Command::new("sleep").arg("3600").process_group(0))?;
        }
        Ok(())
    }

    /// Tries what a sandbox would forbid, and says whether it could.
    pub(super) fn leave_the_board(&self, voice: &mut Voice) -> io::Result<()> {
        let mut boast = |deed: &str, result: io::Result<()>| match result {
            Ok(()) => voice.say(format!("info string {deed}: done")),
            Err(error) => voice.say(format!("info string {deed}: {error}")),
        };
        if let Some(path) = self.vices.text(Vice::ReadFile) {
            boast("read-file", std::fs::read(path).map(drop));
        }
        if let Some(path) = self.vices.text(Vice::WriteFile) {
            boast("write-file", std::fs::write(path, "sparring was here\n"));
        }
        if let Some(address) = self.vices.text(Vice::Connect) {
            boast("connect", TcpStream::connect(address).map(drop));
        }
        if let Some(megabytes) = self.vices.number(Vice::EatMemory) {
            // Kept until the process ends; ones, because zeroes would not be backed by memory.
            Box::leak(vec![1_u8; usize::try_from(megabytes).unwrap_or(0) << 20].into_boxed_slice());
            boast("eat-memory", Ok(()));
        }
        voice.flush()
    }
}

/// Leaves a child behind that holds our output open and that nobody waits for.
fn linger(command: &mut Command) -> io::Result<()> {
    let _nobody_waits_for_it = command.stdin(Stdio::null()).spawn()?;
    Ok(())
}
