//! `/api/v1/tests`.

use axum::Json;
use axum::extract::{Path, State};
use fleet_api::{ActionRequest, AuditEntry, SubmitTest, Submitted, TestLine, TestView};

use super::answer::{Answer, Body};
use super::visitor::Visitor;
use crate::office::Office;

pub(super) async fn list(State(office): State<Office>, _: Visitor) -> Answer<Vec<TestLine>> {
    Ok(Json(office.list().await?))
}

pub(super) async fn submit(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Body(test): Body<SubmitTest>,
) -> Answer<Submitted> {
    Ok(Json(office.submit(&user, test).await?))
}

pub(super) async fn show(
    State(office): State<Office>,
    _: Visitor,
    Path(id): Path<String>,
) -> Answer<TestView> {
    Ok(Json(office.view(&id).await?))
}

pub(super) async fn act(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Path(id): Path<String>,
    Body(request): Body<ActionRequest>,
) -> Answer<TestView> {
    office.act(&user, &id, request).await?;
    Ok(Json(office.view(&id).await?))
}

pub(super) async fn audit(
    State(office): State<Office>,
    _: Visitor,
    Path(id): Path<String>,
) -> Answer<Vec<AuditEntry>> {
    Ok(Json(office.audit(&id).await?))
}
