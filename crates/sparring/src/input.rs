//! What comes in: lines from standard input, waited for or only glanced at.
//!
//! There is no reading thread. While the engine thinks, the search glances at the input now and
//! then; so no other thread must wake up before a `go` is heard, and a move costs no more time than
//! the engine reports.

use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// One read takes at most this much; a `position` of a game of 300 plies is 1.6 kB.
const CHUNK: usize = 16 * 1024;

/// Lines of standard input.
#[derive(Debug, Default)]
pub(crate) struct Input {
    buffer: Vec<u8>,
    /// What comes before this in `buffer` has been taken.
    taken: usize,
    /// How far `buffer` is known to hold no newline.
    scanned: usize,
    closed: bool,
}

impl Input {
    /// The next line, without its end, if all of it is here already.
    pub(crate) fn line_here(&mut self, line: &mut Vec<u8>) -> bool {
        line.clear();
        let fresh = &self.buffer[self.scanned..];
        let end = match fresh.iter().position(|&byte| byte == b'\n') {
            Some(at) => self.scanned + at,
            None if self.closed && self.taken < self.buffer.len() => self.buffer.len(),
            None => {
                self.scanned = self.buffer.len();
                return false;
            }
        };
        line.extend_from_slice(&self.buffer[self.taken..end]);
        self.taken = (end + 1).min(self.buffer.len());
        self.scanned = self.taken;
        if self.taken == self.buffer.len() {
            self.buffer.clear();
            (self.taken, self.scanned) = (0, 0);
        }
        true
    }

    /// The next line, waited for; false at the end of the input.
    pub(crate) fn next_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            if self.line_here(line) {
                return Ok(true);
            }
            if self.closed {
                return Ok(false);
            }
            self.read()?;
        }
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
        self.buffer.drain(..self.taken);
        self.scanned -= self.taken;
        self.taken = 0;
        let len = self.buffer.len();
        self.buffer.resize(len + CHUNK, 0);
        let read = loop {
            match rustix::io::read(io::stdin().as_fd(), &mut self.buffer[len..]) {
                Err(rustix::io::Errno::INTR) => {}
                other => break other,
            }
        };
        self.buffer.truncate(len + *read.as_ref().unwrap_or(&0));
        self.closed = read? == 0;
        Ok(())
    }
}
