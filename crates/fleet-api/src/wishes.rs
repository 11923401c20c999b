//! What people wish of a test's turn and how it is found, and of an owner's share.

use serde::{Deserialize, Serialize};

/// Changes a test that is not over; what is not named stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeTest {
    /// Higher classes are served first, -1000 to 1000; above 0 it is for administrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    /// Its share of its owner's share, above 0 to 1000000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The share of an owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnerShare {
    /// Whose.
    pub owner: String,
    /// Among owners, above 0 to 1000000; 1 unless it is said.
    pub weight: f64,
}
