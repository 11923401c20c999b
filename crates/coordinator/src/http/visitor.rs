//! Who sends a request: the token in `Authorization: Bearer`.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use fleet_api::Code;

use super::answer::Refusal;
use crate::office::{Office, User, problem};

/// Somebody with a token that is worth something.
#[derive(Debug)]
pub(super) struct Visitor(pub(super) User);

impl FromRequestParts<Office> for Visitor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, office: &Office) -> Result<Self, Refusal> {
        let header = parts
            .headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let token = header.and_then(|value| value.strip_prefix("Bearer "));
        let Some(token) = token else {
            let text = "a token is needed: `Authorization: Bearer TOKEN`";
            return Err(Refusal(problem(Code::Unauthenticated, text)));
        };
        Ok(Self(office.user(token.trim()).await?))
    }
}
