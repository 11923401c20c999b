//! `/api/v1/tokens`.

use axum::Json;
use axum::extract::{Path, State};
use fleet_api::{Code, NewToken, Problem, Scope, TokenMade};

use super::answer::{Answer, Body};
use super::visitor::Visitor;
use crate::office::{Office, problem};

pub(super) async fn make(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Body(wanted): Body<NewToken>,
) -> Answer<TokenMade> {
    user.must(Scope::Admin)?;
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

pub(super) async fn revoke(
    State(office): State<Office>,
    Visitor(user): Visitor,
    Path(id): Path<String>,
) -> Answer<()> {
    user.must(Scope::Admin)?;
    Ok(Json(office.revoke(&id).await?))
}
