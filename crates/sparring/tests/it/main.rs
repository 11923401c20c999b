//! The engine through its public doors: the program's pipes and the search.

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

mod conversation;
mod play;
mod vices;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program under way.
struct Talk {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Talk {
    fn with(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sparring"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            stdin,
            stdout,
        }
    }

    fn say(&mut self, lines: &str) {
        let mut stdin = self.stdin.as_ref().expect("it is open");
        // An engine that dies while it is spoken to is what some tests are about.
        let _may_be_gone = stdin.write_all(format!("{lines}\n").as_bytes());
    }

    /// All lines up to the first that begins with `word`, that one included.
    fn hear(&mut self, word: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        while lines.last().is_none_or(|line| !line.starts_with(word)) {
            let mut line = String::new();
            let read = self.stdout.read_line(&mut line).unwrap();
            assert!(
                read > 0,
                "the engine ended before it said `{word}`: {lines:?}"
            );
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// Closes the input; everything still said, and the exit code if there is one.
    fn end(mut self) -> (Vec<u8>, Option<i32>) {
        self.stdin = None;
        let mut rest = Vec::new();
        self.stdout.read_to_end(&mut rest).unwrap();
        (rest, self.child.wait().unwrap().code())
    }
}

/// All that is said to `lines` and the end of the input, and the exit code.
fn transcript(args: &[&str], lines: &str) -> (Vec<u8>, Option<i32>) {
    let mut talk = Talk::with(args);
    talk.say(lines);
    talk.end()
}
