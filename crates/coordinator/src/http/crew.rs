//! `/api/v1/tests/{id}/workers`, `set-aside` and `bring-back`.

use axum::Json;
use axum::extract::State;
use fleet_api::{BringBack, Crew, Moved, SetAside};

use super::answer::{Answer, Body};
use super::named::Named;
use super::visitor::{Reader, Submitter, Visitor};
use crate::office::Office;

/// Compare the workers of a test
#[utoipa::path(
    get, path = "/api/v1/tests/{id}/workers", tag = "tests", operation_id = "compare_workers",
    params(("id" = String, Path, description = "Which test")),
    responses((status = 200, description = "Each against the rest of its platform", body = Crew)),
    security(("token" = ["read"])),
)]
pub(super) async fn show(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Named(id): Named,
) -> Answer<Crew> {
    Ok(Json(office.crew(&id).await?))
}

/// Set the results of a worker aside
#[utoipa::path(
    post, path = "/api/v1/tests/{id}/set-aside", tag = "tests", operation_id = "set_aside",
    params(("id" = String, Path, description = "Which test")),
    request_body = SetAside,
    responses((status = 200, description = "They do not count any more", body = Moved)),
    security(("token" = ["submit"])),
)]
pub(super) async fn set_aside(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Submitter>,
    Named(id): Named,
    Body(request): Body<SetAside>,
) -> Answer<Moved> {
    Ok(Json(office.set_aside(&user, &id, request).await?))
}

/// Bring the results of a worker back
#[utoipa::path(
    post, path = "/api/v1/tests/{id}/bring-back", tag = "tests", operation_id = "bring_back",
    params(("id" = String, Path, description = "Which test")),
    request_body = BringBack,
    responses((status = 200, description = "They count again", body = Moved)),
    security(("token" = ["submit"])),
)]
pub(super) async fn bring_back(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Submitter>,
    Named(id): Named,
    Body(request): Body<BringBack>,
) -> Answer<Moved> {
    Ok(Json(office.bring_back(&user, &id, request).await?))
}
