//! Everything that can be asked, as the document has it: what is tested here is tested of every route.

use fleet_api::Scope;
use serde_json::{Map, Value, json};

/// A method of an address.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) method: String,
    pub(crate) path: String,
    /// One of these is needed; nothing if there are none.
    pub(crate) scopes: Vec<Scope>,
    /// What its body consists of, if it has one.
    body: Option<(String, Value)>,
}

/// The document.
pub(crate) fn document() -> Value {
    serde_json::from_str(coordinator::document()).expect("the document is JSON")
}

/// All of them.
pub(crate) fn operations() -> Vec<Operation> {
    let document = document();
    let paths = document["paths"].as_object().expect("paths");
    let mut all = Vec::new();
    for (path, methods) in paths {
        for (method, about) in methods.as_object().expect("methods") {
            let security = about["security"].as_array().expect("who may is said");
            let scopes = security.iter().filter_map(|way| way.get("token"));
            let scopes = scopes.flat_map(|scopes| scopes.as_array().expect("scopes"));
            let content = about["requestBody"]["content"].as_object();
            all.push(Operation {
                method: method.to_uppercase(),
                path: path.clone(),
                scopes: scopes
                    .map(|name| name.as_str().expect("a name").parse().expect("a scope"))
                    .collect(),
                body: content.and_then(|content| {
                    let (kind, about) = content.iter().next()?;
                    Some((kind.clone(), about["schema"].clone()))
                }),
            });
        }
    }
    assert!(all.len() >= 15, "{} operations", all.len());
    all
}

impl Operation {
    pub(crate) fn changes(&self) -> bool {
        self.method != "GET"
    }

    pub(crate) fn takes_json(&self) -> bool {
        self.body
            .as_ref()
            .is_some_and(|(kind, _)| kind == "application/json")
    }

    pub(crate) fn has_parameter(&self) -> bool {
        self.path.contains('{')
    }

    /// The address with `name` for what is named in it.
    pub(crate) fn at(&self, name: &str) -> String {
        match (self.path.find('{'), self.path.find('}')) {
            (Some(from), Some(to)) => {
                format!("{}{name}{}", &self.path[..from], &self.path[to + 1..])
            }
            _ => self.path.clone(),
        }
    }

    /// A body that has all fields, each of the right type.
    pub(crate) fn sample(&self) -> Value {
        let (_, schema) = self.body.as_ref().expect("it has a body");
        sample(&document(), schema)
    }
}

fn sample(document: &Value, schema: &Value) -> Value {
    if let Some(place) = schema["$ref"].as_str() {
        let schema = document.pointer(place.trim_start_matches('#'));
        return sample(document, schema.expect("what is referred to is there"));
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(schemas) = schema[choice].as_array() {
            let schema = schemas.iter().find(|schema| schema["type"] != "null");
            return sample(document, schema.expect("there is a choice"));
        }
    }
    if let Some(names) = schema["enum"].as_array() {
        return names[0].clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null"),
        kind => Some(kind),
    };
    match kind.and_then(Value::as_str) {
        Some("object") => {
            let none = Map::new();
            let fields = schema["properties"].as_object().unwrap_or(&none);
            let fields = fields
                .iter()
                .map(|(name, schema)| (name.clone(), sample(document, schema)));
            Value::Object(fields.collect())
        }
        Some("array") => vec![sample(document, &schema["items"]); 2].into(),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        _ => json!("x"),
    }
}
