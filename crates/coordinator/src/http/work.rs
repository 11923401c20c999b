//! `/api/v1/claims` and `/api/v1/leases`.

use axum::Json;
use axum::extract::State;
use fleet_api::{Claim, Claimed, Heartbeat, HeartbeatAnswer, Report, ReportAnswer, Returned};

use super::answer::{Answer, Body};
use super::doors::Doors;
use super::named::Named;
use super::visitor::{Player, Visitor};
use crate::disk::Load;
use crate::office::Office;

/// The longest report, in bytes: the most pairs of long games.
const REPORT_MAX: u64 = 64 * 1024 * 1024;

/// Ask for work
#[utoipa::path(
    post, path = "/api/v1/claims", tag = "work", operation_id = "claim",
    request_body = Claim,
    responses((status = 200, description = "Work, or when to ask again", body = Claimed)),
    security(("token" = ["worker"])),
)]
pub(super) async fn claim(
    State(doors): State<Doors>,
    Visitor(user, _): Visitor<Player>,
    Body(claim): Body<Claim>,
) -> Answer<Claimed> {
    doors.office.room_for(Load::Lease)?;
    let claimed = doors.office.claim(&user, claim).await?;
    if claimed.grant.is_some() {
        doors.metrics.granted();
    }
    Ok(Json(claimed))
}

/// Say that a lease is alive
#[utoipa::path(
    post, path = "/api/v1/leases/{id}/heartbeat", tag = "work", operation_id = "heartbeat",
    params(("id" = String, Path, description = "Which lease")),
    request_body = Heartbeat,
    responses((status = 200, description = "What to do with it", body = HeartbeatAnswer)),
    security(("token" = ["worker"])),
)]
pub(super) async fn heartbeat(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Player>,
    Named(id): Named,
    Body(heartbeat): Body<Heartbeat>,
) -> Answer<HeartbeatAnswer> {
    Ok(Json(office.heartbeat(&user, &id, heartbeat).await?))
}

/// Report pairs that were played
#[utoipa::path(
    post, path = "/api/v1/leases/{id}/pairs", tag = "work", operation_id = "report",
    params(("id" = String, Path, description = "Which lease")),
    request_body = Report,
    responses((status = 200, description = "What became of each; all of it is durable", body = ReportAnswer)),
    security(("token" = ["worker"])),
)]
pub(super) async fn report(
    State(doors): State<Doors>,
    Visitor(user, _): Visitor<Player>,
    Named(id): Named,
    Body(report): Body<Report, REPORT_MAX>,
) -> Answer<ReportAnswer> {
    let answer = doors.office.report(&user, &id, report).await?;
    doors.metrics.reported(&answer);
    Ok(Json(answer))
}

/// Give a lease back
#[utoipa::path(
    post, path = "/api/v1/leases/{id}/return", tag = "work", operation_id = "give_back",
    params(("id" = String, Path, description = "Which lease")),
    request_body = Returned,
    responses((status = 200, description = "What is unreported of it can be lent again")),
    security(("token" = ["worker"])),
)]
pub(super) async fn take_back(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Player>,
    Named(id): Named,
    Body(returned): Body<Returned>,
) -> Answer<()> {
    Ok(Json(office.take_back(&user, &id, returned).await?))
}
