//! `/api/v1/artifacts`: files by their SHA-256.

use axum::Json;
use axum::body::Body as Stream;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fleet_api::{Code, Problem};
use tokio::fs::File;
use tokio_util::io::ReaderStream;

use super::answer::{Answer, Refusal};
use super::incoming::Incoming;
use super::named::Hashed;
use super::visitor::{Reader, Submitter, Visitor};
use crate::artifacts::ArtifactError;
use crate::disk::Load;
use crate::office::{Office, problem};

/// Hand over a file
#[utoipa::path(
    put, path = "/api/v1/artifacts/{sha256}", tag = "artifacts", operation_id = "put_artifact",
    params(("sha256" = String, Path, description = "Its SHA-256 in lower-case hexadecimal")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, description = "It is kept")),
    security(("token" = ["submit"])),
)]
pub(super) async fn put(
    State(office): State<Office>,
    _: Visitor<Submitter>,
    Hashed(hash): Hashed,
    request: Request,
) -> Answer<()> {
    let mut bytes = Incoming::of(request, office.artifacts().most())?;
    if office.artifacts().find(&hash).await.is_some() {
        // Whoever is still sending would not hear the answer.
        while bytes.next().await?.is_some() {}
        return Ok(Json(()));
    }
    office.room_for(Load::File)?;
    let mut upload = office.artifacts().upload(hash).await.map_err(refused)?;
    while let Some(chunk) = bytes.next().await? {
        upload.write(&chunk).await.map_err(refused)?;
    }
    upload.finish().await.map_err(refused)?;
    Ok(Json(()))
}

/// Fetch a file
#[utoipa::path(
    get, path = "/api/v1/artifacts/{sha256}", tag = "artifacts", operation_id = "get_artifact",
    params(("sha256" = String, Path, description = "Its SHA-256 in lower-case hexadecimal")),
    responses((status = 200, description = "Its bytes", body = Vec<u8>, content_type = "application/octet-stream")),
    security(("token" = ["read"])),
)]
pub(super) async fn get(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Hashed(hash): Hashed,
) -> Result<Response, Refusal> {
    let unknown = || problem(Code::NotFound, "there is no such file");
    let path = office.artifacts().find(&hash).await.ok_or_else(unknown)?;
    let file = File::open(path).await.map_err(|_| unknown())?;
    let length = file.metadata().await.map_err(|_| unknown())?.len();
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_LENGTH, length.to_string()),
    ];
    Ok((headers, Stream::from_stream(ReaderStream::new(file))).into_response())
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
