//! `/api/v1/workers`, `bar` and `unbar`.

use axum::Json;
use axum::extract::State;
use fleet_api::{BarWorker, UnbarWorker, WhichWorkers, WorkerLine};

use super::answer::{Answer, Body};
use super::asked::Asked;
use super::visitor::{Admin, Reader, Visitor};
use crate::office::Office;

/// List the workers of the fleet, those heard of last first
#[utoipa::path(
    get, path = "/api/v1/workers", tag = "work", operation_id = "list_workers",
    params(WhichWorkers),
    responses((status = 200, description = "A page of them", body = [WorkerLine])),
    security(("token" = ["read"])),
)]
pub(super) async fn list(
    State(office): State<Office>,
    _: Visitor<Reader>,
    Asked(which): Asked<WhichWorkers>,
) -> Answer<Vec<WorkerLine>> {
    Ok(Json(office.workers(which).await?))
}

/// Lend a worker nothing any more
#[utoipa::path(
    post, path = "/api/v1/workers/bar", tag = "work", operation_id = "bar_worker",
    request_body = BarWorker,
    responses((status = 200, description = "What it held can be lent again; what it has played counts")),
    security(("token" = ["admin"])),
)]
pub(super) async fn bar(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Admin>,
    Body(wanted): Body<BarWorker>,
) -> Answer<()> {
    Ok(Json(office.bar_worker(&user, wanted).await?))
}

/// Let a worker that was barred play again
#[utoipa::path(
    post, path = "/api/v1/workers/unbar", tag = "work", operation_id = "unbar_worker",
    request_body = UnbarWorker,
    responses((status = 200, description = "It may play")),
    security(("token" = ["admin"])),
)]
pub(super) async fn unbar(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Admin>,
    Body(wanted): Body<UnbarWorker>,
) -> Answer<()> {
    Ok(Json(office.unbar_worker(&user, wanted).await?))
}
