//! `/api/v1/tests/{id}/settings` and `/api/v1/owners`.

use axum::Json;
use axum::extract::State;
use fleet_api::{ChangeTest, OwnerShare, TestView};

use super::answer::{Answer, Body};
use super::named::Named;
use super::visitor::{Admin, Reader, Submitter, Visitor};
use crate::office::Office;

/// Change priority, weight, tags or note of a test
#[utoipa::path(
    post, path = "/api/v1/tests/{id}/settings", tag = "tests", operation_id = "change_test",
    params(("id" = String, Path, description = "Which test")),
    request_body = ChangeTest,
    responses((status = 200, description = "It is done; the test as it is then", body = TestView)),
    security(("token" = ["submit"])),
)]
pub(super) async fn change(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Submitter>,
    Named(id): Named,
    Body(request): Body<ChangeTest>,
) -> Answer<TestView> {
    office.change_test(&user, &id, request).await?;
    Ok(Json(office.view(&id).await?))
}

/// List the shares of owners
#[utoipa::path(
    get, path = "/api/v1/owners", tag = "users", operation_id = "list_owners",
    responses((status = 200, description = "Who has had something, or another share", body = [OwnerShare])),
    security(("token" = ["read"])),
)]
pub(super) async fn list(
    State(office): State<Office>,
    _: Visitor<Reader>,
) -> Answer<Vec<OwnerShare>> {
    Ok(Json(office.owners().await?))
}

/// Give an owner another share
#[utoipa::path(
    post, path = "/api/v1/owners", tag = "users", operation_id = "set_owner",
    request_body = OwnerShare,
    responses((status = 200, description = "It is done")),
    security(("token" = ["admin"])),
)]
pub(super) async fn set(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Admin>,
    Body(share): Body<OwnerShare>,
) -> Answer<()> {
    Ok(Json(office.set_owner(&user, share).await?))
}
