//! The doors: JSON over HTTP. What is here reads requests and writes answers, and decides nothing.

use std::future::Future;
use std::io;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post, put};
use fleet_api::Code;
use tokio::net::TcpListener;

use crate::office::{Office, problem};

mod answer;
mod artifacts;
mod games;
mod live;
mod tests;
mod tokens;
mod visitor;
mod work;

use answer::Refusal;

/// The longest body but that of a file, in bytes: a report of the most pairs of long games.
const BODY_MAX: usize = 64 * 1024 * 1024;

/// Serves until `end` comes, and then until the requests under way are answered.
///
/// # Errors
/// When the socket fails.
pub(crate) async fn serve(
    office: Office,
    listener: TcpListener,
    end: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    axum::serve(listener, router(office))
        .with_graceful_shutdown(end)
        .await
}

fn router(office: Office) -> Router {
    Router::new()
        .route("/api/v1/tests", get(tests::list).post(tests::submit))
        .route("/api/v1/tests/{id}", get(tests::show))
        .route("/api/v1/tests/{id}/actions", post(tests::act))
        .route("/api/v1/tests/{id}/audit", get(tests::audit))
        .route("/api/v1/tests/{id}/games", get(games::games))
        .route("/api/v1/tests/{id}/live", get(live::test))
        .route("/api/v1/claims", post(work::claim))
        .route("/api/v1/leases/{id}/heartbeat", post(work::heartbeat))
        .route("/api/v1/leases/{id}/pairs", post(work::report))
        .route("/api/v1/leases/{id}/return", post(work::take_back))
        .route("/api/v1/tokens", post(tokens::make))
        .route("/api/v1/tokens/{id}", delete(tokens::revoke))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .route(
            "/api/v1/artifacts/{sha256}",
            put(artifacts::put)
                .get(artifacts::get)
                .layer(DefaultBodyLimit::disable()),
        )
        .route("/healthz", get(|| async { "ok\n" }))
        .fallback(|| async { Refusal(problem(Code::NotFound, "there is nothing at this address")) })
        .method_not_allowed_fallback(|| async {
            let text = "this address has no such method";
            Refusal(problem(Code::MethodNotAllowed, text))
        })
        .with_state(office)
}
