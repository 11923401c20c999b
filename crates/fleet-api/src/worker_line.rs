//! The workers of a fleet.

use serde::{Deserialize, Serialize};

/// A worker in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkerLine {
    /// What it calls itself for good; unique.
    pub id: String,
    /// For people.
    pub name: String,
    /// Whose token it has.
    pub owner: String,
    /// Its arbiter.
    pub version: String,
    /// Such as `x86_64-linux`.
    pub platform: String,
    /// CPUs that it lends.
    pub cores: u32,
    /// Memory that it lends, in MiB.
    pub memory_mib: u64,
    /// When it was heard of last; one that lives is noted every few minutes.
    pub seen_ms: u64,
    /// Pairs that it has played and nobody has acknowledged, as it said last.
    pub spool: u64,
    /// What it plays now, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plays: Option<Playing>,
    /// Why it gets nothing, if an administrator has barred it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barred: Option<WorkerBar>,
}

/// A worker gets nothing any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkerBar {
    /// Since when.
    pub at_ms: u64,
    /// By whom.
    pub who: String,
    /// Why.
    pub why: String,
}

/// Bars a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BarWorker {
    /// What it calls itself, or its name if no other worker has it.
    pub worker: String,
    /// Why.
    pub reason: String,
}

/// Lets a worker play again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnbarWorker {
    /// What it calls itself, or its name if no other worker has it.
    pub worker: String,
}

/// What a worker plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Playing {
    /// Under which lease.
    pub lease: String,
    /// Of which test.
    pub test: String,
    /// What that is about.
    pub test_name: String,
    /// Pairs that are lent to it.
    pub pairs: u64,
    /// Those that it has reported.
    pub reported: u64,
}
