//! Is this machine fit to measure engines, and how many games at a time are honest?
//!
//! ```text
//! facts      what is known of a machine                            plain data
//! gather     asks this machine, and measures for two seconds       does, decides nothing
//! judge      facts to findings                                     decides, does nothing
//! ```

use std::num::NonZeroUsize;

use serde::Serialize;

mod facts;
mod gather;
mod judge;
mod latency;

pub use facts::{Facts, Memory, WakeUps};
pub use gather::{Depth, gather};
pub use judge::judge;

/// What a doctor finds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// Whether nothing was found that would falsify a test.
    pub fit: bool,
    /// How many games at a time do not disturb each other.
    pub concurrency: NonZeroUsize,
    /// In the order of the table.
    pub findings: Vec<Finding>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What to think of it.
    pub mark: Mark,
    /// What it is about: `cores`, `clock`, `load` ...
    pub topic: &'static str,
    /// How it is.
    pub text: String,
    /// What may help, unless all is well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// What to think of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// As it should be.
    Ok,
    /// Noise: more games are needed, and both engines suffer alike.
    Warn,
    /// It would falsify a test: time losses, or moves that were not thought about, depend on it.
    Bad,
}

impl Mark {
    /// As in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}
