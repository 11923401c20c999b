//! What went wrong with a request.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The body of every answer with a status of 400 or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// For programs.
    pub code: Code,
    /// For people: one sentence, with what was found and what was allowed.
    pub message: String,
}

/// The kinds of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// 400: the body or a part of the address cannot be read.
    Malformed,
    /// 401: no token, or one that is not known, expired or revoked.
    Unauthenticated,
    /// 403: the token does not allow it, or a rule of the house does not.
    Forbidden,
    /// 404: there is no such thing.
    NotFound,
    /// 405: the address exists and this method does not.
    MethodNotAllowed,
    /// 408: the body does not come.
    TooSlow,
    /// 409: it is not possible in the state that the thing is in.
    Conflict,
    /// 410: the lease is over; what is unreported was lent to somebody else.
    Gone,
    /// 413: more bytes than allowed.
    TooLarge,
    /// 422: readable, and refused for what it says.
    Refused,
    /// 429: too many requests with this token.
    TooManyRequests,
    /// 503: come back later, nothing was changed.
    Unavailable,
    /// 500: a bug or a broken machine; nothing was changed.
    Internal,
    /// A newer coordinator's.
    #[serde(other)]
    Unknown,
}

impl Code {
    /// The HTTP status.
    pub const fn status(self) -> u16 {
        match self {
            Self::Malformed => 400,
            Self::Unauthenticated => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::TooSlow => 408,
            Self::Conflict => 409,
            Self::Gone => 410,
            Self::TooLarge => 413,
            Self::Refused => 422,
            Self::TooManyRequests => 429,
            Self::Unavailable => 503,
            Self::Internal | Self::Unknown => 500,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
