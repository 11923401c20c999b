//! Results that a person sets aside, and brings back.

use serde::{Deserialize, Serialize};

/// Sets the results of a worker in a test aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetAside {
    /// What the worker calls itself, or its name if no other worker of the test has it.
    pub worker: String,
    /// Why.
    pub reason: String,
}

/// Brings them back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BringBack {
    /// What the worker calls itself, or its name if no other worker of the test has it.
    pub worker: String,
}

/// What was moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Moved {
    /// What the worker calls itself.
    pub worker: String,
    /// Pairs that are aside now, or count again.
    pub pairs: u64,
    /// Pairs that stay aside, because others have played them again.
    pub left: u64,
}

/// What of a test is aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Aside {
    /// Pairs in all.
    pub pairs: u64,
    /// Whose.
    pub workers: Vec<AsideWorker>,
    /// What the test would come to with them; only of two engines. Pairs that were played again are
    /// in it twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<WithAside>,
}

/// A worker of which something is aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AsideWorker {
    /// What it calls itself.
    pub worker: String,
    /// For people.
    pub name: String,
    /// Its pairs that are aside.
    pub pairs: u64,
    /// Who set them aside last; nothing when the worker was brought back and others have played
    /// these pairs again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Everything that was played, whatever is aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WithAside {
    /// Pairs by the first engine's score.
    pub pentanomial: [u64; 5],
    /// Its Elo.
    pub elo: Option<f64>,
    /// The interval of that at 95 %.
    pub elo_ci95: Option<[f64; 2]>,
    /// Its normalized Elo.
    pub nelo: Option<f64>,
    /// The interval of that at 95 %.
    pub nelo_ci95: Option<[f64; 2]>,
}
