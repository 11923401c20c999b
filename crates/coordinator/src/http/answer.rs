//! Bodies that come and go.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fleet_api::{Code, Problem};
use serde::de::DeserializeOwned;

use super::incoming::Incoming;
use crate::office::problem;

/// What a handler answers.
pub(super) type Answer<T> = Result<Json<T>, Refusal>;

/// A problem as an answer.
#[derive(Debug)]
pub(super) struct Refusal {
    problem: Problem,
    /// When it is worth while to come again, if that is known.
    wait: Option<Duration>,
}

impl Refusal {
    /// The same with the time after which to come again.
    pub(super) fn after(self, wait: Duration) -> Self {
        let wait = Some(wait);
        Self { wait, ..self }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self {
            problem,
            wait: None,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let code = self.problem.code;
        let status =
            StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let usual = match code {
            Code::TooManyRequests => Some(Duration::from_secs(59)),
            Code::Unavailable => Some(Duration::from_secs(1)),
            _ => None,
        };
        let mut response = (status, Json(self.problem)).into_response();
        if let Some(wait) = self.wait.or(usual) {
            // Whole seconds, and none is at once.
            let seconds = HeaderValue::from(wait.as_secs() + 1);
            response.headers_mut().insert(RETRY_AFTER, seconds);
        }
        response
    }
}

/// The longest body in words, in bytes: a test has at most 256 KiB, and JSON makes six bytes of a
/// character at worst.
const WORDS_MAX: u64 = 2 * 1024 * 1024;

/// A body of JSON of at most so many bytes, whatever its content type says.
#[derive(Debug)]
pub(super) struct Body<T, const MAX: u64 = WORDS_MAX>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned, const MAX: u64> FromRequest<S> for Body<T, MAX> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let bytes = Incoming::of(request, MAX)?.whole().await?;
        if has_nul(&bytes) {
            let text = "the body has the character `\\u0000`, which no text here has";
            return Err(Refusal::from(problem(Code::Malformed, text)));
        }
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            let text = format!("the body is not the JSON that is expected here: {error}");
            Refusal::from(problem(Code::Malformed, text))
        })
    }
}

/// Whether the JSON has the one character that PostgreSQL does not keep. It has no other form in JSON.
fn has_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        let escape = &rest[at + 1..];
        if escape.starts_with(b"u0000") {
            return true;
        }
        rest = escape.get(1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_is_told_from_a_backslash_before_digits() {
        assert!(has_nul(br#"{"a": "b\u0000"}"#));
        assert!(has_nul(br#""\\\u0000""#));
        assert!(!has_nul(br#""\\u0000 \u0001""#));
        assert!(!has_nul(br#""\"#));
    }
}
