//! A ledger that was counted again.

use serde::{Deserialize, Serialize};

/// What came of counting a test again from what is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Recounted {
    /// When.
    pub at_ms: u64,
    /// Whether it came to what is shown. If not, the coordinator or its database is broken.
    pub equal: bool,
    /// Pairs that count.
    pub pairs: u64,
    /// The games of the pairs below this number have been played again under the laws, in this
    /// recount or in those before.
    pub replayed: u64,
    /// What is not as it must be, a sentence each; the first ones if there are many.
    pub differences: Vec<String>,
}
