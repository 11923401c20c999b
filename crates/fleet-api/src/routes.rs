//! Where things are under a coordinator's address.

/// Before every path of this version.
pub const PREFIX: &str = "/api/v1";

/// `POST` submits a test, `GET` lists them.
pub const TESTS: &str = "/api/v1/tests";

/// `GET` shows a test.
pub fn test(id: &str) -> String {
    format!("{TESTS}/{id}")
}

/// `POST` with an [`ActionRequest`](crate::ActionRequest).
pub fn actions(id: &str) -> String {
    format!("{TESTS}/{id}/actions")
}

/// `GET`: server-sent events, a [`TestView`](crate::TestView) each.
pub fn live(id: &str) -> String {
    format!("{TESTS}/{id}/live")
}

/// `GET`: the games that were counted, in the order of their pairs, as PGN.
pub fn games(id: &str) -> String {
    format!("{TESTS}/{id}/games")
}

/// `GET`: who did what and when.
pub fn audit(id: &str) -> String {
    format!("{TESTS}/{id}/audit")
}

/// `POST` a [`ChangeTest`](crate::ChangeTest).
pub fn settings(id: &str) -> String {
    format!("{TESTS}/{id}/settings")
}

/// `POST` an [`OwnerShare`](crate::OwnerShare), `GET` all of them.
pub const OWNERS: &str = "/api/v1/owners";

/// `GET`: its workers, compared: a [`Crew`](crate::Crew).
pub fn workers(id: &str) -> String {
    format!("{TESTS}/{id}/workers")
}

/// `POST` a [`SetAside`](crate::SetAside): the results of a worker do not count any more.
pub fn set_aside(id: &str) -> String {
    format!("{TESTS}/{id}/set-aside")
}

/// `POST` a [`BringBack`](crate::BringBack): they count again.
pub fn bring_back(id: &str) -> String {
    format!("{TESTS}/{id}/bring-back")
}

/// `POST` without a body: counts a test again, and answers with a [`Recounted`](crate::Recounted).
pub fn recount(id: &str) -> String {
    format!("{TESTS}/{id}/recount")
}

/// `PUT` and `GET` of a file by its SHA-256 in lower-case hexadecimal.
pub fn artifact(sha256: &str) -> String {
    format!("{PREFIX}/artifacts/{sha256}")
}

/// `POST` a [`Claim`](crate::Claim).
pub const CLAIMS: &str = "/api/v1/claims";

/// `POST` a [`Heartbeat`](crate::Heartbeat).
pub fn heartbeat(lease: &str) -> String {
    format!("{PREFIX}/leases/{lease}/heartbeat")
}

/// `POST` a [`Report`](crate::Report).
pub fn report(lease: &str) -> String {
    format!("{PREFIX}/leases/{lease}/pairs")
}

/// `POST` a [`Returned`](crate::Returned): the worker will play no more of it.
pub fn give_back(lease: &str) -> String {
    format!("{PREFIX}/leases/{lease}/return")
}

/// `POST` a [`NewToken`](crate::NewToken).
pub const TOKENS: &str = "/api/v1/tokens";

/// `GET`: the description of all these, in OpenAPI.
pub const OPENAPI: &str = "/api/v1/openapi.json";

/// `GET`: figures for Prometheus.
pub const METRICS: &str = "/metrics";

/// `GET`: whether the coordinator is well.
pub const HEALTH: &str = "/healthz";

/// `DELETE`: the token is worth nothing any more.
pub fn token(id: &str) -> String {
    format!("{TOKENS}/{id}")
}

/// `POST` a [`NewUser`](crate::NewUser), `GET` lists them.
pub const USERS: &str = "/api/v1/users";

/// `PATCH` with a [`ChangeUser`](crate::ChangeUser).
pub fn user(name: &str) -> String {
    format!("{USERS}/{name}")
}

/// `GET`: what was done to users and tokens.
pub const AUDIT: &str = "/api/v1/audit";

/// `POST` a [`Login`](crate::Login).
pub const LOGIN: &str = "/api/v1/login";

/// `POST` a [`ChangePassword`](crate::ChangePassword).
pub const PASSWORD: &str = "/api/v1/password";

/// `GET`: who has the token of the request.
pub const WHOAMI: &str = "/api/v1/whoami";
