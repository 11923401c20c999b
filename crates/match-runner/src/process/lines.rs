//! Cuts a byte stream into lines, in bounded memory.

use std::os::fd::BorrowedFd;

use rustix::io::{Errno, read};

/// Of a longer line the rest is dropped. The longest honest lines are principal variations and
/// `option` lines with many values, a few kilobytes.
pub(crate) const LINE_BYTES_MAX: usize = 64 * 1024;

/// One read of an engine that is not flooding fits in here.
const BUFFER_BYTES: usize = 4 * 1024;

/// What one read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filled {
    /// All that was there.
    All,
    /// As much as there was room for; there may be more.
    Part,
    /// Nothing yet.
    Nothing,
    /// The other side closed the stream, or it broke; there will be nothing more.
    End,
}

/// The buffer between reads and lines.
#[derive(Debug)]
pub(crate) struct Lines {
    buffer: Vec<u8>,
    /// Unread bytes are `start..end`; no newline is in `start..scanned`.
    start: usize,
    scanned: usize,
    end: usize,
    /// In the dropped rest of a line that was too long.
    skipping: bool,
    cut: u64,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self {
            buffer: vec![0; BUFFER_BYTES],
            start: 0,
            scanned: 0,
            end: 0,
            skipping: false,
            cut: 0,
        }
    }

    /// Reads once. All lines that were there before must have been taken.
    pub(crate) fn fill(&mut self, source: BorrowedFd<'_>) -> Filled {
        self.make_room();
        loop {
            return match read(source, &mut self.buffer[self.end..]) {
                Ok(0) => Filled::End,
                Ok(bytes) => {
                    self.end += bytes;
                    if self.end < self.buffer.len() {
                        Filled::All
                    } else {
                        Filled::Part
                    }
                }
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => Filled::Nothing,
                Err(_) => Filled::End,
            };
        }
    }

    /// The next whole line, without its newline.
    pub(crate) fn next_line(&mut self) -> Option<&[u8]> {
        loop {
            let found = self.buffer[self.scanned..self.end]
                .iter()
                .position(|&byte| byte == b'\n');
            let Some(offset) = found else {
                return self.without_newline();
            };
            let (start, newline) = (self.start, self.scanned + offset);
            self.start = newline + 1;
            self.scanned = self.start;
            if !std::mem::take(&mut self.skipping) {
                return Some(&self.buffer[start..newline]);
            }
        }
    }

    /// What stands after the last newline, when the stream has ended.
    pub(crate) fn last_line(&mut self) -> Option<&[u8]> {
        let rest = self.start..self.end;
        self.start = self.end;
        self.scanned = self.end;
        (!rest.is_empty() && !self.skipping).then(|| &self.buffer[rest])
    }

    /// How many lines were too long since this was asked last.
    pub(crate) fn take_cut(&mut self) -> u64 {
        std::mem::take(&mut self.cut)
    }

    fn without_newline(&mut self) -> Option<&[u8]> {
        self.scanned = self.end;
        if self.skipping {
            self.start = self.end;
            return None;
        }
        if self.end - self.start < LINE_BYTES_MAX {
            return None;
        }
        // What fits is handed out now; it can be a `bestmove` with a megabyte of blanks behind it.
        let kept = self.start..self.end;
        self.start = self.end;
        self.skipping = true;
        self.cut += 1;
        Some(&self.buffer[kept])
    }

    fn make_room(&mut self) {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
        } else if self.end == self.buffer.len() && self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.scanned -= self.start;
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            let larger = (self.buffer.len() * 2).min(LINE_BYTES_MAX);
            self.buffer.resize(larger, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsFd;

    use proptest::prelude::*;

    use super::*;

    /// Feeds `chunks` through a pipe, one read each, and compares all lines.
    #[track_caller]
    fn check(chunks: &[&[u8]], want: &[&[u8]]) {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let mut lines = Lines::new();
        let mut got: Vec<Vec<u8>> = Vec::new();
        for chunk in chunks {
            for piece in chunk.chunks(4096) {
                writer.write_all(piece).expect("room in the pipe");
                assert_ne!(lines.fill(reader.as_fd()), Filled::End);
                while let Some(line) = lines.next_line() {
                    got.push(line.to_vec());
                }
            }
        }
        drop(writer);
        while lines.fill(reader.as_fd()) != Filled::End {
            while let Some(line) = lines.next_line() {
                got.push(line.to_vec());
            }
        }
        got.extend(lines.last_line().map(<[u8]>::to_vec));
        assert_eq!(got.len(), want.len(), "number of lines");
        for (got, want) in got.iter().zip(want) {
            assert_eq!(String::from_utf8_lossy(got), String::from_utf8_lossy(want));
        }
    }

    #[test]
    fn whole_lines_come_out_as_they_went_in() {
        check(
            &[b"uciok\n", b"readyok\nbestmove e2e4\n"],
            &[b"uciok", b"readyok", b"bestmove e2e4"],
        );
        check(&[b"\n\r\n"], &[b"", b"\r"]);
    }

    #[test]
    fn a_line_in_pieces_is_joined_and_one_without_newline_counts_at_the_end() {
        check(
            &[b"best", b"move e2", b"e4\nbestmove d7d5"],
            &[b"bestmove e2e4", b"bestmove d7d5"],
        );
    }

    #[test]
    fn of_a_line_that_is_too_long_the_first_part_is_kept_and_the_next_line_is_whole() {
        let huge = vec![b'x'; 1_000_000];
        check(
            &[b"a\n", &huge, b"\nbestmove e2e4\n"],
            &[b"a", &huge[..LINE_BYTES_MAX], b"bestmove e2e4"],
        );
        check(&[&huge], &[&huge[..LINE_BYTES_MAX]]);
    }

    #[test]
    fn a_line_of_exactly_the_longest_length_is_whole() {
        let mut line = vec![b'x'; LINE_BYTES_MAX - 1];
        line.push(b'\n');
        check(&[&line, b"next\n"], &[&line[..LINE_BYTES_MAX - 1], b"next"]);
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_the_bytes_arrive(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..300),
            cuts in proptest::collection::vec(1_usize..40, 1..300),
        ) {
            let mut rest = &text[..];
            let mut chunks = Vec::new();
            for cut in cuts.into_iter().cycle().take_while(|_| !text.is_empty()) {
                let (chunk, later) = rest.split_at(cut.min(rest.len()));
                chunks.push(chunk);
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            let mut want: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            // What stands behind the last newline is a line only if there is something.
            if want.last().is_some_and(|last| last.is_empty()) {
                want.pop();
            }
            check(&chunks, &want);
        }
    }
}
