//! `/api/v1/tokens`.

use axum::Json;
use axum::extract::State;
use fleet_api::{Code, NewToken, Problem, TokenMade};

use super::answer::{Answer, Body};
use super::named::Named;
use super::visitor::{Admin, Visitor};
use crate::office::{Office, problem};

/// Make a token
#[utoipa::path(
    post, path = "/api/v1/tokens", tag = "users", operation_id = "make_token",
    request_body = NewToken,
    responses((status = 200, description = "The token, said this once", body = TokenMade)),
    security(("token" = ["admin"])),
)]
pub(super) async fn make(
    State(office): State<Office>,
    _: Visitor<Admin>,
    Body(wanted): Body<NewToken>,
) -> Answer<TokenMade> {
    if wanted.user.trim().is_empty() || wanted.user.contains(char::is_control) {
        let text = "a user has a name of one line";
        return Err(problem(Code::Refused, text).into());
    }
    if wanted.scopes.is_empty() {
        let text = "a token without scopes allows nothing: at least one is needed";
        return Err(problem(Code::Refused, text).into());
    }
    Ok(Json(
        office.make_token(wanted).await.map_err(Problem::from)?,
    ))
}

/// Take a token's worth away
#[utoipa::path(
    delete, path = "/api/v1/tokens/{id}", tag = "users", operation_id = "revoke_token",
    params(("id" = String, Path, description = "Which token; not the token itself")),
    responses((status = 200, description = "It is worth nothing any more")),
    security(("token" = ["admin"])),
)]
pub(super) async fn revoke(
    State(office): State<Office>,
    _: Visitor<Admin>,
    Named(id): Named,
) -> Answer<()> {
    Ok(Json(office.revoke(&id).await?))
}
