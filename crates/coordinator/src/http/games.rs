//! `/api/v1/tests/{id}/games`: PGN, page by page, whatever its length.

use std::io;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::answer::Refusal;
use super::named::Named;
use super::visitor::{Reader, Visitor};
use crate::office::{Games, Office};

/// The games that were counted, in the order of their pairs
#[utoipa::path(
    get, path = "/api/v1/tests/{id}/games", tag = "tests", operation_id = "games_of_test",
    params(("id" = String, Path, description = "Which test")),
    responses((status = 200, description = "PGN", body = String, content_type = "application/x-chess-pgn")),
    security(("token" = ["read"])),
)]
pub(super) async fn games(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Named(id): Named,
) -> Result<Response, Refusal> {
    all(office, id, Games::Counted).await
}

/// The games that came after the end of a test, and do not count
#[utoipa::path(
    get, path = "/api/v1/tests/{id}/games/late", tag = "tests", operation_id = "late_games_of_test",
    params(("id" = String, Path, description = "Which test")),
    responses((status = 200, description = "PGN", body = String, content_type = "application/x-chess-pgn")),
    security(("token" = ["read"])),
)]
pub(super) async fn late_games(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Named(id): Named,
) -> Result<Response, Refusal> {
    all(office, id, Games::Late).await
}

async fn all(office: Office, id: String, which: Games) -> Result<Response, Refusal> {
    // An unknown test is told of by the status, not by a body that breaks off.
    let first = office.games(&id, which, 0).await?;
    let pages = stream::unfold(Some((office, id, first)), move |state| async move {
        let (office, id, (text, next)) = state?;
        if text.is_empty() {
            return None;
        }
        let page = Ok::<_, io::Error>(text);
        match office.games(&id, which, next).await {
            Ok(following) => Some((page, Some((office, id, following)))),
            Err(problem) => Some((Err(io::Error::other(problem.message)), None)),
        }
    });
    let headers = [(CONTENT_TYPE, "application/x-chess-pgn")];
    Ok((headers, Body::from_stream(pages)).into_response())
}
