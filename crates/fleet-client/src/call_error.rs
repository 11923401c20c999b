//! Why a call has no answer.

use std::error::Error;
use std::io;
use std::time::Duration;

use fleet_api::{Code, Problem};
use thiserror::Error as ThisError;

/// Why a call has no answer that can be used.
#[derive(Debug, ThisError)]
pub enum CallError {
    /// No address of a server.
    #[error(
        "`{0}` is not the address of a coordinator: `http://HOST:PORT` or `https://HOST` is allowed"
    )]
    Address(String),
    /// A token that cannot be in a header.
    #[error("the token has characters that no token has")]
    Token,
    /// Nobody answers.
    #[error("the coordinator at {server} cannot be reached")]
    Unreachable {
        /// Its address.
        server: String,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The coordinator says no.
    #[error("{problem}")]
    Problem {
        /// The HTTP status.
        status: u16,
        /// What it says.
        problem: Problem,
        /// When to ask again.
        retry_after: Option<Duration>,
    },
    /// Somebody else answers, or one who speaks another language.
    #[error("{server} answers with status {status} and not as a coordinator does: {text}")]
    Foreign {
        /// Its address.
        server: String,
        /// The HTTP status.
        status: u16,
        /// The beginning of what it says.
        text: String,
        /// When to ask again.
        retry_after: Option<Duration>,
    },
    /// A file of ours could not be read or written.
    #[error("failed to {what}")]
    File {
        /// Such as ``read `engine` ``.
        what: String,
        /// Why.
        source: io::Error,
    },
}

/// What kind of trouble it is, for those who decide whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Later may be better.
    Away,
    /// The token is not accepted.
    Forbidden,
    /// There is no such thing, or no more.
    Gone,
    /// It is wrong, and will be wrong again.
    Refused,
}

impl CallError {
    /// What kind of trouble it is.
    pub fn trouble(&self) -> Trouble {
        let status = match self {
            Self::Address(_) | Self::Token | Self::File { .. } => return Trouble::Refused,
            Self::Unreachable { .. } => return Trouble::Away,
            Self::Problem { status, .. } | Self::Foreign { status, .. } => *status,
        };
        match status {
            401 | 403 => Trouble::Forbidden,
            404 | 410 => Trouble::Gone,
            408 | 425 | 429 | 500.. => Trouble::Away,
            _ => Trouble::Refused,
        }
    }

    /// What the coordinator says that it is, if it does.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Problem { problem, .. } => Some(problem.code),
            Self::Address(_)
            | Self::Token
            | Self::Unreachable { .. }
            | Self::Foreign { .. }
            | Self::File { .. } => None,
        }
    }

    /// When to ask again, if the coordinator said so.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Problem { retry_after, .. } | Self::Foreign { retry_after, .. } => *retry_after,
            Self::Address(_) | Self::Token | Self::Unreachable { .. } | Self::File { .. } => None,
        }
    }

    /// What may help.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unreachable { .. } => {
                Some("is `arbiter serve` running there, and is the address right?".into())
            }
            Self::Foreign { .. } => Some(
                "the address is that of a coordinator, without a path: `http://HOST:PORT`".into(),
            ),
            Self::Problem { problem, .. } => match problem.code {
                Code::Unauthenticated => Some(
                    "`--token-file`, `ARBITER_TOKEN_FILE` or `arbiter login` say who we are".into(),
                ),
                _ => None,
            },
            Self::Address(_) | Self::Token | Self::File { .. } => None,
        }
    }

    /// What is said, with all its causes, in one line.
    pub fn chain(&self) -> String {
        let causes = std::iter::successors(Some(self as &dyn Error), |&error| error.source());
        let texts: Vec<String> = causes.map(ToString::to_string).collect();
        texts.join(": ")
    }
}
