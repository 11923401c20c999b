//! `/api/v1/tests/{id}/recount`.

use axum::Json;
use axum::extract::State;
use fleet_api::Recounted;

use super::answer::Answer;
use super::named::Named;
use super::visitor::{Submitter, Visitor};
use crate::office::Office;

/// Count a test again from what is stored
#[utoipa::path(
    post, path = "/api/v1/tests/{id}/recount", tag = "tests", operation_id = "recount_test",
    params(("id" = String, Path, description = "Which test")),
    responses((status = 200, description = "What came of it", body = Recounted)),
    security(("token" = ["submit"])),
)]
pub(super) async fn recount(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Submitter>,
    Named(id): Named,
) -> Answer<Recounted> {
    Ok(Json(office.recount(&user, &id).await?))
}
