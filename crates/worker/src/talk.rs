//! What a worker says to whoever watches it. No secret is ever in it.

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
        (self.0)(Level::Note, &line.to_string());
    }

    pub(crate) fn warn(&self, line: impl fmt::Display) {
        (self.0)(Level::Warning, &line.to_string());
    }
}

impl fmt::Debug for Talk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Talk")
    }
}
