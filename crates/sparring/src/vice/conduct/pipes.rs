//! What an engine does to the pipes it talks through.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;

use super::Conduct;
use crate::vice::Vice;
use crate::voice::Voice;

impl Conduct {
    /// At a `go`.
    pub(super) fn mind_the_pipes(&self, voice: &mut Voice) -> io::Result<()> {
        let gos = self.gos;
        while self.has_begun(Vice::EndlessLine, gos) {
            voice.go_on("info string without end ");
            voice.flush()?;
        }
        if self.is_due(Vice::CloseStdout, gos) {
            rustix::stdio::dup2_stdout(File::open("/dev/null")?)?;
        }
        if self.is_due(Vice::CloseStdin, gos) {
            rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        }
        if self.is_due(Vice::Deaf, gos) {
            stop_up_input();
        }
        Ok(())
    }

    /// Options without number, and texts without end.
    pub(super) fn declare_too_much(&self, voice: &mut Voice) {
        for option in 1..=self.vices.number(Vice::ManyOptions).unwrap_or(0) {
            voice.say(format!(
                "option name Option {option} type check default true"
            ));
        }
        if let Some(bytes) = self.vices.number(Vice::LongId) {
            let text = "long ".repeat(usize::try_from(bytes).unwrap_or(0) / 5);
            voice.say(format!("id author {text}"));
            voice.say(format!("option name Long type string default {text}"));
        }
    }
}

/// Fills the pipe through which we are talked to, so that nobody else can write into it.
fn stop_up_input() {
    let input = OpenOptions::new()
        .write(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
        .open("/proc/self/fd/0");
    let Ok(mut input) = input else { return };
    // Large pieces leave room for less than a page, small ones for nothing.
    for size in [4096, 1] {
        while input
            .write(&vec![b'\n'; size])
            .is_ok_and(|written| written > 0)
        {}
    }
}
