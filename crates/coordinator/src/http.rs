//! The doors: JSON over HTTP. What is here reads requests and writes answers, and decides nothing.
//!
//! A route is a handler with its description in front: the router is made from those, and so is the
//! document at `/api/v1/openapi.json`. There is no other way to make a route.

use std::future::Future;
use std::sync::LazyLock;

use axum::Router;
use axum::middleware::from_fn_with_state;
use fleet_api::Code;
use tokio::net::TcpListener;
use tokio::sync::watch;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::office::{Office, problem};

mod answer;
mod artifacts;
mod asked;
mod crew;
mod document;
mod doors;
mod front;
mod games;
mod health;
mod incoming;
mod line;
mod listen;
mod live;
mod metrics;
mod named;
mod peer;
mod recounts;
mod tests;
mod tokens;
mod users;
mod visitor;
mod wishes;
mod work;
mod workers;

use answer::Refusal;
pub use doors::DoorSettings;
use doors::Doors;

/// Serves until `end` comes, and then until the requests under way are answered, or do not get on.
pub(crate) async fn serve(
    office: Office,
    settings: DoorSettings,
    listener: TcpListener,
    end: impl Future<Output = ()>,
) {
    let (drain, draining) = watch::channel(false);
    let doors = Doors::new(office, settings, draining);
    listen::serve(router(doors), listener, settings.connections, drain, end).await;
}

fn router(doors: Doors) -> Router {
    let (router, _document) = all().split_for_parts();
    let refused = |code, text: &str| Refusal::from(problem(code, text));
    router
        .fallback(
            move || async move { refused(Code::NotFound, "there is nothing at this address") },
        )
        .method_not_allowed_fallback(move || async move {
            refused(Code::MethodNotAllowed, "this address has no such method")
        })
        .layer(from_fn_with_state(doors.clone(), front::front))
        .with_state(doors)
}

/// All routes.
fn all() -> OpenApiRouter<Doors> {
    OpenApiRouter::with_openapi(document::beginning())
        .routes(routes!(tests::list, tests::submit))
        .routes(routes!(tests::show))
        .routes(routes!(tests::act))
        .routes(routes!(tests::audit))
        .routes(routes!(games::games))
        .routes(routes!(games::late_games))
        .routes(routes!(live::test))
        .routes(routes!(crew::show))
        .routes(routes!(wishes::change))
        .routes(routes!(wishes::list, wishes::set))
        .routes(routes!(crew::set_aside))
        .routes(routes!(crew::bring_back))
        .routes(routes!(recounts::recount))
        .routes(routes!(workers::list))
        .routes(routes!(workers::bar))
        .routes(routes!(workers::unbar))
        .routes(routes!(work::claim))
        .routes(routes!(work::heartbeat))
        .routes(routes!(work::report))
        .routes(routes!(work::take_back))
        .routes(routes!(tokens::list, tokens::make))
        .routes(routes!(tokens::revoke))
        .routes(routes!(users::list, users::add))
        .routes(routes!(users::change))
        .routes(routes!(users::log_in))
        .routes(routes!(users::change_password))
        .routes(routes!(users::whoami))
        .routes(routes!(users::audit))
        .routes(routes!(artifacts::put, artifacts::get))
        .routes(routes!(document::openapi))
        .routes(routes!(health::healthz))
        .routes(routes!(metrics::metrics))
}

/// The document of all routes, as JSON that is made once.
pub fn document() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        document::complete(all().into_openapi())
            .to_pretty_json()
            .expect("a document is JSON")
    });
    &TEXT
}
