//! Where things are under a coordinator's address.

/// Before every path of this version.
pub const PREFIX: &str = "/api/v1";

/// `POST` submits a test, `GET` lists them: those that a [`WhichTests`](crate::WhichTests) says.
pub const TESTS: &str = "/api/v1/tests";

/// `GET` shows a test.
pub fn test(id: &str) -> String {
    format!("{TESTS}/{}", segment(id))
}

/// `POST` with an [`ActionRequest`](crate::ActionRequest).
pub fn actions(id: &str) -> String {
    format!("{TESTS}/{}/actions", segment(id))
}

/// `GET`: server-sent events, a [`TestView`](crate::TestView) each.
pub fn live(id: &str) -> String {
    format!("{TESTS}/{}/live", segment(id))
}

/// `GET`: the games that were counted, in the order of their pairs, as PGN.
pub fn games(id: &str) -> String {
    format!("{TESTS}/{}/games", segment(id))
}

/// `GET`: those that came after the end of the test, and do not count.
pub fn late_games(id: &str) -> String {
    format!("{TESTS}/{}/games/late", segment(id))
}

/// `GET`: who did what and when.
pub fn audit(id: &str) -> String {
    format!("{TESTS}/{}/audit", segment(id))
}

/// `POST` a [`ChangeTest`](crate::ChangeTest).
pub fn settings(id: &str) -> String {
    format!("{TESTS}/{}/settings", segment(id))
}

/// `POST` an [`OwnerShare`](crate::OwnerShare), `GET` all of them.
pub const OWNERS: &str = "/api/v1/owners";

/// `GET`: the workers of the fleet, those that a [`WhichWorkers`](crate::WhichWorkers) says.
pub const WORKERS: &str = "/api/v1/workers";

/// `POST` a [`BarWorker`](crate::BarWorker): it gets nothing any more.
pub const BAR_WORKER: &str = "/api/v1/workers/bar";

/// `POST` an [`UnbarWorker`](crate::UnbarWorker): it may play again.
pub const UNBAR_WORKER: &str = "/api/v1/workers/unbar";

/// `GET`: its workers, compared: a [`Crew`](crate::Crew).
pub fn workers(id: &str) -> String {
    format!("{TESTS}/{}/workers", segment(id))
}

/// `POST` a [`SetAside`](crate::SetAside): the results of a worker do not count any more.
pub fn set_aside(id: &str) -> String {
    format!("{TESTS}/{}/set-aside", segment(id))
}

/// `POST` a [`BringBack`](crate::BringBack): they count again.
pub fn bring_back(id: &str) -> String {
    format!("{TESTS}/{}/bring-back", segment(id))
}

/// `POST` without a body: counts a test again, and answers with a [`Recounted`](crate::Recounted).
pub fn recount(id: &str) -> String {
    format!("{TESTS}/{}/recount", segment(id))
}

/// `PUT` and `GET` of a file by its SHA-256 in lower-case hexadecimal.
pub fn artifact(sha256: &str) -> String {
    format!("{PREFIX}/artifacts/{}", segment(sha256))
}

/// `POST` a [`Claim`](crate::Claim).
pub const CLAIMS: &str = "/api/v1/claims";

/// `POST` a [`Heartbeat`](crate::Heartbeat).
pub fn heartbeat(lease: &str) -> String {
    format!("{PREFIX}/leases/{}/heartbeat", segment(lease))
}

/// `POST` a [`Report`](crate::Report).
pub fn report(lease: &str) -> String {
    format!("{PREFIX}/leases/{}/pairs", segment(lease))
}

/// `POST` a [`Returned`](crate::Returned): the worker will play no more of it.
pub fn give_back(lease: &str) -> String {
    format!("{PREFIX}/leases/{}/return", segment(lease))
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
    format!("{TOKENS}/{}", segment(id))
}

/// `POST` a [`NewUser`](crate::NewUser), `GET` lists them.
pub const USERS: &str = "/api/v1/users";

/// `PATCH` with a [`ChangeUser`](crate::ChangeUser).
pub fn user(name: &str) -> String {
    format!("{USERS}/{}", segment(name))
}

/// `GET`: what was done to users and tokens.
pub const AUDIT: &str = "/api/v1/audit";

/// `POST` a [`Login`](crate::Login).
pub const LOGIN: &str = "/api/v1/login";

/// `POST` a [`ChangePassword`](crate::ChangePassword).
pub const PASSWORD: &str = "/api/v1/password";

/// `GET`: who has the token of the request.
pub const WHOAMI: &str = "/api/v1/whoami";

/// A name as a part of an address, whatever its characters.
pub(crate) fn segment(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_does_not_leave_its_place() {
        assert_eq!(super::test("../é b"), "/api/v1/tests/%2E%2E%2F%C3%A9%20b");
        assert_eq!(super::games("0a-b_c"), "/api/v1/tests/0a-b_c/games");
    }
}
