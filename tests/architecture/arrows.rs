//! Which crate may know which.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::source::{PURE, root};

/// What each crate of ours may depend on among ours; dev-dependencies are free.
const ARROWS: &[(&str, &[&str])] = &[
    ("engine-core", &[]),
    ("uci", &[]),
    ("stats", &[]),
    ("match-core", &["engine-core", "uci", "stats"]),
    ("book", &["engine-core", "match-core"]),
    (
        "match-runner",
        &["engine-core", "uci", "stats", "match-core", "book"],
    ),
    ("fleet-api", &[]),
    (
        "fleet-core",
        &["engine-core", "stats", "match-core", "fleet-api"],
    ),
    (
        "coordinator",
        &[
            "engine-core",
            "stats",
            "match-core",
            "book",
            "fleet-api",
            "fleet-core",
        ],
    ),
    ("fleet-client", &["fleet-api"]),
    (
        "worker",
        &[
            "match-core",
            "match-runner",
            "fleet-api",
            "fleet-client",
            "fleet-core",
        ],
    ),
    ("sparring", &["engine-core", "uci"]),
    (
        "arbiter",
        &[
            "engine-core",
            "uci",
            "stats",
            "match-core",
            "match-runner",
            "sparring",
            "fleet-api",
            "fleet-client",
            "fleet-core",
            "coordinator",
            "worker",
        ],
    ),
    ("fuzzing", &["engine-core", "uci", "match-core", "book"]),
    ("end-to-end", &[]),
];

/// Crates that bring an async runtime.
const ASYNC: [&str; 5] = ["tokio", "async-std", "smol", "futures", "axum"];

struct Package {
    name: String,
    dependencies: BTreeSet<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let text = |value: &Value| value.as_str().expect("a name is text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    list(&metadata["packages"])
        .iter()
        .map(|package| Package {
            name: text(&package["name"]),
            dependencies: list(&package["dependencies"])
                .iter()
                .filter(|dependency| dependency["kind"] != "dev")
                .map(|dependency| text(&dependency["name"]))
                .collect(),
        })
        .collect()
}

#[test]
fn crates_know_only_whom_the_arrows_allow() {
    let packages = packages();
    let ours: BTreeSet<_> = packages
        .iter()
        .map(|package| package.name.clone())
        .collect();
    for package in &packages {
        let (_, allowed) = ARROWS
            .iter()
            .find(|(name, _)| *name == package.name)
            .unwrap_or_else(|| panic!("crate `{}` has no row in ARROWS", package.name));
        for known in package.dependencies.intersection(&ours) {
            assert!(
                allowed.contains(&known.as_str()),
                "`{}` must not know `{known}`",
                package.name
            );
        }
    }
    assert_eq!(packages.len(), ARROWS.len(), "a row of ARROWS has no crate");
}

#[test]
fn engine_core_knows_nobody() {
    let packages = packages();
    let core = packages
        .iter()
        .find(|package| package.name == "engine-core")
        .expect("it exists");
    assert_eq!(core.dependencies, BTreeSet::new());
}

#[test]
fn no_async_runtime_comes_near_the_game_loop() {
    for package in packages() {
        if PURE.contains(&package.name.as_str())
            || ["match-runner", "sparring", "worker", "fleet-client"]
                .contains(&package.name.as_str())
        {
            for runtime in ASYNC {
                assert!(
                    !package.dependencies.contains(runtime),
                    "`{}` uses `{runtime}`",
                    package.name
                );
            }
        }
    }
}

#[test]
fn every_route_is_in_the_document() {
    for source in crate::source::sources_of("coordinator") {
        let others = source.naming(&[
            ".route(",
            ".route_service(",
            ".nest_service(",
            "axum::routing",
        ]);
        assert!(others.is_empty(), "`routes!` only: {others:?}");
    }
}
