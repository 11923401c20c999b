//! What comes in: lines from standard input, waited for or only glanced at.
//!
//! There is no reading thread. While the engine thinks, the search glances at the input now and
//! then; so no other thread must wake up before a `go` is heard, and a move costs no more time than
//! the engine reports.

use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// A `position` of a game of 300 plies is 1.6 kB; longer lines make the buffer grow.
const BUFFER: usize = 16 * 1024;

/// Lines of standard input.
#[derive(Debug)]
pub(crate) struct Input {
    /// What was read and not taken is at `taken..filled`.
    buffer: Vec<u8>,
    taken: usize,
    filled: usize,
    /// Before this there is no newline that was not taken.
    scanned: usize,
    closed: bool,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            buffer: vec![0; BUFFER],
            taken: 0,
            filled: 0,
            scanned: 0,
            closed: false,
        }
    }
}

impl Input {
    /// The next line, without its end, if all of it is here already.
    pub(crate) fn line_here(&mut self, line: &mut Vec<u8>) -> bool {
        line.clear();
        let fresh = &self.buffer[self.scanned..self.filled];
        let end = match fresh.iter().position(|&byte| byte == b'\n') {
            Some(at) => self.scanned + at,
            None if self.closed && self.taken < self.filled => self.filled,
            None => {
                self.scanned = self.filled;
                return false;
            }
        };
        line.extend_from_slice(&self.buffer[self.taken..end]);
        self.taken = (end + 1).min(self.filled);
        self.scanned = self.taken;
        true
    }

    /// The next line, waited for; false at the end of the input.
    pub(crate) fn next_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        while !self.line_here(line) {
            if self.closed {
                return Ok(false);
            }
            self.read()?;
        }
        Ok(true)
    }

    /// Whether there is something to read, or the end was reached; does not wait.
    pub(crate) fn is_ready(&self) -> bool {
        let stdin = io::stdin();
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        let at_once = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        self.closed || poll(&mut fds, Some(&at_once)).is_ok_and(|ready| ready > 0)
    }

    /// Whether the input has ended.
    pub(crate) const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Reads what has come; waits until there is something.
    pub(crate) fn read(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.scanned -= self.taken;
        self.taken = 0;
        if self.filled == self.buffer.len() {
            self.buffer.resize(2 * self.filled, 0);
        }
        let room = &mut self.buffer[self.filled..];
        let read = loop {
            match rustix::io::read(io::stdin().as_fd(), &mut *room) {
                Err(rustix::io::Errno::INTR) => {}
                other => break other?,
            }
        };
        self.filled += read;
        self.closed = read == 0;
        Ok(())
    }
}
