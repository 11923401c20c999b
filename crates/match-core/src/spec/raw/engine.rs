//! An engine as people write it.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::limits::{Limits, TimeControl, parse_tc};
use crate::spec::error::{SPARRING_LEVEL_MAX, SpecError};
use crate::spec::raw::value::{self, Settings};
use crate::spec::raw::{RawGit, RawSandbox, overlay, words};
use crate::spec::{EngineCommand, EngineSpec};

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
    /// For the fleet, instead of `cmd`: where the program is built from.
    pub git: Option<RawGit>,
    /// For the fleet: where its uploaded program runs, such as `x86_64-linux`; `any` is everywhere.
    #[serde(deserialize_with = "value::line")]
    pub platform: Option<String>,
    /// What it may use; a switch, words or a table.
    pub sandbox: Option<RawSandbox>,
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
            git,
            platform,
            sandbox,
        } = stronger;
        Self {
            name: name.or(self.name),
            cmd: cmd.or(self.cmd),
            args: args.or(self.args),
            dir: dir.or(self.dir),
            env: self.env.overlaid_with(env, |a, b| a == b),
            options: self.options.overlaid_with(options, is_same_option),
            proto: proto.or(self.proto),
            restart: restart.or(self.restart),
            tc: tc.or(self.tc),
            st: st.or(self.st),
            nodes: nodes.or(self.nodes),
            depth: depth.or(self.depth),
            timemargin: timemargin.or(self.timemargin),
            git: git.or(self.git),
            platform: platform.or(self.platform),
            sandbox: overlay(self.sandbox, sandbox, RawSandbox::overlaid_with),
        }
    }

    /// The name that it has or that its command makes: `./builds/new` is `new`, `sparring:5` is
    /// `sparring-5`.
    pub(in crate::spec) fn default_name(cmd: &str) -> String {
        if is_sparring(cmd) {
            return cmd.replace(':', "-");
        }
        Path::new(cmd).file_name().map_or_else(
            || cmd.to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// The whole of it, for use outside a contest, where limits do not matter; `label` stands for it in
    /// messages.
    ///
    /// # Errors
    ///
    /// Whatever makes no engine, as [`SpecError`] lists it.
    pub fn resolve_alone(mut self, label: &str) -> Result<EngineSpec, SpecError> {
        let Some(cmd) = &self.cmd else {
            let engine = label.to_owned();
            return Err(SpecError::CommandMissing { engine });
        };
        let name = self.name.clone().unwrap_or_else(|| Self::default_name(cmd));
        self.depth = self.depth.or(Some(NonZeroU32::MIN));
        self.resolve(name)
    }

    /// The whole of it, called `name`.
    pub(in crate::spec) fn resolve(self, name: String) -> Result<EngineSpec, SpecError> {
        let Self {
            name: _,
            cmd,
            args,
            dir,
            env,
            options,
            proto: _,
            restart,
            tc,
            st,
            nodes,
            depth,
            timemargin,
            git,
            platform: _,
            sandbox,
        } = self;
        let Some(cmd) = cmd else {
            let engine = format!("engine `{name}`");
            if git.is_some() {
                return Err(SpecError::GitHere { engine });
            }
            return Err(SpecError::CommandMissing { engine });
        };
        let limits = Limits {
            clock: tc.flatten(),
            move_time: st,
            nodes,
            depth,
            margin: timemargin.unwrap_or_default(),
        };
        if limits.is_unbounded() {
            return Err(SpecError::LimitMissing { name });
        }
        if st.is_some_and(|st| st.is_zero()) {
            return Err(SpecError::MoveTimeZero { name });
        }
        let args = args.unwrap_or_default();
        let sandbox = sandbox.and_then(|sandbox| sandbox.resolve(&options));
        Ok(EngineSpec {
            command: match is_sparring(&cmd) {
                true => sparring_command(&name, cmd, args, (dir, env))?,
                false => EngineCommand::Program {
                    program: PathBuf::from(cmd),
                    args,
                    dir,
                    env: resolve_env(&name, env)?,
                },
            },
            options: resolve_options(&name, options)?,
            limits,
            restart: restart.unwrap_or(false),
            sandbox,
            name,
        })
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

const SPARRING: &str = "sparring";

/// Whether the built-in engine is meant; a program of that name is `./sparring`.
fn is_sparring(cmd: &str) -> bool {
    cmd.strip_prefix(SPARRING)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

fn sparring_command(
    engine: &str,
    cmd: String,
    args: Vec<String>,
    unused: (Option<PathBuf>, Settings),
) -> Result<EngineCommand, SpecError> {
    let (dir, Settings(env)) = unused;
    for (key, given) in [("dir", dir.is_some()), ("env", !env.is_empty())] {
        if given {
            let engine = engine.to_owned();
            return Err(SpecError::SparringSetting { engine, key });
        }
    }
    let Some((_, level)) = cmd.split_once(':') else {
        return Ok(EngineCommand::Sparring { args });
    };
    match level.parse() {
        Ok(level @ 1..=SPARRING_LEVEL_MAX) => {
            let mut all = vec!["--level".to_owned(), level.to_string()];
            all.extend(args);
            Ok(EngineCommand::Sparring { args: all })
        }
        _ => Err(SpecError::SparringLevel { command: cmd }),
    }
}

fn resolve_env(engine: &str, Settings(env): Settings) -> Result<Vec<(String, String)>, SpecError> {
    match env.iter().find(|(name, _)| name.contains('=')) {
        Some((name, _)) => Err(SpecError::EnvName {
            engine: engine.to_owned(),
            name: name.clone(),
        }),
        None => Ok(env),
    }
}

/// UCI's names of options have no case.
fn is_same_option(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Engines size their hash tables for the threads that they know of, so `Threads` is set first.
fn resolve_options(
    engine: &str,
    Settings(mut options): Settings,
) -> Result<Vec<(String, String)>, SpecError> {
    for (i, (first, _)) in options.iter().enumerate() {
        for (second, _) in &options[i + 1..] {
            if is_same_option(first, second) {
                return Err(SpecError::OptionTwice {
                    engine: engine.to_owned(),
                    first: first.clone(),
                    second: second.clone(),
                });
            }
        }
    }
    options.sort_by_key(|(name, _)| !is_same_option(name, "Threads"));
    Ok(options)
}
