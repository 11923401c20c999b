//! `/api/v1/claims` and `/api/v1/leases`.

use axum::Json;
use axum::extract::{Path, State};
use fleet_api::{Claim, Claimed, Heartbeat, HeartbeatAnswer, Report, ReportAnswer, Returned};

use super::answer::{Answer, Body};
use super::visitor::Visitor;
use crate::office::Office;

pub(super) async fn claim(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Body(claim): Body<Claim>,
) -> Answer<Claimed> {
    Ok(Json(office.claim(&user, claim).await?))
}

pub(super) async fn heartbeat(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Path(id): Path<String>,
    Body(heartbeat): Body<Heartbeat>,
) -> Answer<HeartbeatAnswer> {
    Ok(Json(office.heartbeat(&user, &id, heartbeat).await?))
}

pub(super) async fn report(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Path(id): Path<String>,
    Body(report): Body<Report>,
) -> Answer<ReportAnswer> {
    Ok(Json(office.report(&user, &id, report).await?))
}

pub(super) async fn take_back(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Path(id): Path<String>,
    Body(returned): Body<Returned>,
) -> Answer<()> {
    Ok(Json(office.take_back(&user, &id, returned).await?))
}
