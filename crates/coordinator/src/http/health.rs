//! `/healthz`.

use axum::extract::State;

use super::answer::Refusal;
use crate::office::Office;

/// Whether the store answers and the disk takes something; status 503 with a reason if not
#[utoipa::path(
    get, path = "/healthz", tag = "service", operation_id = "healthz",
    responses((status = 200, description = "It is well", body = String, content_type = "text/plain")),
    security(()),
)]
pub(super) async fn healthz(State(office): State<Office>) -> Result<&'static str, Refusal> {
    office.health().await?;
    Ok("ok\n")
}
