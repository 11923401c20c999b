//! What stands behind the `?` of an address.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use fleet_api::Code;
use serde::de::DeserializeOwned;

use super::answer::Refusal;
use crate::office::problem;

/// What was asked for; names that are not known are ignored.
#[derive(Debug)]
pub(super) struct Asked<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Self(asked)),
            Err(error) => {
                let text = format!(
                    "what stands behind `?` cannot be read: {}",
                    error.body_text()
                );
                Err(Refusal::from(problem(Code::Malformed, text)))
            }
        }
    }
}
