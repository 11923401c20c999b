//! What holds for every route there is.

use fleet_api::{Action, Scope, routes};

use crate::house::{House, pairs};
use crate::operations::{Operation, operations};

#[test]
fn what_can_be_asked_is_frozen() {
    insta::assert_snapshot!("openapi", coordinator::document());
}

#[test]
fn the_document_can_be_had_without_a_token() {
    let house = House::new();
    let said = house.visitor("").get(routes::OPENAPI);
    assert_eq!(said.status, 200);
    assert_eq!(said.body, coordinator::document());
}

#[test]
fn what_changes_something_needs_a_token_and_a_scope() {
    // Everybody has these: a password of one's own and tokens of one's own.
    let own = [routes::PASSWORD, "/api/v1/tokens/{id}"];
    for operation in operations().iter().filter(|operation| operation.changes()) {
        match operation.path.as_str() {
            routes::LOGIN => assert_eq!(operation.scopes, []),
            path if own.contains(&path) => assert_eq!(operation.scopes, [Scope::Read]),
            _ => {
                assert!(!operation.scopes.is_empty(), "{operation:?}");
                assert!(!operation.scopes.contains(&Scope::Read), "{operation:?}");
            }
        }
    }
}

#[test]
fn no_door_opens_without_a_token_or_with_a_wrong_one() {
    let house = House::new();
    let closed = || {
        let all = operations().into_iter();
        all.filter(|operation| !operation.scopes.is_empty())
    };
    let open = operations().len() - closed().count();
    assert_eq!(open, 3, "the document, the coordinator's health, the login");
    for token in ["", "arb_0000", "Bearer", "a b c"] {
        let nobody = house.visitor(token);
        for operation in closed() {
            // Neither a body nor a name is looked at before the token.
            for (name, body) in [("x", "{}"), ("%ff", "{")] {
                let said = nobody.send(&operation.method, &operation.at(name), body.as_bytes());
                assert_eq!(
                    (said.status, said.code().as_str()),
                    (401, "unauthenticated"),
                    "{operation:?} with {token:?}"
                );
            }
        }
    }
}

#[test]
fn each_door_opens_to_its_scopes_and_to_no_other() {
    let house = House::new();
    for scope in Scope::ALL {
        let visitor = house.user("eve", &[scope]);
        for operation in operations() {
            let allowed = operation.scopes.is_empty()
                || operation.scopes.iter().any(|wanted| scope.allows(*wanted));
            let said = visitor.send(&operation.method, &operation.at("x"), b"");
            assert_eq!(
                said.status != 403,
                allowed,
                "{operation:?} with {scope}: {said:?}"
            );
        }
    }
}

#[test]
fn what_changes_something_is_not_to_be_had_by_get() {
    let house = House::new();
    let admin = house.admin();
    let test = admin.submit(&pairs(4));
    let before = (admin.show(&test)["state"].clone(), audit(&house, &test));
    let all = operations();
    let has = |path: &str, method: &str| {
        let mut same = all.iter().filter(|operation| operation.path == path);
        same.any(|operation| operation.method == method)
    };
    for Operation { path, .. } in &all {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            if !has(path, method) {
                let said = admin.send(
                    method,
                    &path.replace("{id}", &test).replace("{name}", "x"),
                    b"{}",
                );
                assert_eq!(
                    (said.status, said.code().as_str()),
                    (405, "method_not_allowed"),
                    "{method} {path}"
                );
            }
        }
    }
    assert_eq!(
        before,
        (admin.show(&test)["state"].clone(), audit(&house, &test))
    );
    let stop = fleet_api::ActionRequest {
        action: Action::Stop,
        reason: None,
    };
    let words = serde_json::to_vec(&stop).expect("JSON");
    let in_the_query = format!("{}?action=stop", routes::actions(&test));
    assert_eq!(admin.send("GET", &in_the_query, b"").status, 405);
    assert_eq!(
        admin.send("POST", &routes::actions(&test), &words).status,
        200
    );
    assert_eq!(admin.show(&test)["state"], "stopped");
}

fn audit(house: &House, test: &str) -> String {
    house.admin().get(&routes::audit(test)).body
}
