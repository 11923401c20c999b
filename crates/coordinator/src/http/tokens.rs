//! `/api/v1/tokens`.

use axum::Json;
use axum::extract::State;
use fleet_api::{NewToken, TokenMade, TokenView};

use super::answer::{Answer, Body};
use super::named::Named;
use super::visitor::{Admin, Reader, Visitor};
use crate::disk::Load;
use crate::office::Office;

/// List one's own tokens, or everybody's with the scope `admin`; never their secrets
#[utoipa::path(
    get, path = "/api/v1/tokens", tag = "users", operation_id = "list_tokens",
    responses((status = 200, description = "Those that are worth something, newest first", body = [TokenView])),
    security(("token" = ["read"])),
)]
pub(super) async fn list(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Reader>,
) -> Answer<Vec<TokenView>> {
    Ok(Json(office.tokens(&user).await?))
}

/// Make a token
#[utoipa::path(
    post, path = "/api/v1/tokens", tag = "users", operation_id = "make_token",
    request_body = NewToken,
    responses((status = 200, description = "The token, said this once", body = TokenMade)),
    security(("token" = ["admin"])),
)]
pub(super) async fn make(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Admin>,
    Body(wanted): Body<NewToken>,
) -> Answer<TokenMade> {
    office.room_for(Load::Words)?;
    Ok(Json(office.give_token(&user, wanted).await?))
}

/// Take the worth away of a token of one's own, or of anybody's with the scope `admin`
#[utoipa::path(
    delete, path = "/api/v1/tokens/{id}", tag = "users", operation_id = "revoke_token",
    params(("id" = String, Path, description = "Which token; not the token itself")),
    responses((status = 200, description = "It is worth nothing any more")),
    security(("token" = ["read"])),
)]
pub(super) async fn revoke(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Reader>,
    Named(id): Named,
) -> Answer<()> {
    Ok(Json(office.revoke(&user, &id).await?))
}
