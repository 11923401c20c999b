//! How long to wait for engines outside their clocks, as people write it.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::Deserialize;

use crate::spec::Patience;
use crate::spec::error::SpecError;
use crate::spec::raw::{value, words};

/// Waits, as far as they were said; bare numbers are seconds. What each is for, the resolved
/// [`Patience`](crate::spec::Patience) says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a section of settings",
    rename_all = "kebab-case"
)]
pub struct RawPatience {
    /// For `uciok` and the first `readyok`.
    #[serde(deserialize_with = "value::seconds")]
    pub startup: Option<Duration>,
    /// For the `readyok` after `ucinewgame`.
    #[serde(deserialize_with = "value::seconds")]
    pub ping: Option<Duration>,
    /// For `bestmove` after a `go` without a clock.
    #[serde(deserialize_with = "value::seconds")]
    pub watchdog: Option<Duration>,
    /// For `bestmove` after `stop`.
    #[serde(deserialize_with = "value::seconds")]
    pub settle: Option<Duration>,
    /// For the process to end after `quit`.
    #[serde(deserialize_with = "value::seconds")]
    pub quit: Option<Duration>,
    /// Starts that may fail in a row.
    #[serde(deserialize_with = "value::count")]
    pub start_failures: Option<NonZeroU32>,
}

impl RawPatience {
    /// Reads the words of `flag`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        words::read(flag, text, None)
    }

    pub(super) fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            startup,
            ping,
            watchdog,
            settle,
            quit,
            start_failures,
        } = stronger;
        Self {
            startup: startup.or(self.startup),
            ping: ping.or(self.ping),
            watchdog: watchdog.or(self.watchdog),
            settle: settle.or(self.settle),
            quit: quit.or(self.quit),
            start_failures: start_failures.or(self.start_failures),
        }
    }

    pub(in crate::spec) fn resolve(self) -> Patience {
        let Self {
            startup,
            ping,
            watchdog,
            settle,
            quit,
            start_failures,
        } = self;
        let standard = Patience::default();
        Patience {
            startup: startup.unwrap_or(standard.startup),
            ping: ping.unwrap_or(standard.ping),
            watchdog: watchdog.unwrap_or(standard.watchdog),
            settle: settle.unwrap_or(standard.settle),
            quit: quit.unwrap_or(standard.quit),
            start_failures: start_failures.unwrap_or(standard.start_failures),
        }
    }
}
