//! Whose turn it is.

use std::collections::BTreeMap;

use fleet_core::planner::{Candidate, Needs, Offer, choose};

fn needs(cores: u32) -> Needs<'static> {
    Needs {
        cores,
        memory_mib: 100,
        platform: None,
        toolchain: Vec::new(),
        tablebases: 0,
    }
}

fn candidate<'a>(test: &'a str, owner: &'a str, priority: i64, time: f64) -> Candidate<'a> {
    Candidate {
        test,
        owner,
        priority,
        virtual_time: time,
        needs: needs(1),
    }
}

fn offer(cores: u32) -> Offer<'static> {
    Offer {
        cores,
        memory_mib: 1000,
        platform: "x86_64-linux",
        toolchains: vec!["make"],
        tablebases: 5,
    }
}

#[test]
fn higher_classes_come_first_then_the_owner_and_the_test_furthest_behind() {
    let owners = BTreeMap::from([("ada".to_owned(), 10.0), ("bob".to_owned(), 5.0)]);
    let tests = [
        candidate("a", "ada", 0, 0.0),
        candidate("b", "bob", 0, 9.0),
        candidate("c", "bob", 0, 7.0),
    ];
    assert_eq!(choose(&tests, &owners, &offer(1)), Some("c"));
    let urgent = [tests.as_slice(), &[candidate("d", "ada", 1, 99.0)]].concat();
    assert_eq!(choose(&urgent, &owners, &offer(1)), Some("d"));
    assert_eq!(choose(&[], &owners, &offer(1)), None);
}

#[test]
fn a_worker_gets_only_what_it_can_run() {
    let mut test = candidate("a", "ada", 0, 0.0);
    let slots = |test: &Candidate<'_>, offer: Offer<'_>| offer.slots(&test.needs);
    assert_eq!(slots(&test, offer(4)), 4);
    test.needs.cores = 3;
    assert_eq!(slots(&test, offer(4)), 1);
    assert_eq!(slots(&test, offer(2)), 0);
    test.needs = Needs {
        memory_mib: 400,
        ..needs(1)
    };
    assert_eq!(slots(&test, offer(8)), 2);
    test.needs = Needs {
        platform: Some("aarch64-linux"),
        ..needs(1)
    };
    assert_eq!(slots(&test, offer(8)), 0);
    test.needs = Needs {
        toolchain: vec!["make", "cargo"],
        ..needs(1)
    };
    assert_eq!(slots(&test, offer(8)), 0);
    test.needs = Needs {
        tablebases: 5,
        ..needs(1)
    };
    assert_eq!(slots(&test, offer(8)), 8);
    test.needs.tablebases = 6;
    assert_eq!(choose(&[test], &BTreeMap::new(), &offer(8)), None);
}

/// An owner of thrice the weight has thrice as much: his clock goes a third as fast.
#[test]
fn owners_have_shares_by_their_weights() {
    let mut owners = BTreeMap::new();
    let mut got: BTreeMap<&str, f64> = BTreeMap::new();
    let weights = BTreeMap::from([("ada", 3.0), ("bob", 1.0)]);
    let tests = [candidate("a", "ada", 0, 0.0), candidate("b", "bob", 0, 0.0)];
    for lease in 0..4_000 {
        let chosen = choose(&tests, &owners, &offer(1)).expect("there is always work");
        let owner = if chosen == "a" { "ada" } else { "bob" };
        let cost = 100.0 + f64::from(lease % 7) * 40.0;
        *owners.entry(owner.to_owned()).or_insert(0.0) += cost / weights[owner];
        *got.entry(owner).or_insert(0.0) += cost;
    }
    let ratio = got["ada"] / got["bob"];
    assert!((ratio / 3.0 - 1.0).abs() < 0.05, "{ratio}");
}

/// Three owners and five tests, always more work than workers: shares come out by the weights.
#[test]
fn shares_come_out_within_five_percent_of_the_weights() {
    let mut tests = [
        ("a1", "ada", 1.0, 0.0),
        ("a2", "ada", 3.0, 0.0),
        ("b1", "bob", 1.0, 0.0),
        ("c1", "cyd", 0.5, 0.0),
        ("c2", "cyd", 0.5, 0.0),
    ];
    let mut owners = BTreeMap::new();
    let mut got: BTreeMap<&str, f64> = BTreeMap::new();
    for lease in 0..30_000 {
        let candidates: Vec<_> = tests
            .iter()
            .map(|&(test, owner, _, time)| candidate(test, owner, 0, time))
            .collect();
        let chosen = choose(&candidates, &owners, &offer(1)).expect("there is always work");
        // Leases differ: some workers have many cores.
        let cost = 100.0 + f64::from(lease % 7) * 40.0;
        let test = tests
            .iter_mut()
            .find(|test| test.0 == chosen)
            .expect("one of them");
        test.3 += cost / test.2;
        *owners.entry(test.1.to_owned()).or_insert(0.0) += cost;
        *got.entry(test.0).or_insert(0.0) += cost;
    }
    let all: f64 = got.values().sum();
    for (test, share) in [
        ("a1", 1.0 / 12.0),
        ("a2", 0.25),
        ("b1", 1.0 / 3.0),
        ("c1", 1.0 / 6.0),
    ] {
        let error = got[test] / all / share - 1.0;
        assert!(error.abs() < 0.05, "{test}: {error}");
    }
}
