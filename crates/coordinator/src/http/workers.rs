//! `/api/v1/workers`.

use axum::Json;
use axum::extract::State;
use fleet_api::{WhichWorkers, WorkerLine};

use super::answer::Answer;
use super::asked::Asked;
use super::visitor::{Reader, Visitor};
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
