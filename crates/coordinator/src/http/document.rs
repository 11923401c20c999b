//! The document of the doors, in OpenAPI: made from the handlers, so no route is without its place in it.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use fleet_api::Problem;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, Ref};
use utoipa::{PartialSchema, ToSchema};

use crate::office::Office;

/// What the scheme of our tokens is called in the document.
const SCHEME: &str = "token";

/// The document before any route.
pub(super) fn beginning() -> OpenApi {
    let mut components = Components::new();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme(SCHEME, bearer);
    let problem = (Problem::name().into_owned(), Problem::schema());
    components.schemas.extend([problem]);
    let mut more = Vec::new();
    Problem::schemas(&mut more);
    components.schemas.extend(more);
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("arbiter")
                .description(Some(
                    "A coordinator that distributes tests of chess engines to workers. A token is sent as \
                     `Authorization: Bearer TOKEN`; the scopes that an action asks for stand at it, and \
                     `admin` allows everything. Every answer with a status of 400 or more is a `Problem`. \
                     Fields may be added within version 1; unknown ones are ignored.",
                ))
                .version("1")
                .build(),
        )
        .components(Some(components))
        .build()
}

/// The document with what all routes have in common.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let problem = ResponseBuilder::new()
        .description("A problem: nothing was changed")
        .content(
            "application/json",
            ContentBuilder::new()
                .schema(Some(Ref::from_schema_name(Problem::name())))
                .build(),
        )
        .build();
    for item in document.paths.paths.values_mut() {
        let methods = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
            &mut item.patch,
        ];
        for operation in methods.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            responses.insert("default".to_owned(), problem.clone().into());
        }
    }
    document
}

/// This document
#[utoipa::path(
    get, path = "/api/v1/openapi.json", tag = "service", operation_id = "openapi",
    responses((status = 200, description = "The document, OpenAPI 3.1", content_type = "application/json")),
    security(()),
)]
pub(super) async fn openapi(State(_): State<Office>) -> Response {
    ([("content-type", "application/json")], super::document()).into_response()
}
