//! What a worker says to whoever watches it. No secret is ever in it, and nothing that a terminal would obey:
//! engines, recipes and tests are strangers' words.

use std::fmt;
use std::sync::Arc;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What goes on.
    Note,
    /// What is odd or went wrong.
    Warning,
}

/// Where lines go. Clones are the same place.
#[derive(Clone)]
pub struct Talk(Arc<Say>);

type Say = dyn Fn(Level, &str) + Send + Sync;

impl Talk {
    /// Lines go to `say`, from whatever thread.
    pub fn new(say: impl Fn(Level, &str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(say))
    }

    pub(crate) fn note(&self, line: impl fmt::Display) {
        (self.0)(Level::Note, &harmless(&line.to_string()));
    }

    pub(crate) fn warn(&self, line: impl fmt::Display) {
        (self.0)(Level::Warning, &harmless(&line.to_string()));
    }
}

/// A text in which all characters that move the cursor or turn the direction of writing are written out.
fn harmless(text: &str) -> String {
    let is_harmful = |char: char| match char {
        '\n' | '\t' => false,
        // Embeddings, overrides and isolates of Unicode's bidirectional algorithm (UAX #9).
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => char.is_control(),
    };
    let mut harmless = String::with_capacity(text.len());
    for char in text.chars() {
        match is_harmful(char) {
            true => harmless.extend(char.escape_unicode()),
            false => harmless.push(char),
        }
    }
    harmless
}

impl fmt::Debug for Talk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Talk")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        for (said, told) in [
            ("äöü 将棋\n\tfine", "äöü 将棋\n\tfine"),
            ("\u{1b}]0;owned\u{7}", r"\u{1b}]0;owned\u{7}"),
            ("safe\rgone \u{9b}31m", r"safe\u{d}gone \u{9b}31m"),
            ("a\u{202e}b", r"a\u{202e}b"),
        ] {
            assert_eq!(harmless(said), told);
        }
    }
}
