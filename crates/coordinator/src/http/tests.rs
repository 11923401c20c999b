//! `/api/v1/tests`.

use axum::Json;
use axum::extract::State;
use fleet_api::{ActionRequest, AuditEntry, SubmitTest, Submitted, TestLine, TestView, WhichTests};

use super::answer::{Answer, Body};
use super::asked::Asked;
use super::named::Named;
use super::visitor::{Actor, Reader, Submitter, Visitor};
use crate::disk::Load;
use crate::office::Office;

/// List tests, newest first
#[utoipa::path(
    get, path = "/api/v1/tests", tag = "tests", operation_id = "list_tests",
    params(WhichTests),
    responses((status = 200, description = "All of them, or a page", body = [TestLine])),
    security(("token" = ["read"])),
)]
pub(super) async fn list(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Asked(which): Asked<WhichTests>,
) -> Answer<Vec<TestLine>> {
    Ok(Json(office.list(which).await?))
}

/// Give a test to the fleet
#[utoipa::path(
    post, path = "/api/v1/tests", tag = "tests", operation_id = "submit_test",
    request_body = SubmitTest,
    responses((status = 200, description = "It is stored", body = Submitted)),
    security(("token" = ["submit"])),
)]
pub(super) async fn submit(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Submitter>,
    Body(test): Body<SubmitTest>,
) -> Answer<Submitted> {
    office.room_for(Load::Words)?;
    Ok(Json(office.submit(&user, test).await?))
}

/// Show where a test stands
#[utoipa::path(
    get, path = "/api/v1/tests/{id}", tag = "tests", operation_id = "show_test",
    params(("id" = String, Path, description = "Which test")),
    responses((status = 200, description = "All of it", body = TestView)),
    security(("token" = ["read"])),
)]
pub(super) async fn show(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Named(id): Named,
) -> Answer<TestView> {
    Ok(Json(office.view(&id).await?))
}

/// Approve, pause, resume or stop a test
#[utoipa::path(
    post, path = "/api/v1/tests/{id}/actions", tag = "tests", operation_id = "act_on_test",
    params(("id" = String, Path, description = "Which test")),
    request_body = ActionRequest,
    responses((status = 200, description = "It is done; the test as it is then", body = TestView)),
    security(("token" = ["submit"]), ("token" = ["approve"])),
)]
pub(super) async fn act(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Actor>,
    Named(id): Named,
    Body(request): Body<ActionRequest>,
) -> Answer<TestView> {
    office.act(&user, &id, request).await?;
    Ok(Json(office.view(&id).await?))
}

/// Show who did what to a test and when
#[utoipa::path(
    get, path = "/api/v1/tests/{id}/audit", tag = "tests", operation_id = "audit_test",
    params(("id" = String, Path, description = "Which test")),
    responses((status = 200, description = "All changes, oldest first", body = [AuditEntry])),
    security(("token" = ["read"])),
)]
pub(super) async fn audit(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Named(id): Named,
) -> Answer<Vec<AuditEntry>> {
    Ok(Json(office.audit(&id).await?))
}
