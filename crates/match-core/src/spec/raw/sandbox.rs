//! The sandbox of an engine, as people write it.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::spec::Sandbox;
use crate::spec::error::SpecError;
use crate::spec::raw::value::{self, Settings};
use crate::spec::raw::words;

/// A sandbox, as far as it was said: `on`, `off`, or settings, which switch it on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSandbox {
    /// Whether there is one.
    pub on: bool,
    /// What it allows.
    pub settings: RawSandboxSettings,
}

/// What a sandbox allows, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawSandboxSettings {
    /// Memory of one process, such as `2GiB`; bare numbers are MiB, as for `Hash`.
    #[serde(deserialize_with = "value::bytes")]
    pub memory: Option<NonZeroU64>,
    /// Open files of one process.
    #[serde(deserialize_with = "value::count")]
    pub files: Option<NonZeroU32>,
    /// Processes in all.
    #[serde(deserialize_with = "value::count")]
    pub processes: Option<NonZeroU32>,
    /// What may be read and executed: a list, or a string with `:` between.
    #[serde(deserialize_with = "value::folders")]
    pub read: Option<Vec<PathBuf>>,
    /// What may be read and written: a list, or a string with `:` between.
    #[serde(deserialize_with = "value::folders")]
    pub write: Option<Vec<PathBuf>>,
}

impl RawSandbox {
    /// Reads what stands behind `flag`: `on`, `off`, or words.
    ///
    /// # Errors
    ///
    /// [`SpecError::Words`] with the flag and the word.
    pub fn from_words(flag: &str, text: &str) -> Result<Self, SpecError> {
        let on = match text {
            "on" | "true" => true,
            "off" | "false" => false,
            _ => {
                let settings = words::read(flag, text, None)?;
                return Ok(Self { on: true, settings });
            }
        };
        let settings = RawSandboxSettings::default();
        Ok(Self { on, settings })
    }

    /// A stronger `off` keeps the settings, which then say nothing.
    pub(super) fn overlaid_with(self, stronger: Self) -> Self {
        let RawSandboxSettings {
            memory,
            files,
            processes,
            read,
            write,
        } = stronger.settings;
        let weaker = self.settings;
        Self {
            on: stronger.on,
            settings: RawSandboxSettings {
                memory: memory.or(weaker.memory),
                files: files.or(weaker.files),
                processes: processes.or(weaker.processes),
                read: read.or(weaker.read),
                write: write.or(weaker.write),
            },
        }
    }

    /// The whole of it, for an engine with `options`; nothing when it is off.
    pub(super) fn resolve(self, options: &Settings) -> Option<Sandbox> {
        let RawSandboxSettings {
            memory,
            files,
            processes,
            read,
            write,
        } = self.settings;
        self.on.then(|| {
            let usual = Sandbox::usual(&options.0);
            Sandbox {
                memory: memory.unwrap_or(usual.memory),
                files: files.unwrap_or(usual.files),
                processes: processes.unwrap_or(usual.processes),
                read: read.unwrap_or_default(),
                write: write.unwrap_or_default(),
                stranger: false,
            }
        })
    }
}

impl<'de> Deserialize<'de> for RawSandbox {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SandboxVisitor)
    }
}

struct SandboxVisitor;

impl<'de> Visitor<'de> for SandboxVisitor {
    type Value = RawSandbox;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`on`, `off`, words or a table of settings")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<RawSandbox, E> {
        let settings = RawSandboxSettings::default();
        Ok(RawSandbox { on, settings })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<RawSandbox, E> {
        RawSandbox::from_words("sandbox", text).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawSandbox, A::Error> {
        let settings = RawSandboxSettings::deserialize(MapAccessDeserializer::new(map))?;
        Ok(RawSandbox { on: true, settings })
    }
}
