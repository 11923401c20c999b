//! People, and how they get tokens.

use serde::{Deserialize, Serialize};

use crate::{Scope, Secret};

/// Makes a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewUser {
    /// What it is called: at most 64 letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// 8 to 1024 bytes.
    pub password: Secret,
    /// What its tokens may allow.
    pub scopes: Vec<Scope>,
}

/// Changes a user; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeUser {
    /// What its tokens may allow from now on, those that it has too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<Scope>>,
    /// Whether it and all its tokens are worth nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    /// A new password; who has logged in with the old one is logged out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Secret>,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UserView {
    /// What it is called.
    pub name: String,
    /// What its tokens may allow.
    pub scopes: Vec<Scope>,
    /// Whether it and all its tokens are worth nothing.
    pub disabled: bool,
    /// When it was made.
    pub created_ms: u64,
}

/// Asks for a token with a password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Login {
    /// Who.
    pub name: String,
    /// The password.
    pub password: Secret,
}

/// The token that a password brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LoggedIn {
    /// For revoking it.
    pub id: String,
    /// The token itself, said this once.
    pub token: Secret,
    /// What it allows.
    pub scopes: Vec<Scope>,
    /// When it ends.
    pub expires_ms: u64,
}

/// Changes one's own password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangePassword {
    /// The password until now.
    pub old: Secret,
    /// From now on: 8 to 1024 bytes.
    pub new: Secret,
}

/// Who has the token of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Whoami {
    /// Whose it is.
    pub name: String,
    /// What the token is called.
    pub token: String,
    /// What it allows.
    pub scopes: Vec<Scope>,
    /// When it ends, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<u64>,
}

/// A token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenView {
    /// What it is called.
    pub id: String,
    /// Whose it is.
    pub user: String,
    /// What it allows.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created_ms: u64,
    /// When it ends, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<u64>,
}
