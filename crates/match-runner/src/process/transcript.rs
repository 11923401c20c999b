//! The last lines that an engine said and was told.

use match_core::evidence::{Speaker, Utterance};
use match_core::moment::Moment;

/// So many bytes of the talk are kept at least, and twice as many at most.
const KEPT_BYTES: usize = 8 * 1024;

/// Of what is longer the beginning and the end are kept. Longer is only the `position` of a long game,
/// of which the last moves matter and the `go` behind it, and what should not be.
const HEAD_BYTES: usize = 400;
const TAIL_BYTES: usize = 200;

const HEADER_BYTES: usize = 16;

/// A record of two halves: when one is full, the other is forgotten and filled. To note something takes
/// two copies and, after the start, no memory; lines are told apart when somebody reads it.
#[derive(Debug)]
pub(crate) struct Transcript {
    recent: Vec<u8>,
    older: Vec<u8>,
}

impl Transcript {
    pub(crate) fn new() -> Self {
        Self {
            recent: Vec::with_capacity(KEPT_BYTES),
            older: Vec::with_capacity(KEPT_BYTES),
        }
    }

    /// Notes a line, or several at once, without the last line end.
    pub(crate) fn note(&mut self, at: Moment, by: Speaker, line: &[u8]) {
        let (head, tail) = if line.len() <= HEAD_BYTES + TAIL_BYTES {
            (line, &[][..])
        } else {
            (&line[..HEAD_BYTES], &line[line.len() - TAIL_BYTES..])
        };
        let left_out = line.len() - head.len() - tail.len();
        if KEPT_BYTES < self.recent.len() + HEADER_BYTES + head.len() + tail.len() {
            std::mem::swap(&mut self.recent, &mut self.older);
            self.recent.clear();
        }
        let header = Header {
            at: at.as_nanos(),
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
            head: head.len() as u16,
            tail: tail.len() as u8,
            by,
        };
        self.recent.extend_from_slice(&header.to_bytes());
        self.recent.extend_from_slice(head);
        self.recent.extend_from_slice(tail);
    }

    /// All that is kept, in its order.
    pub(crate) fn read(&self) -> Vec<Utterance> {
        let mut talk = Vec::new();
        for half in [&self.older, &self.recent] {
            let mut rest = &half[..];
            while let Some((header, more)) = rest.split_first_chunk() {
                let header = Header::from_bytes(*header);
                let (head, more) = more.split_at(header.head.into());
                let (tail, more) = more.split_at(header.tail.into());
                header.read_lines(head, tail, &mut talk);
                rest = more;
            }
        }
        talk
    }
}

/// What stands before the bytes of a line.
struct Header {
    at: u64,
    left_out: u32,
    head: u16,
    tail: u8,
    by: Speaker,
}

impl Header {
    /// The lines between which something is missing are one line, as far as anybody knows.
    fn read_lines(&self, head: &[u8], tail: &[u8], talk: &mut Vec<Utterance>) {
        let mut say = |head: &[u8], tail: &[u8], left_out: u32| {
            talk.push(Utterance {
                at: Moment::from_nanos(self.at),
                by: self.by,
                head: head.to_vec(),
                tail: tail.to_vec(),
                left_out: left_out as usize,
            });
        };
        let mut heads = head.split(|&byte| byte == b'\n').peekable();
        let mut tails = tail.split(|&byte| byte == b'\n');
        while let Some(line) = heads.next() {
            if heads.peek().is_some() {
                say(line, b"", 0);
            } else {
                say(line, tails.next().unwrap_or_default(), self.left_out);
            }
        }
        tails.for_each(|line| say(line, b"", 0));
    }

    fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&self.at.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.left_out.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.head.to_le_bytes());
        bytes[14] = self.tail;
        bytes[15] = match self.by {
            Speaker::Engine => 0,
            Speaker::Referee => 1,
        };
        bytes
    }

    fn from_bytes(bytes: [u8; HEADER_BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, tail, by] = bytes;
        Self {
            at: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            left_out: u32::from_le_bytes([i, j, k, l]),
            head: u16::from_le_bytes([m, n]),
            tail,
            by: if by == 0 {
                Speaker::Engine
            } else {
                Speaker::Referee
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_talk_is_kept_in_bounded_memory() {
        let mut transcript = Transcript::new();
        let capacity = transcript.recent.capacity();
        for n in 0..100_000_u64 {
            let by = if n % 3 == 0 {
                Speaker::Referee
            } else {
                Speaker::Engine
            };
            transcript.note(Moment::from_nanos(n), by, format!("line {n}").as_bytes());
        }
        assert_eq!(
            (capacity, capacity),
            (transcript.recent.capacity(), transcript.older.capacity())
        );
        let talk = transcript.read();
        assert!(200 < talk.len(), "{}", talk.len());
        for (line, n) in talk.iter().rev().zip((0..100_000_u64).rev()) {
            assert_eq!(line.at, Moment::from_nanos(n));
            assert_eq!(line.head, format!("line {n}").as_bytes());
            assert_eq!(line.by == Speaker::Referee, n % 3 == 0);
        }
    }

    #[track_caller]
    fn check_sent(text: &str, want: &[&str]) {
        let mut transcript = Transcript::new();
        transcript.note(Moment::ZERO, Speaker::Referee, text.as_bytes());
        let lines: Vec<String> = (transcript.read().iter())
            .map(|line| {
                let gap = if line.left_out == 0 { "" } else { "..." };
                let [head, tail] = [&line.head, &line.tail].map(|text| text.escape_ascii());
                format!("{head}{gap}{tail}")
            })
            .collect();
        assert_eq!(lines, want);
    }

    #[test]
    fn lines_that_were_sent_at_once_are_told_apart() {
        check_sent("uci", &["uci"]);
        check_sent(
            "position startpos\ngo wtime 100 btime 100",
            &["position startpos", "go wtime 100 btime 100"],
        );
        let moves = "e2e4 e7e5 ".repeat(80);
        let position = format!("position startpos moves {moves}e1e2");
        let go = "go wtime 100";
        let end = &position[position.len() - (TAIL_BYTES - go.len() - 1)..];
        check_sent(
            &format!("ucinewgame\n{position}\n{go}"),
            &[
                "ucinewgame",
                &format!("{}...{end}", &position[..HEAD_BYTES - "ucinewgame\n".len()]),
                go,
            ],
        );
    }

    #[test]
    fn of_a_line_of_a_megabyte_both_ends_are_kept() {
        let mut transcript = Transcript::new();
        let mut line = b"info string ".to_vec();
        line.extend(std::iter::repeat_n(b'x', 1_000_000));
        line.extend(b" the end");
        transcript.note(Moment::ZERO, Speaker::Engine, b"");
        transcript.note(Moment::ZERO, Speaker::Engine, &line);
        let [empty, long] = transcript.read().try_into().expect("two lines");
        assert!(empty.head.is_empty() && empty.left_out == 0);
        assert!(long.head.starts_with(b"info string x") && long.tail.ends_with(b"x the end"));
        assert_eq!(
            long.head.len() + long.left_out + long.tail.len(),
            line.len()
        );
    }
}
