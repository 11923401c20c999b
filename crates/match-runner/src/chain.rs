//! An error and all its causes in one line.

use std::error::Error;

/// `what we were doing: why it failed: why that failed`.
pub(crate) fn chain(error: &dyn Error) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let texts: Vec<String> = causes.map(ToString::to_string).collect();
    texts.join(": ")
}
