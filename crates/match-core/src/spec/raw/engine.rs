//! An engine as people write it.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::limits::{TimeControl, parse_tc};
use crate::spec::error::SpecError;
use crate::spec::raw::value::{self, Settings};
use crate::spec::raw::words;

/// One engine, or what all engines share, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawEngine {
    /// Its name in all reports.
    #[serde(deserialize_with = "value::line")]
    pub name: Option<String>,
    /// A path, a name that is looked up in `PATH`, or `sparring:LEVEL`.
    #[serde(deserialize_with = "value::line")]
    pub cmd: Option<String>,
    /// Arguments: a string that is split as a shell would, or a list.
    #[serde(deserialize_with = "value::arguments")]
    pub args: Option<Vec<String>>,
    /// Working folder.
    #[serde(deserialize_with = "value::path")]
    pub dir: Option<PathBuf>,
    /// Added to its environment; `env.NAME=` among words.
    pub env: Settings,
    /// UCI options; `option.NAME=` among words.
    pub options: Settings,
    /// The protocol: `uci`, which is the only one.
    #[serde(deserialize_with = "value::parsed")]
    pub proto: Option<Protocol>,
    /// A fresh process for every game.
    #[serde(deserialize_with = "value::switch")]
    pub restart: Option<bool>,
    /// `[moves/]base+inc`, in seconds; `inf` is no clock, and takes one away that all engines have.
    #[serde(deserialize_with = "clock")]
    pub tc: Option<Option<TimeControl>>,
    /// A fixed time a move; bare numbers are seconds.
    #[serde(deserialize_with = "value::seconds")]
    pub st: Option<Duration>,
    /// Nodes a move.
    #[serde(deserialize_with = "value::count")]
    pub nodes: Option<NonZeroU64>,
    /// Depth a move, in plies.
    #[serde(deserialize_with = "value::count")]
    pub depth: Option<NonZeroU32>,
    /// How far a clock or a fixed time may be overrun; bare numbers are milliseconds, as in the
    /// other runners.
    #[serde(deserialize_with = "value::milliseconds")]
    pub timemargin: Option<Duration>,
}

/// The protocols that engines speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
}

impl RawEngine {
    /// Reads the words of `flag`, `--engine` or `--each`. A first word without `=` is the `cmd`.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        words::read(flag, text, Some("cmd"))
    }

    /// This with what `stronger` says in its place; options and environment name by name.
    #[must_use]
    pub fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            name,
            cmd,
            args,
            dir,
            env,
            options,
            proto,
            restart,
            tc,
            st,
            nodes,
            depth,
            timemargin,
        } = stronger;
        Self {
            name: name.or(self.name),
            cmd: cmd.or(self.cmd),
            args: args.or(self.args),
            dir: dir.or(self.dir),
            env: self.env.overlaid_with(env),
            options: self.options.overlaid_with(options),
            proto: proto.or(self.proto),
            restart: restart.or(self.restart),
            tc: tc.or(self.tc),
            st: st.or(self.st),
            nodes: nodes.or(self.nodes),
            depth: depth.or(self.depth),
            timemargin: timemargin.or(self.timemargin),
        }
    }
}

impl value::Named for Protocol {
    const WHAT: &'static str = "a protocol that arbiter speaks";
    const NAMES: &'static [(&'static str, Self)] = &[("uci", Self::Uci)];
}

fn clock<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<TimeControl>>, D::Error> {
    let text = value::text(deserializer)?;
    parse_tc(&text).map(Some).map_err(Error::custom)
}
