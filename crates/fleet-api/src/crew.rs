//! The workers of a test, compared.

use serde::{Deserialize, Serialize};

/// The workers of a test, and how much they differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Crew {
    /// One for each worker on each of its platforms.
    pub workers: Vec<CrewMember>,
    /// How much they differ.
    pub heterogeneity: Heterogeneity,
}

/// What a worker did in a test, and how that compares with the rest of its platform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CrewMember {
    /// What it calls itself for good; unique.
    pub worker: String,
    /// For people.
    pub name: String,
    /// What it ran on when it played; empty if nobody knows.
    pub platform: String,
    /// Its pairs that count.
    pub pairs: u64,
    /// The same by the score of the first engine.
    pub pentanomial: [u64; 5],
    /// The mean score of the first engine, 0 to 1.
    pub score: Option<f64>,
    /// Its part of all pairs that count, 0 to 1.
    pub share: f64,
    /// Whether that is so much that its luck is the test's.
    pub is_share_large: bool,
    /// Games in which a flag fell, whichever engine's.
    pub time_losses: u64,
    /// Games in which an engine crashed.
    pub crashes: u64,
    /// Its p-values.
    pub p: CrewTests,
    /// What it stands out by, at most one in twenty of all flags by chance: `mean or decisiveness`,
    /// `decisiveness`, `time losses`, `crashes`.
    pub flags: Vec<String>,
    /// Pairs of it that are set aside.
    pub pairs_aside: u64,
    /// Why it gets no more pairs of the test, if it gets none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barred: Option<CrewBar>,
}

/// How likely so large a difference to the rest of the platform is by chance; nothing where there is
/// nothing to compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CrewTests {
    /// Of the mean score.
    pub mean: Option<f64>,
    /// Of how often pairs are won, whoever wins them.
    pub decisiveness: Option<f64>,
    /// Of both together.
    pub pairs: Option<f64>,
    /// Of so many time losses.
    pub time_losses: Option<f64>,
    /// Of so many crashes.
    pub crashes: Option<f64>,
}

/// A worker gets no more pairs of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CrewBar {
    /// `flagged`: by the rules of the house. `set aside`: by a person, and its results do not count.
    pub kind: String,
    /// When.
    pub at_ms: u64,
    /// By whom: a user, or `arbiter`.
    pub who: String,
    /// Why.
    pub why: String,
}

/// How much the workers of a test differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Heterogeneity {
    /// All workers against the common mean; its `phi` inflates the variance of the log-likelihood ratio.
    pub overall: Option<Overdispersion>,
    /// Workers against the means of their platforms.
    pub within_platforms: Option<Overdispersion>,
    /// Platforms against the common mean.
    pub between_platforms: Option<Overdispersion>,
}

/// Cochran's test that groups of pairs have one mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overdispersion {
    /// The statistic.
    pub q: f64,
    /// Its expectation by chance.
    pub dof: u64,
    /// How likely so large a one is by chance.
    pub p: f64,
    /// At least 1: q / dof.
    pub phi: f64,
}
