//! Tests as their owners see them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::aside::Aside;
use crate::recount::Recounted;
use crate::{Barred, Speed, Trouble};

/// Gives a test to the fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmitTest {
    /// The contest as `arbiter match` reads it, in TOML, with a section `[fleet]`.
    pub spec: String,
    /// Sent again with the same key, it is the same test: a repeated request makes no second one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Submitted {
    /// What the test is called from now on.
    pub id: String,
    /// `queued`, or `submitted` where somebody must approve it first.
    pub state: State,
}

/// Where a test stands in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nobody has approved it.
    Submitted,
    /// Workers get pairs of it.
    Queued,
    /// They get no new ones for the time being.
    Paused,
    /// The sequential test accepted H1.
    Accepted,
    /// It accepted H0.
    Rejected,
    /// All pairs are played and nothing was to be decided, or nothing could be.
    Finished,
    /// Somebody stopped it, or something had to.
    Stopped,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Submitted,
        Self::Queued,
        Self::Paused,
        Self::Accepted,
        Self::Rejected,
        Self::Finished,
        Self::Stopped,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Queued => "queued",
            Self::Paused => "paused",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
        }
    }

    /// The state of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether nothing changes it any more.
    pub const fn is_final(self) -> bool {
        match self {
            Self::Submitted | Self::Queued | Self::Paused => false,
            Self::Accepted | Self::Rejected | Self::Finished | Self::Stopped => true,
        }
    }
}

/// A test in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TestLine {
    /// What it is called.
    pub id: String,
    /// What it is about; names are not unique.
    pub name: String,
    /// Who submitted it.
    pub owner: String,
    /// Where it stands.
    pub state: State,
    /// When it was submitted.
    pub created_ms: u64,
    /// Pairs counted.
    pub pairs: u64,
    /// Pairs wanted; none when only a decision ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs_wanted: Option<u64>,
    /// The log-likelihood ratio, if it is a sequential test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
}

/// All of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TestView {
    /// What it is called.
    pub id: String,
    /// What it is about.
    pub name: String,
    /// Who submitted it.
    pub owner: String,
    /// Where it stands.
    pub state: State,
    /// Why it was stopped, if somebody or something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why nothing of it can be played at present: its book is gone, say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// When it was submitted.
    pub created_ms: u64,
    /// When it came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<u64>,
    /// Higher classes are served first.
    pub priority: i64,
    /// Its share of its owner's share.
    pub weight: f64,
    /// Free words.
    pub tags: Vec<String>,
    /// Free text.
    pub note: String,
    /// As it was submitted.
    pub spec: String,
    /// Pairs wanted; none when only a decision ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs_wanted: Option<u64>,
    /// Pairs lent out at present.
    pub pairs_lent: u64,
    /// Workers that hold a lease of it.
    pub workers_now: u64,
    /// Pairs that came after the decision: kept, shown and not counted.
    pub late_pairs: u64,
    /// How many of them scored 0, ½, 1, 1½ and 2 for the first engine; not of more than two engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_pentanomial: Option<[u64; 5]>,
    /// The last things that workers had trouble with, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub troubles: Vec<Trouble>,
    /// Workers that get nothing of it at present.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub barred: Vec<Barred>,
    /// Results that a person has set aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<Aside>,
    /// The last time that it was counted again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recount: Option<Recounted>,
    /// How fast its workers are, if its times are for a reference speed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speeds: Vec<Speed>,
    /// The fields of `summary.json`.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, Value>))]
    pub summary: serde_json::Map<String, Value>,
}

/// What can be done to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Let it run.
    Approve,
    /// Lend no more of it.
    Pause,
    /// Lend it again.
    Resume,
    /// End it.
    Stop,
}

/// Does it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionRequest {
    /// What.
    pub action: Action,
    /// Why, for those who come later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A change of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditEntry {
    /// When.
    pub at_ms: u64,
    /// Who: a user, or `arbiter` for a decision.
    pub who: String,
    /// What.
    pub action: String,
    /// Particulars.
    pub detail: String,
}
