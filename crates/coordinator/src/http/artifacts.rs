//! `/api/v1/artifacts`: files by their SHA-256.

use axum::Json;
use axum::body::Body as Stream;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fleet_api::{Code, Problem, Scope};
use fleet_core::test_spec::Sha256;
use futures_util::StreamExt;
use tokio::fs::File;
use tokio_util::io::ReaderStream;

use super::answer::{Answer, Refusal};
use super::visitor::Visitor;
use crate::artifacts::ArtifactError;
use crate::office::{Office, problem};

pub(super) async fn put(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Path(digits): Path<String>,
    body: Stream,
) -> Answer<()> {
    user.must(Scope::Submit)?;
    let hash = hash(&digits)?;
    if office.artifacts().find(&hash).await.is_some() {
        return Ok(Json(()));
    }
    let mut upload = office.artifacts().upload(hash).await.map_err(refused)?;
    let mut bytes = body.into_data_stream();
    while let Some(chunk) = bytes.next().await {
        let chunk = chunk.map_err(|error| problem(Code::Malformed, error.to_string()))?;
        upload.write(&chunk).await.map_err(refused)?;
    }
    upload.finish().await.map_err(refused)?;
    Ok(Json(()))
}

pub(super) async fn get(
    State(office): State<Office>,
    _: Visitor,
    Path(digits): Path<String>,
) -> Result<Response, Refusal> {
    let unknown = || problem(Code::NotFound, "there is no such file");
    let path = office
        .artifacts()
        .find(&hash(&digits)?)
        .await
        .ok_or_else(unknown)?;
    let file = File::open(path).await.map_err(|_| unknown())?;
    let length = file.metadata().await.map_err(|_| unknown())?.len();
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_LENGTH, length.to_string()),
    ];
    Ok((headers, Stream::from_stream(ReaderStream::new(file))).into_response())
}

fn hash(digits: &str) -> Result<Sha256, Problem> {
    Sha256::parse(digits).map_err(|_| {
        let text = "a file is called by its SHA-256: 64 hexadecimal digits, lower case";
        problem(Code::Malformed, text)
    })
}

fn refused(error: ArtifactError) -> Problem {
    match error {
        ArtifactError::Hash { .. } => problem(Code::Refused, error.to_string()),
        ArtifactError::TooLong(_) => problem(Code::TooLarge, error.to_string()),
        ArtifactError::Io(source) => {
            tracing::error!(%source, "an artifact was not kept");
            problem(Code::Unavailable, "the file cannot be kept at present")
        }
    }
}
