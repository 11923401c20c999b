//! The last words of an engine.

/// So much of its stderr is kept: enough for a panic with a backtrace.
pub(crate) const TAIL_BYTES_MAX: usize = 8 * 1024;

/// The end of a byte stream.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// At most twice the bound, so that bytes are moved once a bound and not once a read.
    bytes: Vec<u8>,
}

impl Tail {
    pub(crate) fn push(&mut self, more: &[u8]) {
        let more = &more[more.len().saturating_sub(TAIL_BYTES_MAX)..];
        if self.bytes.len() + more.len() > 2 * TAIL_BYTES_MAX {
            let surplus = self.bytes.len().saturating_sub(TAIL_BYTES_MAX);
            self.bytes.drain(..surplus);
        }
        self.bytes.extend_from_slice(more);
    }

    /// The text, invalid UTF-8 replaced, without blank lines at its ends.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes()).trim().to_owned()
    }

    /// What is kept; whole lines if it was cut.
    pub(crate) fn bytes(&self) -> &[u8] {
        let surplus = self.bytes.len().saturating_sub(TAIL_BYTES_MAX);
        let mut kept = &self.bytes[surplus..];
        if surplus > 0
            && let Some(newline) = kept.iter().position(|&byte| byte == b'\n')
        {
            kept = &kept[newline + 1..];
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_flood_is_kept_in_whole_lines() {
        let mut tail = Tail::default();
        for number in 0..100_000 {
            tail.push(format!("line {number}\n").as_bytes());
            assert!(tail.bytes.capacity() <= 4 * TAIL_BYTES_MAX);
        }
        let text = tail.text();
        assert!(text.ends_with("line 99998\nline 99999"));
        assert!(text.starts_with("line "));
        assert!(text.len() <= TAIL_BYTES_MAX);
    }

    #[test]
    fn one_write_larger_than_the_bound_keeps_its_end() {
        let mut tail = Tail::default();
        tail.push(&[b'x'; 3 * TAIL_BYTES_MAX]);
        tail.push(b"\npanicked\n");
        assert_eq!(tail.text(), "panicked");
    }
}
