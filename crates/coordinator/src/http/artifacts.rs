//! `/api/v1/artifacts`: files by their SHA-256.

use axum::Json;
use axum::body::Body as Stream;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fleet_api::{Code, Problem};

use super::answer::{Answer, Refusal};
use super::doors::Doors;
use super::incoming::Incoming;
use super::named::Hashed;
use super::visitor::{Reader, Submitter, Visitor};
use crate::disk::Load;
use crate::office::problem;

/// Hand over a file
#[utoipa::path(
    put, path = "/api/v1/artifacts/{sha256}", tag = "artifacts", operation_id = "put_artifact",
    params(("sha256" = String, Path, description = "Its SHA-256 in lower-case hexadecimal")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, description = "It is kept")),
    security(("token" = ["submit"])),
)]
pub(super) async fn put(
    State(Doors {
        office, metrics, ..
    }): State<Doors>,
    _: Visitor<Submitter>,
    Hashed(hash): Hashed,
    request: Request,
) -> Answer<()> {
    let mut bytes = Incoming::of(request, office.artifacts().most())?;
    if office.artifacts().has(&hash).await.map_err(Problem::from)? {
        // Whoever is still sending would not hear the answer.
        while bytes.next().await?.is_some() {}
        return Ok(Json(()));
    }
    office.room_for(Load::File)?;
    let upload = office.artifacts().upload(hash).await;
    let mut upload = upload.map_err(Problem::from)?;
    while let Some(chunk) = bytes.next().await? {
        metrics.received(chunk.len());
        upload.write(&chunk).await.map_err(Problem::from)?;
    }
    upload.finish().await.map_err(Problem::from)?;
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
    State(Doors {
        office, metrics, ..
    }): State<Doors>,
    _: Visitor<Reader>,
    Hashed(hash): Hashed,
) -> Result<Response, Refusal> {
    let found = office.artifacts().download(&hash).await;
    let file = found
        .map_err(Problem::from)?
        .ok_or_else(|| problem(Code::NotFound, "there is no such file"))?;
    metrics.sent(file.length);
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_LENGTH, file.length.to_string()),
    ];
    Ok((headers, Stream::from_stream(file.bytes)).into_response())
}
