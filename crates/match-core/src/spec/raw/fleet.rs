//! What only a fleet needs to know: the section `[fleet]` and where engines are built from.
//!
//! `arbiter match` plays a file that has the section and takes no notice of it, so that a test can be
//! tried at home before it is submitted.

use std::num::NonZeroU64;
use std::path::PathBuf;

use serde::Deserialize;

use crate::spec::raw::value::{self, Settings};

/// A test beside its contest, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawFleet {
    /// What the test is called; without it `NEW against OLD`.
    #[serde(deserialize_with = "value::line")]
    pub name: Option<String>,
    /// Higher classes are served first; 0 if nothing is said.
    #[serde(deserialize_with = "value::integer")]
    pub priority: Option<i64>,
    /// Its share among its owner's tests, above 0; 1 if nothing is said.
    #[serde(deserialize_with = "value::number")]
    pub weight: Option<f64>,
    /// Nodes a second of the base engine on the machine for which the times of the contest are meant;
    /// faster and slower ones get less and more.
    #[serde(
        rename = "reference-nps",
        alias = "reference_nps",
        deserialize_with = "value::count"
    )]
    pub reference_nps: Option<NonZeroU64>,
    /// The engine whose speed is measured, by its name; the last one if nothing is said.
    #[serde(deserialize_with = "value::line")]
    pub base: Option<String>,
    /// Words to find it by.
    #[serde(deserialize_with = "value::arguments")]
    pub tags: Option<Vec<String>>,
    /// Free text, of as many lines as it takes.
    pub note: Option<String>,
    /// Programs and files that each worker has at this path and is told to trust.
    #[serde(deserialize_with = "value::folders")]
    pub trust: Option<Vec<PathBuf>>,
    /// For each other file that the contest names, its SHA-256 in the coordinator's store; written by
    /// `arbiter submit` when it uploads them.
    pub artifacts: Settings,
}

/// An engine that is built from its sources, at a revision that is pinned when the test is submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a section of settings")]
pub struct RawGit {
    /// The repository, as `git clone` takes it.
    #[serde(deserialize_with = "value::line")]
    pub url: Option<String>,
    /// A branch, a tag or a commit.
    #[serde(deserialize_with = "value::line")]
    pub rev: Option<String>,
    /// The command that builds the program to `{out}`, run by a shell in the checkout.
    #[serde(deserialize_with = "value::line")]
    pub build: Option<String>,
    /// Programs that it needs, such as `make gcc`.
    #[serde(deserialize_with = "value::arguments")]
    pub toolchain: Option<Vec<String>>,
    /// The nodes that the program counts when it is run with the argument `bench`.
    #[serde(deserialize_with = "value::whole")]
    pub bench: Option<u64>,
}
