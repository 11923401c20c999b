//! Bodies that come and go.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use fleet_api::{Code, Problem};
use serde::de::DeserializeOwned;

use crate::office::problem;

/// What a handler answers.
pub(super) type Answer<T> = Result<Json<T>, Refusal>;

/// A problem as an answer.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) Problem);

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(self.0)).into_response()
    }
}

/// A body of JSON, whatever its content type says.
#[derive(Debug)]
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let bytes = Bytes::from_request(request, state).await.map_err(|error| {
            let code = match &error {
                BytesRejection::FailedToBufferBody(_)
                    if error.status() == StatusCode::PAYLOAD_TOO_LARGE =>
                {
                    Code::TooLarge
                }
                _ => Code::Malformed,
            };
            Refusal(problem(code, error.body_text()))
        })?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            let text = format!("the body is not the JSON that is expected here: {error}");
            Refusal(problem(Code::Malformed, text))
        })
    }
}
