//! Tokens: who may do what.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Secret;

/// What a token allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Look at everything.
    Read,
    /// Claim, report, fetch.
    Worker,
    /// Submit tests and act on one's own.
    Submit,
    /// Approve the tests of others.
    Approve,
    /// Everything.
    Admin,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Worker,
        Self::Submit,
        Self::Approve,
        Self::Admin,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Worker => "worker",
            Self::Submit => "submit",
            Self::Approve => "approve",
            Self::Admin => "admin",
        }
    }

    /// Whether a token with this scope may do what asks for `wanted`: `admin` may do everything, and
    /// everybody may look.
    pub fn allows(self, wanted: Self) -> bool {
        self == wanted || self == Self::Admin || wanted == Self::Read
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.name() == text)
            .ok_or_else(|| {
                let names = Self::ALL.map(Self::name).join("`, `");
                format!("`{text}` is not a scope: one of `{names}`")
            })
    }
}

/// Asks for a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewToken {
    /// Whose it will be.
    pub user: String,
    /// What it allows.
    pub scopes: Vec<Scope>,
    /// After so many days, 1 to 36500, it is worth nothing; never without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_days: Option<u32>,
}

/// A token that was made. The secret is said once and kept nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenMade {
    /// For revoking it.
    pub id: String,
    /// The token itself.
    pub token: Secret,
}
