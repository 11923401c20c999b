//! What is done for every request: a number, a line in the log, figures; and no panic gets out.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fleet_api::Code;
use futures_util::FutureExt;

use super::answer::Refusal;
use super::doors::Doors;
use crate::office::problem;

/// The header that names a request, as the log does.
const REQUEST_ID: &str = "x-request-id";

/// Whose request it is, when that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Whose(Arc<OnceLock<String>>);

impl Whose {
    /// It is `name`'s.
    pub(super) fn is(&self, name: &str) {
        let _said_before = self.0.set(name.to_owned());
    }
}

pub(super) async fn front(
    State(doors): State<Doors>,
    mut request: Request,
    next: Next,
) -> Response {
    static REQUESTS: AtomicU64 = AtomicU64::new(0);
    let began = Instant::now();
    let number = REQUESTS.fetch_add(1, Ordering::Relaxed);
    let id = format!("{}-{number}", doors.office.life());
    let whose = Whose::default();
    request.extensions_mut().insert(whose.clone());
    let method = known(request.method());
    // The pattern and not the address: names are many, and somebody may write a secret there.
    let pattern = request.extensions().get::<MatchedPath>().cloned();
    let route = pattern.as_ref().map_or("none", MatchedPath::as_str);
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let mut response = answered.unwrap_or_else(|_| {
        tracing::error!(request = id, route, "a bug: answering panicked");
        let text = format!("a bug of the coordinator; its log has more at request {id}");
        Refusal::from(problem(Code::Internal, text)).into_response()
    });
    let (status, took) = (response.status().as_u16(), began.elapsed());
    doors.metrics.answered(route, method, status, took);
    let user = whose.0.get().map_or("", String::as_str);
    let ms = took.as_micros() as f64 / 1000.0;
    tracing::info!(request = id, method, route, status, ms, user, "request");
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// A method by name; those that nobody knows are one.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
