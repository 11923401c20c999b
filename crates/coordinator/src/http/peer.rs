//! From where a request comes.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

/// The address of who sends it, or of a proxy that passes it on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let known = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let address = known.map(|ConnectInfo(address)| address.ip());
        Ok(Self(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}
