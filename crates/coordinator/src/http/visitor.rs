//! Who sends a request: the token in `Authorization: Bearer`, and whether it opens this door.

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use fleet_api::{Code, Scope};

use super::answer::Refusal;
use super::doors::Doors;
use super::front::Whose;
use crate::office::{User, problem};

/// Whom a door opens to. The handler's description says the same, and a test compares them.
pub(super) trait Door {
    /// One of these scopes is needed.
    const SCOPES: &'static [Scope];
}

/// Somebody whose token opens the door, known before the body is read.
#[derive(Debug)]
pub(super) struct Visitor<D>(pub(super) User, pub(super) PhantomData<D>);

macro_rules! doors {
    ($($(#[$doc:meta])* $name:ident: $($scope:ident)|+;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(super) struct $name;

        impl Door for $name {
            const SCOPES: &'static [Scope] = &[$(Scope::$scope),+];
        }
    )*};
}

doors! {
    /// Who looks.
    Reader: Read;
    /// Who plays.
    Player: Worker;
    /// Who submits tests.
    Submitter: Submit;
    /// Who acts on tests; which, is decided by whose test it is.
    Actor: Submit | Approve;
    /// Who administrates.
    Admin: Admin;
}

/// The token in a header's value. Names of schemes are the same in all cases: RFC 9110, 11.1.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

impl<D: Door> FromRequestParts<Doors> for Visitor<D> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, doors: &Doors) -> Result<Self, Refusal> {
        let header = parts
            .headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let token = header.and_then(bearer);
        let Some(token) = token else {
            let text = "a token is needed: `Authorization: Bearer TOKEN`";
            return Err(Refusal::from(problem(Code::Unauthenticated, text)));
        };
        let user = doors.office.user(token.trim()).await?;
        if let Some(whose) = parts.extensions.get::<Whose>() {
            whose.is(&user.name);
        }
        let plays = D::SCOPES == [Scope::Worker];
        doors.may(&user.token, plays).map_err(|wait| {
            let text = "too many requests with this token; others want their turn";
            Refusal::from(problem(Code::TooManyRequests, text)).after(wait)
        })?;
        user.must_have_one_of(D::SCOPES)?;
        Ok(Self(user, PhantomData))
    }
}
