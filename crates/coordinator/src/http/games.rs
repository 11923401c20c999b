//! `/api/v1/tests/{id}/games`: PGN, page by page, whatever its length.

use std::io;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::answer::Refusal;
use super::visitor::Visitor;
use crate::office::Office;

pub(super) async fn games(
    State(office): State<Office>,
    _: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    // An unknown test is told of by the status, not by a body that breaks off.
    let first = office.games(&id, 0).await?;
    let pages = stream::unfold(Some((office, id, first)), |state| async {
        let (office, id, (text, next)) = state?;
        if text.is_empty() {
            return None;
        }
        let page = Ok::<_, io::Error>(text);
        match office.games(&id, next).await {
            Ok(following) => Some((page, Some((office, id, following)))),
            Err(problem) => Some((Err(io::Error::other(problem.message)), None)),
        }
    });
    let headers = [(CONTENT_TYPE, "application/x-chess-pgn")];
    Ok((headers, Body::from_stream(pages)).into_response())
}
