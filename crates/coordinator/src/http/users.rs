//! `/api/v1/users`, `/login`, `/password`, `/whoami`, `/audit`.

use axum::Json;
use axum::extract::State;
use fleet_api::{
    AuditEntry, ChangePassword, ChangeUser, LoggedIn, Login, NewUser, UserView, Whoami,
};

use super::answer::{Answer, Body};
use super::named::Named;
use super::peer::Peer;
use super::visitor::{Admin, Reader, Visitor};
use crate::disk::Load;
use crate::office::Office;

/// List all users
#[utoipa::path(
    get, path = "/api/v1/users", tag = "users", operation_id = "list_users",
    responses((status = 200, description = "All users, by name", body = [UserView])),
    security(("token" = ["admin"])),
)]
pub(super) async fn list(State(office): State<Office>, _: Visitor<Admin>) -> Answer<Vec<UserView>> {
    Ok(Json(office.users().await?))
}

/// Make a user
#[utoipa::path(
    post, path = "/api/v1/users", tag = "users", operation_id = "add_user",
    request_body = NewUser,
    responses((status = 200, description = "It can log in", body = UserView)),
    security(("token" = ["admin"])),
)]
pub(super) async fn add(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Admin>,
    Body(new): Body<NewUser>,
) -> Answer<UserView> {
    office.room_for(Load::Words)?;
    Ok(Json(office.add_user(&user, new).await?))
}

/// Set what a user may, disable it, or give it another password
#[utoipa::path(
    patch, path = "/api/v1/users/{name}", tag = "users", operation_id = "change_user",
    params(("name" = String, Path, description = "Which user")),
    request_body = ChangeUser,
    responses((status = 200, description = "The user as it is then", body = UserView)),
    security(("token" = ["admin"])),
)]
pub(super) async fn change(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Admin>,
    Named(name): Named,
    Body(change): Body<ChangeUser>,
) -> Answer<UserView> {
    Ok(Json(office.change_user(&user, &name, change).await?))
}

/// Get a token for a password
#[utoipa::path(
    post, path = "/api/v1/login", tag = "users", operation_id = "log_in",
    request_body = Login,
    responses((status = 200, description = "A token with all that the user may, for 30 days", body = LoggedIn)),
    security(()),
)]
pub(super) async fn log_in(
    State(office): State<Office>,
    Peer(from): Peer,
    Body(login): Body<Login>,
) -> Answer<LoggedIn> {
    office.room_for(Load::Words)?;
    Ok(Json(office.log_in(login, from).await?))
}

/// Change one's own password
#[utoipa::path(
    post, path = "/api/v1/password", tag = "users", operation_id = "change_password",
    request_body = ChangePassword,
    responses((status = 200, description = "All other logins of this user have ended")),
    security(("token" = ["read"])),
)]
pub(super) async fn change_password(
    State(office): State<Office>,
    Visitor(user, _): Visitor<Reader>,
    Peer(from): Peer,
    Body(change): Body<ChangePassword>,
) -> Answer<()> {
    Ok(Json(office.change_password(&user, change, from).await?))
}

/// Show who has the token of the request
#[utoipa::path(
    get, path = "/api/v1/whoami", tag = "users", operation_id = "whoami",
    responses((status = 200, description = "Who, and what the token allows", body = Whoami)),
    security(("token" = ["read"])),
)]
pub(super) async fn whoami(Visitor(user, _): Visitor<Reader>) -> Answer<Whoami> {
    Ok(Json(user.view()))
}

/// Show what was done to users and tokens, by whom and when
#[utoipa::path(
    get, path = "/api/v1/audit", tag = "users", operation_id = "audit_users",
    responses((status = 200, description = "All changes, oldest first", body = [AuditEntry])),
    security(("token" = ["admin"])),
)]
pub(super) async fn audit(
    State(office): State<Office>,
    _: Visitor<Admin>,
) -> Answer<Vec<AuditEntry>> {
    Ok(Json(office.audit_of_users().await?))
}
