//! `/healthz`.

/// Whether the coordinator is well
#[utoipa::path(
    get, path = "/healthz", tag = "service", operation_id = "healthz",
    responses((status = 200, description = "It is", body = String, content_type = "text/plain")),
    security(()),
)]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}
