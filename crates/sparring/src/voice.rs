//! What goes out: lines for standard output, gathered and written at once.

use std::io;
use std::os::fd::AsFd;

use crate::vice::{Vice, Vices};

/// Gathers lines until [`flush`](Self::flush).
#[derive(Debug, Default)]
pub(crate) struct Voice {
    unsaid: Vec<u8>,
    accent: Accent,
}

/// How lines are mangled.
#[derive(Clone, Copy, Debug, Default)]
struct Accent {
    before: &'static [u8],
    after: &'static [u8],
    tabs: bool,
    crlf: bool,
}

impl Voice {
    pub(crate) fn new(vices: &Vices) -> Self {
        let blanks = |vice, blanks| if vices.has(vice) { blanks } else { &b""[..] };
        let accent = Accent {
            before: blanks(Vice::LeadingSpace, b"  \t "),
            after: blanks(Vice::TrailingSpace, b" \t  "),
            tabs: vices.has(Vice::Tabs),
            crlf: vices.has(Vice::Crlf),
        };
        Self {
            unsaid: Vec::new(),
            accent,
        }
    }

    /// A whole line.
    pub(crate) fn say(&mut self, line: impl AsRef<[u8]>) {
        self.begin(line);
        self.end();
    }

    /// A line as yet without its end.
    pub(crate) fn begin(&mut self, line: impl AsRef<[u8]>) {
        self.unsaid.extend_from_slice(self.accent.before);
        self.go_on(line);
    }

    /// More of a line.
    pub(crate) fn go_on(&mut self, words: impl AsRef<[u8]>) {
        if self.accent.tabs {
            let words = words.as_ref().split(|&byte| byte == b' ');
            self.unsaid
                .extend_from_slice(&words.collect::<Vec<_>>().join(&b" \t  "[..]));
        } else {
            self.unsaid.extend_from_slice(words.as_ref());
        }
    }

    /// The end of a line.
    pub(crate) fn end(&mut self) {
        self.unsaid.extend_from_slice(self.accent.after);
        if self.accent.crlf {
            self.unsaid.push(b'\r');
        }
        self.unsaid.push(b'\n');
    }

    /// Writes what was gathered; one system call, unless the pipe is full.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let mut rest = self.unsaid.as_slice();
        while !rest.is_empty() {
            match rustix::io::write(io::stdout().as_fd(), rest) {
                Ok(written) => rest = &rest[written..],
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.unsaid.clear();
        Ok(())
    }
}
