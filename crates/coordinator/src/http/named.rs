//! Names in addresses.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use fleet_api::Code;
use fleet_core::test_spec::Sha256;

use super::answer::Refusal;
use crate::office::problem;

/// The longest name of a test, a lease or a token, in bytes; ours have 36.
const NAME_MAX: usize = 64;

/// What a test, a lease, a token or a user is called: letters, digits, `-`, `_` and `.`.
#[derive(Debug)]
pub(super) struct Named(pub(super) String);

/// What a file is called.
#[derive(Debug)]
pub(super) struct Hashed(pub(super) Sha256);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let name = segment(parts, state).await?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        match name.len() <= NAME_MAX && name.bytes().all(is_plain) {
            true => Ok(Self(name)),
            false => {
                let text = format!(
                    "what is named here is called by at most {NAME_MAX} letters, digits, `-`, `_` and `.`"
                );
                Err(Refusal::from(problem(Code::Malformed, text)))
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Hashed {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let digits = segment(parts, state).await?;
        Sha256::parse(&digits).map(Self).map_err(|_| {
            let text = "a file is called by its SHA-256: 64 hexadecimal digits, lower case";
            Refusal::from(problem(Code::Malformed, text))
        })
    }
}

async fn segment<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<String, Refusal> {
    let Path(segment) = Path::<String>::from_request_parts(parts, state)
        .await
        .map_err(|error: PathRejection| {
            Refusal::from(problem(Code::Malformed, error.body_text()))
        })?;
    Ok(segment)
}
