//! What goes wrong with a test on a host.

use serde::{Deserialize, Serialize};

/// What is known of a trouble that left a lease without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Failure {
    /// A program that was built counts other nodes in its bench than it should.
    Bench {
        /// Whose.
        engine: String,
        /// What the test says.
        expected: u64,
        /// What was counted.
        found: u64,
    },
    /// A recipe cannot be carried out, or makes nothing that runs. Not: its repository is away.
    Build {
        /// Whose.
        engine: String,
    },
}

/// A trouble that a worker told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trouble {
    /// Which worker.
    pub worker: String,
    /// What people call its machine.
    pub host: String,
    /// When it was told.
    pub at_ms: u64,
    /// What went wrong, with the end of what compilers and engines said.
    pub text: String,
}

/// How fast a worker is with the base engine of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Speed {
    /// Which worker.
    pub worker: String,
    /// What people call its machine.
    pub host: String,
    /// Nodes a second.
    pub nps: u64,
    /// By how much it multiplies times.
    pub factor: f64,
}

/// A worker that gets no more of a test, or none for a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Barred {
    /// Which worker.
    pub worker: String,
    /// What people call its machine.
    pub host: String,
    /// Why, in a few words.
    pub why: String,
    /// Until when; none if for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}
