//! News of a test as they come: server-sent events.

use std::io::{self, BufRead, BufReader, Read};

use fleet_api::TestView;

/// The longest event that is read; a view has a few thousand bytes and the text of its test.
const EVENT_BYTES_MAX: u64 = 16 << 20;

/// A test's states, one after the other, until the coordinator or the network ends it.
pub struct Live {
    lines: BufReader<Box<dyn Read + Send>>,
}

impl Live {
    pub(crate) fn new(body: impl Read + Send + 'static) -> Self {
        Self {
            lines: BufReader::new(Box::new(body)),
        }
    }

    /// The data of the next event; none at the end.
    fn next_data(&mut self) -> io::Result<Option<String>> {
        let mut data = String::new();
        loop {
            let mut line = String::new();
            let room = EVENT_BYTES_MAX.saturating_sub(data.len() as u64);
            if (&mut self.lines).take(room).read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let line = line.trim_end_matches(['\r', '\n']);
            match line.split_once(':').unwrap_or((line, "")) {
                // A blank line ends an event; one without data is a sign of life.
                ("", "") if !data.is_empty() => return Ok(Some(data)),
                ("data", text) => {
                    if !data.is_empty() {
                        data.push('\n');
                    }
                    data.push_str(text.strip_prefix(' ').unwrap_or(text));
                }
                // Comments, names and numbers of events.
                _ => {}
            }
        }
    }
}

impl Iterator for Live {
    type Item = io::Result<TestView>;

    fn next(&mut self) -> Option<Self::Item> {
        let data = match self.next_data() {
            Ok(data) => data?,
            Err(error) => return Some(Err(error)),
        };
        Some(serde_json::from_str(&data).map_err(io::Error::from))
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_told_apart_by_blank_lines() {
        let text =
            ": hello\n\nevent: view\ndata: one\n\ndata: two\r\ndata:three\r\n\r\ndata: cut off";
        let mut live = Live::new(text.as_bytes());
        let mut next = || live.next_data().expect("memory is readable");
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some("two\nthree"));
        assert_eq!(next(), None);
    }
}
